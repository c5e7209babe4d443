#include "exchange/redistribution_run.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "exchange/copies.hpp"
#include "model/modular.hpp"
#include "routing/streaming_copy.hpp"

namespace shunt {

namespace {

/// Bytes of a packet where the caller has not chosen.
constexpr Bytes kPacket = Bytes{256} << 10;

/// Bytes that the ranks of a node receive from which their caches do not keep them.
constexpr Bytes kBeyondCaches = Bytes{16} << 20;

BoxEnd end_of(const BoxMessage& message) {
  return {message.peer, message.box.bytes(), BoxCursor(message.box)};
}

}  // namespace

RedistributionRun::RedistributionRun(const std::shared_ptr<YardState>& yard, const Options& options,
                                     const Redistribution& redistribution,
                                     const LocalArrays& arrays)
    : PlannedExchange(yard),
      options_(options),
      cargo_(yard->comm(), yard->draw_tag(), options.packet > 0 ? options.packet : kPacket) {
  plan_steps(redistribution.sends(yard->rank(), arrays.from_strides, arrays.element),
             redistribution.receives(yard->rank(), arrays.to_strides, arrays.element));
  streaming_ = counters.stages.front().received * std::ssize(yard->node().ranks()) > kBeyondCaches;
  cargo_.set_streaming(streaming_);
  if (options.shared_memory && options.mode != Mode::blocking && yard->node().shares()) share();
  cargo_.prepare();
  counters.peak_send_buffer = cargo_.most_sent(options.window.messages);
  counters.peak_receive_buffer = cargo_.most_received(options.window.messages);
}

/// Everybody goes round, and meets others at distances that are the same for all in a step.
void RedistributionRun::plan_steps(const std::vector<BoxMessage>& sends,
                                   const std::vector<BoxMessage>& receives) {
  const Rank ranks = yard().ranks();
  const Rank rank = yard().rank();
  StageCounters& counted = counters.stages.emplace_back();
  counted.messages_sent = static_cast<int>(sends.size());
  counted.messages_received = static_cast<int>(receives.size());
  std::map<Index, BoxStep> by_distance;
  for (const BoxMessage& message : sends) {
    by_distance[modulo(message.peer - rank, ranks)].out = end_of(message);
  }
  for (const BoxMessage& message : receives) {
    const BoxEnd& in = by_distance[modulo(rank - message.peer, ranks)].in.emplace(end_of(message));
    counted.longest_received = std::max(counted.longest_received, in.bytes);
    counted.received += in.bytes;
  }
  for (auto& [distance, step] : by_distance) {
    if (distance == 0) {
      own_bytes_ = step.out->bytes;
      own_from_ = std::move(step.out->cursor);
      own_to_ = std::move(step.in->cursor);
    } else {
      cargo_.steps().push_back(std::move(step));
    }
  }
}

void RedistributionRun::share() {
  PlanDraft draft;
  StageDraft& stage = draft.stages.emplace_back();
  std::vector<Step> steps;
  for (const BoxStep& step : cargo_.steps()) {
    steps.push_back({static_cast<int>(steps.size()) + 1, step.out ? step.out->peer : kNoRank,
                     step.in ? step.in->peer : kNoRank});
    if (step.out) stage.outgoing.push_back({step.out->peer, step.out->bytes, {}, {}});
    if (step.in) stage.senders.push_back(step.in->peer);
  }
  std::ranges::sort(stage.senders);
  stage.received.resize(stage.senders.size());
  for (const BoxStep& step : cargo_.steps()) {
    if (!step.in) continue;
    const auto sender = std::ranges::lower_bound(stage.senders, step.in->peer);
    stage.received[static_cast<std::size_t>(sender - stage.senders.begin())] = step.in->bytes;
  }
  seen_.resize(steps.size());
  sharing_ = std::make_unique<PlanSharing>(shared_yard(),
                                           std::vector<std::vector<Step>>{std::move(steps)}, draft);
  counters.peak_shared = sharing_->payload();
  take_shared();
}

/// Takes from the cargo what does not go through MPI.
void RedistributionRun::take_shared() {
  std::size_t index = 0;
  for (BoxStep& step : cargo_.steps()) {
    if (!step.out) continue;
    if (const auto whole = sharing_->packed_at(0, index)) {
      shown_.push_back({*whole, std::move(*step.out)});
      step.out.reset();
    } else if (sharing_->is_piped(0, index)) {
      BoxEnd& end = *piped_.emplace_back(std::make_unique<BoxEnd>(std::move(*step.out)));
      step.out.reset();
      sharing_->send_by(index, [this, &end](std::byte* shared, Bytes place, Bytes bytes) {
        if (place == 0) end.cursor.rewind();
        end.cursor.read(from_, shared, bytes);
      });
    }
    ++index;
  }
  for (PlanSharing::Arrival& arrival : sharing_->arrivals(0)) {
    std::optional<BoxEnd>& in = cargo_.steps()[arrival.step].in;
    if (arrival.ring == 0) {
      seen_[arrival.step] = Shown{arrival.place, std::move(*in)};
    } else {
      BoxEnd& end = *piped_.emplace_back(std::make_unique<BoxEnd>(std::move(*in)));
      arrival.landing = [this, &end](const std::byte* shared, Bytes place, Bytes bytes) {
        if (place == 0) end.cursor.rewind();
        end.cursor.write(to_, shared, bytes, streaming_);
      };
    }
    in.reset();
  }
}

void RedistributionRun::bind(const std::byte* from, std::byte* to) {
  from_ = from;
  to_ = to;
  cargo_.bind(from, to);
}

bool RedistributionRun::begin() {
  if (options_.mode == Mode::blocking) {
    run_blocking(cargo_.steps().size(), cargo_, yard(), {}, 0);
    copy_own();
    return false;
  }
  if (sharing_) sharing_->begin();
  packed_ = pack();
  return true;
}

bool RedistributionRun::pack() {
  if (sharing_ && !sharing_->has_room()) return false;
  for (Shown& shown : shown_) {
    shown.end.cursor.rewind();
    shown.end.cursor.read(from_, at(shown.place), shown.end.bytes);
  }
  runner_.begin(cargo_.steps().size(), options_.window, cargo_, false);
  if (sharing_) sharing_->begin_stage(0);
  copy_own();
  return true;
}

void RedistributionRun::copy_own() {
  if (!own_from_) return;
  charge_copies(own_bytes_);
  if (!payloads_are_real()) return;
  own_from_->rewind();
  own_to_->rewind();
  if (!own_from_->is_fine() && !own_to_->is_fine()) {
    for (Bytes left = own_bytes_; left > 0;) {
      const auto from = own_from_->stretch();
      const auto to = own_to_->stretch();
      const Bytes bytes = std::min(from.length, to.length);
      if (streaming_) {
        streaming_copy(to_ + to.offset, from_ + from.offset, static_cast<std::size_t>(bytes));
      } else {
        move_bytes(to_ + to.offset, from_ + from.offset, bytes);
      }
      own_from_->skip(bytes);
      own_to_->skip(bytes);
      left -= bytes;
    }
    streaming_done();
    return;
  }
  // Through a piece that stays in the nearest cache.
  std::array<std::byte, 8192> piece;
  for (Bytes left = own_bytes_; left > 0;) {
    const Bytes bytes = std::min(left, std::ssize(piece));
    own_from_->read(from_, piece.data(), bytes);
    own_to_->write(to_, piece.data(), bytes, streaming_);
    left -= bytes;
  }
}

bool RedistributionRun::advance(bool wait) {
  if (!packed_) {
    packed_ = pack();
    if (!packed_ && wait) yard().relax();
    if (!packed_) return false;
  }
  const bool all_shared = !sharing_ || sharing_->advance([this](std::size_t step) {
    Shown& seen = *seen_[step];
    seen.end.cursor.rewind();
    seen.end.cursor.write(to_, at(seen.place), seen.end.bytes, streaming_);
  });
  const bool all_through = runner_.advance(wait && all_shared);
  if (wait && !all_shared && !sharing_->moved()) yard().relax();
  if (!all_shared || !all_through) return false;
  if (sharing_) sharing_->finish();
  finish();
  if (sharing_) sharing_->expect_agreement();
  return true;
}

}  // namespace shunt
