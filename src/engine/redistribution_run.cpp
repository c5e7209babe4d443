#include "engine/redistribution_run.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "model/modular.hpp"
#include "redistribution/message_steps.hpp"
#include "routing/streaming_copy.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Bytes of a packet where the caller has not chosen.
constexpr Bytes kDefaultPacket = Bytes{256} << 10;

/// Of whole elements, if there is room for one.
Bytes packet_of(Bytes chosen, Bytes element) {
  const Bytes packet = chosen > 0 ? chosen : kDefaultPacket;
  return packet < element ? packet : packet / element * element;
}

/// `options` with packets of which two for each message of the window take no more than the memory:
/// shorter ones first, as far as these are worth a start-up, then fewer at a time. The packets are
/// the same on all ranks.
Options within_memory(Options options, Bytes element) {
  if (options.memory == 0) return options;
  if (options.memory < 2 * element) {
    throw Error(ErrorKind::argument,
                fmt::format("the memory limit is {} bytes; a redistribution of elements of {} "
                            "bytes needs at least {}",
                            options.memory, element, 2 * element));
  }
  constexpr Bytes kWorthAStartUp = 16384;
  const Bytes share = options.memory / 2;
  const Bytes messages = std::max(options.window.messages, 1);
  const Bytes shortest = std::max(kWorthAStartUp, element);
  const Bytes packet = std::min(packet_of(options.packet, element),
                                std::min(share, std::max(share / messages, shortest)));
  options.packet = packet_of(packet, element);
  options.window.messages =
      static_cast<int>(std::clamp<Bytes>(share / options.packet, 1, messages));
  return options;
}

/// Whether messages of a node go through its memory.
bool shares_memory(const Options& options) {
  return options.shared_memory && options.mode != Mode::blocking;
}

/// Adds a box to what goes to or comes from its peer.
void add(std::optional<BoxEnd>& end, std::size_t array, const BoxMessage& message) {
  if (!end) end = BoxEnd{message.peer};
  end->boxes.add(array, message.box);
}

}  // namespace

Bytes redistribution_packet(const Options& options, Bytes element) {
  return packet_of(within_memory(options, element).packet, element);
}

void stay_out_of_redistribution(Context& context, const Options& options) {
  (void)context.draw_tag();
  CallChannel* const channel = shares_memory(options) ? context.redistributions() : nullptr;
  if (channel == nullptr) return;
  const std::uint64_t number = channel->line_up();
  context.progress.advance_to_end([&](bool wait) {
    if (channel->begins_in_line(number)) return true;
    if (wait) context.progress.poll();
    return false;
  });
  for (std::size_t place = 0; place < context.node().ranks().size(); ++place) {
    if (place != context.node().place()) channel->tell(place, {}, 0);
  }
  channel->publish();
  channel->give_up(number);
  channel->leave_line(number);
}

RedistributionRun::RedistributionRun(const std::shared_ptr<Context>& context,
                                     const Options& options,
                                     const std::vector<LocalRedistribution>& redistributions,
                                     Bytes element, MessageOrder order)
    : PlannedExchange(context),
      options_(within_memory(options, element)),
      element_(element),
      stage_messages_(context->comm(), context->draw_tag(), packet_of(options_.packet, element),
                      arrays_),
      exposed_(context->rank(), element, arrays_) {
  plan_steps(redistributions, order);
  arrays_.streaming =
      counters.stages.front().received * std::ssize(context->node().ranks()) > kept_by_caches();
  if (shares_memory(options)) channel_ = context->redistributions();
  if (channel_ != nullptr) share(redistributions);
  stage_messages_.prepare();
  counters.peak_send_buffer = stage_messages_.most(&BoxStep::out, options_.window.messages);
  counters.peak_receive_buffer = stage_messages_.most(&BoxStep::in, options_.window.messages);
  counters.memory = counters.peak_send_buffer + counters.peak_receive_buffer;
}

RedistributionRun::~RedistributionRun() {
  if (channel_ == nullptr || ended_) return;
  if (packed_) channel_->give_up(number_);
  channel_->leave_line(number_);
}

void RedistributionRun::plan_steps(const std::vector<LocalRedistribution>& redistributions,
                                   MessageOrder order) {
  const Rank rank = context().rank();
  const Rank ranks = context().ranks();
  std::optional<MessageSteps> scheduled;
  // In the memory of a node there is no order.
  const bool all_on_node = std::ssize(context().node().ranks()) == ranks;
  if (order == MessageOrder::scheduled && !redistributions.empty() && !all_on_node) {
    scheduled = scheduled_steps(redistributions.front().redistribution, rank);
  }
  const auto when_out = [&](Rank peer) -> Index {
    return scheduled ? scheduled->sends.at(peer) : modulo(peer - rank, ranks);
  };
  const auto when_in = [&](Rank peer) -> Index {
    return scheduled ? scheduled->receives.at(peer) : modulo(rank - peer, ranks);
  };
  std::map<Index, BoxStep> by_step;
  BoxStep own;
  for_each_box(
      redistributions, rank, element_,
      [&](std::size_t array, const BoxMessage& message) {
        add(message.peer == rank ? own.out : by_step[when_out(message.peer)].out, array, message);
      },
      [&](std::size_t array, const BoxMessage& message) {
        add(message.peer == rank ? own.in : by_step[when_in(message.peer)].in, array, message);
      });
  counters.stages.emplace_back();
  count(own);
  if (own.out) own_from_ = std::move(own.out->boxes);
  if (own.in) own_to_ = std::move(own.in->boxes);
  for (auto& [when, step] : by_step) {
    count(step);
    stage_messages_.steps().push_back(std::move(step));
  }
}

