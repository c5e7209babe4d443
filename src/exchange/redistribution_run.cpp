#include "exchange/redistribution_run.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "exchange/copies.hpp"
#include "model/modular.hpp"
#include "routing/streaming_copy.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Bytes of a packet where the caller has not chosen.
constexpr Bytes kPacket = Bytes{256} << 10;

/// Bytes that the ranks of a node receive from which their caches do not keep them.
constexpr Bytes kBeyondCaches = Bytes{16} << 20;

/// Of whole elements, if there is room for one.
Bytes packet_of(Bytes chosen, Bytes element) {
  const Bytes packet = chosen > 0 ? chosen : kPacket;
  return packet < element ? packet : packet / element * element;
}

BoxEnd end_of(const BoxMessage& message) {
  return {message.peer, message.box.bytes(), BoxCursor(message.box)};
}

}  // namespace

RedistributionRun::RedistributionRun(const std::shared_ptr<YardState>& yard, const Options& options,
                                     const Redistribution& redistribution,
                                     const LocalArrays& arrays)
    : PlannedExchange(yard),
      options_(options),
      element_(arrays.element),
      packet_(packet_of(options.packet, arrays.element)),
      cargo_(yard->comm(), yard->draw_tag(), packet_, arrays_) {
  plan_steps(redistribution.sends(yard->rank(), arrays.from_strides, arrays.element),
             redistribution.receives(yard->rank(), arrays.to_strides, arrays.element));
  arrays_.streaming =
      counters.stages.front().received * std::ssize(yard->node().ranks()) > kBeyondCaches;
  if (options.shared_memory && options.mode != Mode::blocking) sharing_ = yard->redistributions();
  if (sharing_ != nullptr) share();
  cargo_.prepare();
  counters.peak_send_buffer = cargo_.most_sent(options.window.messages);
  counters.peak_receive_buffer = cargo_.most_received(options.window.messages);
}

RedistributionRun::~RedistributionRun() {
  if (sharing_ == nullptr || ended_) return;
  if (packed_) sharing_->give_up(number_);
  sharing_->leave_line(number_);
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
  Node& node = yard().node();
  for (BoxStep& step : cargo_.steps()) {
    if (step.out) {
      if (const auto place = node.place_of(step.out->peer)) {
        shared_out_.push_back({*place, std::move(*step.out)});
        step.out.reset();
      }
    }
    shared_in_.emplace_back();
    if (step.in && node.place_of(step.in->peer)) std::swap(shared_in_.back(), step.in);
  }
}

void RedistributionRun::bind(const std::byte* from, std::byte* to, ElementUpdate update) {
  if (update && packet_ < element_) {
    throw Error(ErrorKind::argument,
                fmt::format("packets have {} bytes; elements that are put together have {}",
                            packet_, element_));
  }
  arrays_.from = from;
  arrays_.to = to;
  arrays_.update = std::move(update);
}

bool RedistributionRun::begin() {
  if (options_.mode == Mode::blocking) {
    run_blocking(cargo_.steps().size(), cargo_, yard(), {}, 0);
    copy_own();
    return false;
  }
  if (sharing_ != nullptr) number_ = sharing_->line_up();
  ended_ = false;
  packed_ = pack();
  return true;
}

bool RedistributionRun::pack() {
  if (sharing_ != nullptr) {
    if (!sharing_->is_first(number_)) return false;
    sharing_->begin(number_);
    if (!sharing_->has_room()) return false;
  }
  runner_.begin(cargo_.steps().size(), options_.window, cargo_, false);
  if (sharing_ != nullptr) {
    for (SharedOut& out : shared_out_) {
      const auto read = [this, &end = out.end](std::byte* shared, Bytes place, Bytes bytes) {
        if (place == 0) end.cursor.rewind();
        arrays_.pack(end.cursor, shared, bytes);
      };
      sharing_->tell(out.place, read, out.end.bytes);
    }
    for (std::size_t step = 0; step < shared_in_.size(); ++step) {
      if (!shared_in_[step]) continue;
      const Rank from = shared_in_[step]->peer;
      sharing_->expect(yard().node().place_of(from).value(), from, step);
    }
    sharing_->publish();
    counters.peak_shared = sharing_->payload();
  }
  copy_own();
  return true;
}

MovePiece RedistributionRun::landing_for(std::size_t step, Bytes length) {
  BoxEnd& end = *shared_in_[step];
  if (length != end.bytes) {
    fault = wrong_length(end.peer, end.bytes);
    return {};
  }
  return [this, &end](const std::byte* shared, Bytes place, Bytes bytes) {
    if (place == 0) end.cursor.rewind();
    arrays_.unpack(end.cursor, shared, bytes);
  };
}

void RedistributionRun::copy_own() {
  if (!own_from_) return;
  charge_copies(own_bytes_);
  if (!payloads_are_real()) return;
  own_from_->rewind();
  own_to_->rewind();
  if (!arrays_.update && !own_from_->is_fine() && !own_to_->is_fine()) {
    for (Bytes left = own_bytes_; left > 0;) {
      const auto from = own_from_->stretch();
      const auto to = own_to_->stretch();
      const Bytes bytes = std::min(from.length, to.length);
      if (arrays_.streaming) {
        streaming_copy(arrays_.to + to.offset, arrays_.from + from.offset,
                       static_cast<std::size_t>(bytes));
      } else {
        move_bytes(arrays_.to + to.offset, arrays_.from + from.offset, bytes);
      }
      own_from_->skip(bytes);
      own_to_->skip(bytes);
      left -= bytes;
    }
    streaming_done();
    return;
  }
  // Through a piece that stays in the nearest cache.
  alignas(64) std::array<std::byte, 8192> piece;
  for (Bytes left = own_bytes_; left > 0;) {
    const Bytes bytes = std::min(left, std::ssize(piece));
    arrays_.pack(*own_from_, piece.data(), bytes);
    arrays_.unpack(*own_to_, piece.data(), bytes);
    left -= bytes;
  }
}

bool RedistributionRun::advance(bool wait) {
  if (!packed_) {
    packed_ = pack();
    if (!packed_ && wait) yard().relax();
    if (!packed_) return false;
  }
  const bool all_shared = sharing_ == nullptr || sharing_->advance(*this);
  const bool all_through = runner_.advance(wait && all_shared);
  if (wait && !all_shared && !sharing_->moved()) yard().relax();
  if (!all_shared || !all_through) return false;
  if (sharing_ != nullptr) {
    sharing_->finish();
    sharing_->leave_line(number_);
  }
  ended_ = true;
  finish();
  if (fault) throw *std::exchange(fault, std::nullopt);
  return true;
}

}  // namespace shunt