void RedistributionRun::count(const BoxStep& step) {
  StageCounters& counted = counters.stages.front();
  if (step.out) ++counted.messages_sent;
  if (!step.in) return;
  ++counted.messages_received;
  counted.longest_received = std::max(counted.longest_received, step.in->boxes.bytes());
  counted.received += step.in->boxes.bytes();
}

void RedistributionRun::share(const std::vector<LocalRedistribution>& redistributions) {
  Node& node = context().node();
  for (BoxStep& step : stage_messages_.steps()) {
    if (step.out) {
      if (const auto place = node.place_of(step.out->peer)) {
        shared_out_.push_back({*place, std::move(*step.out)});
        step.out.reset();
      }
    }
    shared_in_.emplace_back();
    if (step.in && node.place_of(step.in->peer)) std::swap(shared_in_.back(), step.in);
  }
  for (SharedOut& out : shared_out_) exposed_.add_out(out.end.boxes, redistributions);
  for (std::size_t step = 0; step < shared_in_.size(); ++step) {
    if (!shared_in_[step]) continue;
    shared_bytes_ += shared_in_[step]->boxes.bytes();
    exposed_.add_in(step, shared_in_[step]->peer, shared_in_[step]->boxes, redistributions);
  }
}

void RedistributionRun::bind(std::vector<BoxArrays::Pair> pairs) {
  arrays_.pairs = std::move(pairs);
  for (SharedOut& out : shared_out_) {
    out.description =
        exposed_.describe(out.end.boxes, context().node().processes().number(out.place));
  }
}

bool RedistributionRun::begin() {
  if (options_.mode == Mode::blocking) {
    run_blocking(stage_messages_.steps().size(), stage_messages_, context(), {}, 0);
    begin_own();
    copy_own(own_from_.bytes());
    return false;
  }
  if (channel_ != nullptr) number_ = channel_->line_up();
  ended_ = false;
  packed_ = pack();
  return true;
}

bool RedistributionRun::pack() {
  if (channel_ != nullptr && !channel_->begins_in_line(number_)) return false;
  runner_.begin(stage_messages_.steps().size(), options_.window, stage_messages_, false);
  if (channel_ != nullptr) {
    for (SharedOut& out : shared_out_) {
      if (!out.description.empty()) {
        channel_->expose_described(out.place, std::as_bytes(std::span(out.description)),
                                   out.end.boxes.bytes());
        continue;
      }
      const auto read = [this, &end = out.end](std::byte* shared, Bytes place, Bytes bytes) {
        if (place == 0) end.boxes.rewind();
        arrays_.pack(end.boxes, shared, bytes);
      };
      channel_->tell(out.place, read, out.end.boxes.bytes());
    }
    for (std::size_t step = 0; step < shared_in_.size(); ++step) {
      if (!shared_in_[step]) continue;
      const Rank from = shared_in_[step]->peer;
      channel_->expect(context().node().place_of(from).value(), from, step);
    }
    channel_->publish();
    counters.peak_shared = channel_->payload();
  }
  begin_own();
  if (shared_bytes_ == 0) copy_own(own_from_.bytes());
  return true;
}

SharedLanding RedistributionRun::landing_for(std::size_t step, Bytes length) {
  BoxEnd& end = *shared_in_[step];
  if (length != end.boxes.bytes()) {
    fault = length == 0 ? no_message(end.peer) : wrong_length(end.peer, end.boxes.bytes());
    return {};
  }
  return SharedLanding([this, &end](const std::byte* shared, Bytes place, Bytes bytes) {
    if (place == 0) end.boxes.rewind();
    arrays_.unpack(end.boxes, shared, bytes);
    arrived_ += bytes;
  });
}

SingleCopies::CopyPiece RedistributionRun::pulled(std::size_t step, const std::byte* description) {
  return [this, copy = exposed_.pulled(step, description)](Bytes place, Bytes bytes) {
    copy(place, bytes);
    arrived_ += bytes;
  };
}

void RedistributionRun::begin_own() {
  charge_copies(own_from_.bytes());
  own_from_.rewind();
  own_to_.rewind();
  own_done_ = 0;
  arrived_ = 0;
}

void RedistributionRun::copy_own(Bytes end) {
  const Bytes bytes = end - own_done_;
  own_done_ = end;
  if (!payloads_are_real()) return;
  own_from_.advance(bytes, [&](std::size_t array, BoxCursor& from, Bytes, Bytes length) {
    own_to_.advance(length, [&](std::size_t to_array, BoxCursor& to, Bytes, Bytes some) {
      arrays_.copy_box(arrays_.pairs[array].from, from, to_array, to, some);
    });
  });
}

Bytes RedistributionRun::own_in_step() const {
  const Bytes all = own_from_.bytes();
  if (own_done_ == all) return all;
  const double share = static_cast<double>(arrived_) / static_cast<double>(shared_bytes_);
  const Bytes end = static_cast<Bytes>(share * static_cast<double>(all)) / element_ * element_;
  return std::clamp(end, own_done_, all);
}

bool RedistributionRun::advance(bool wait) {
  if (!packed_) {
    packed_ = pack();
    if (!packed_ && wait) context().progress.poll();
    if (!packed_) return false;
  }
  const bool all_shared = channel_ == nullptr || channel_->advance(*this);
  copy_own(all_shared ? own_from_.bytes() : own_in_step());
  const bool all_through = runner_.advance(wait && all_shared);
  if (wait && !all_shared && !channel_->moved()) context().progress.poll();
  if (!all_shared || !all_through) return false;
  if (channel_ != nullptr) {
    channel_->finish();
    channel_->leave_line(number_);
  }
  ended_ = true;
  finish();
  if (fault) throw *std::exchange(fault, std::nullopt);
  return true;
}

}  // namespace shunt
