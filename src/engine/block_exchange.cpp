#include "engine/block_exchange.hpp"

#include <algorithm>

#include "engine/arrivals.hpp"
#include "engine/block_stage.hpp"
#include "engine/copies.hpp"
#include "engine/exact_messages.hpp"
#include "engine/node_stages.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "routing/move_bytes.hpp"

namespace shunt {

namespace {

/// The messages of the last stage. One that does not land in one piece is copied on from where it
/// was received.
class LastMessages final : public SharedInbox {
 public:
  explicit LastMessages(const ReceiveBlocks& receive) : receive_(receive) {}

  /// Of the next step, null if nothing is expected: returns where it is to be received, which is
  /// at `staging` if it has to be copied on, and moves that on.
  std::byte* expect(const Arrival* arrival, std::byte*& staging) {
    std::byte* at = arrival == nullptr ? nullptr : sole_landing(*arrival, receive_);
    if (arrival != nullptr && at == nullptr) {
      at = staging;
      staging += arrival->payload;
    }
    messages_.push_back({arrival, at});
    return at;
  }

  /// The message of `step` is at its place.
  void land(std::size_t step) const {
    const auto& [arrival, at] = messages_[step];
    if (sole_landing(*arrival, receive_) == at) return;
    run_copies(landing_copies(*arrival, at, receive_));
  }

  SharedLanding landing_for(std::size_t step, Bytes length) override {
    const auto& [arrival, at] = messages_[step];
    if (length == arrival->payload) return SharedLanding(at);
    fault = wrong_length(arrival->from, arrival->payload);
    return {};
  }
  void arrived(std::size_t step) override { land(step); }

 private:
  struct Message {
    const Arrival* arrival;
    std::byte* at;
  };

  const ReceiveBlocks& receive_;
  std::vector<Message> messages_;  ///< by step
};

/// An exchange by an algorithm of several stages.
class BlockExchange {
 public:
  /// Everything referred to must outlive the exchange.
  BlockExchange(Context& context, const Schedule& schedule, const Options& options,
                Bytes head_bytes, const SendBlocks& send, const ReceiveBlocks& receive)
      : context_(context),
        schedule_(schedule),
        options_(options),
        head_bytes_(head_bytes),
        send_(send),
        receive_(receive),
        tag_(context.draw_tag()),
        node_(context, options, schedule.algorithm->stages()) {}

  BlockExchange(const BlockExchange&) = delete;
  BlockExchange& operator=(const BlockExchange&) = delete;
  /// Frees the requests of sends that an exception has left under way; their memory stays the
  /// communicator's.
  ~BlockExchange() {
    if (!mpi_is_running()) return;
    for (std::vector<MPI_Request>& requests : sends_) {
      for (MPI_Request& request : requests) MPI_Request_free(&request);
    }
  }

  Counters run() {
    counters_.stages.resize(schedule_.steps.size());
    const std::size_t last = schedule_.steps.size() - 1;
    streams_.set_blocks(send_.bytes);
    for (std::size_t k = 0; k < send_.bytes.size(); ++k) places_.push_back(send_.block(k));
    for (std::size_t stage = 0; stage < last; ++stage) run_labelled(stage);
    run_last(last);
    wait_for_sends(0);
    wait_for_sends(1);
    counters_.peak_shared = node_.peak();
    counters_.memory = context_.scratch.capacity() + longest_stage_;
    return std::move(counters_);
  }

 private:
  void run_labelled(std::size_t stage) {
    const std::vector<Step>& steps = schedule_.steps[stage];
    pack(stage, true);
    arrived_.reset();

    std::byte* heads =
        context_.scratch.heads[stage % 2].provide(static_cast<Bytes>(steps.size()) * head_bytes_);
    auto stage_messages =
        std::make_unique<LabelledMessages>(context_, steps, tag_, head_bytes_, true, heads, &node_);
    stage_messages->set_departures(departures_);
    run_stage(stage, *stage_messages, *stage_messages);

    StageCounters& counters = counters_.stages[stage];
    places_.clear();
    std::vector<Contents> contents;
    for (Arrived& arrived : stage_messages->arrived()) {
      if (arrived.from == context_.rank()) {
        arrived.contents = std::ranges::find(outgoing_, arrived.from, &Outgoing::to)->contents;
        arrived.payload = std::ranges::find(departures_, arrived.from, &Departure::to)->data;
      }
      places_.push_back(arrived.payload);
      const Bytes payload = payload_of(arrived.contents);
      ++counters.messages_received;
      counters.longest_received = std::max(counters.longest_received, payload);
      counters.received += payload;
      contents.push_back(std::move(arrived.contents));
    }
    counters_.peak_receive_buffer = std::max(counters_.peak_receive_buffer, counters.received);
    longest_stage_ = std::max(longest_stage_, stage_messages->long_bytes());
    streams_.set_messages(context_.ranks(), contents);
    arrived_ = std::move(stage_messages);
  }

  void run_last(std::size_t stage) {
    const std::vector<Arrival> arrivals =
        arrivals_at(*schedule_.algorithm, context_.rank(), receive_.bytes);
    pack(stage, false);

    ExactMessages stage_messages(context_.comm(), tag_);
    LastMessages messages(receive_);
    std::byte* staging = context_.scratch.staged.provide(count_received(stage, arrivals));
    auto departure = departures_.begin();
    const std::vector<Step>& steps = schedule_.steps[stage];
    for (std::size_t index = 0; index < steps.size(); ++index) {
      const Step& step = steps[index];
      ExactStep exact;
      const bool comes = step.from != kNoRank && step.from != context_.rank();
      const Arrival* arrival = comes ? find_arrival(arrivals, step.from) : nullptr;
      if (step.to == context_.rank()) {
        land_own(find_arrival(arrivals, step.to), *departure);
      } else if (step.to != kNoRank && node_.shares_with(step.to)) {
        node_.tell(step.to, departure->data, departure->bytes);
      } else if (step.to != kNoRank) {
        exact.out = {step.to, departure->data, departure->bytes};
      }
      if (step.to != kNoRank) ++departure;
      std::byte* const at = messages.expect(arrival, staging);
      if (arrival != nullptr && node_.shares_with(step.from)) {
        node_.expect(step.from, index);
      } else if (arrival != nullptr) {
        exact.in = {step.from, at, arrival->payload};
      }
      stage_messages.steps().push_back(exact);
    }
    stage_messages.on_arrival = [&](std::size_t step) { messages.land(step); };
    run_stage(stage, stage_messages, messages);
  }

  /// Counts the messages of the last stage; returns how many bytes of them have to be received
  /// elsewhere and copied into place.
  [[nodiscard]] Bytes count_received(std::size_t stage, const std::vector<Arrival>& arrivals) {
    StageCounters& counters = counters_.stages[stage];
    Bytes staged = 0;
    for (const Arrival& arrival : arrivals) {
      ++counters.messages_received;
      counters.longest_received = std::max(counters.longest_received, arrival.payload);
      counters.received += arrival.payload;
      if (arrival.from != context_.rank() && sole_landing(arrival, receive_) == nullptr) {
        staged += arrival.payload;
      }
    }
    counters_.peak_receive_buffer = std::max(counters_.peak_receive_buffer, staged);
    return staged;
  }

  void land_own(const Arrival* arrival, const Departure& departure) const {
    expect_own_block(context_.rank(), departure.bytes, arrival == nullptr ? 0 : arrival->payload);
    if (arrival != nullptr) run_copies(landing_copies(*arrival, departure.data, receive_));
  }

  void gather(const Outgoing& message, std::byte* to) const {
    charge_copies(message.payload);
    for (const Range& range : message.ranges) {
      move_bytes(to, places_[range.place] + range.offset, range.length);
      to += range.length;
    }
  }

  void pack(std::size_t stage, bool label) {
    const std::size_t buffer = options_.mode == Mode::dual_buffer ? stage % 2 : 0;
    sort_out(*schedule_.algorithm, static_cast<int>(stage), context_.rank(), streams_,
             schedule_.steps[stage], outgoing_);
    wait_for_sends(buffer);

    // A message without label that lies in one piece leaves from where it is.
    auto in_place = [&](const Outgoing& message) {
      return message.ranges.size() <= 1 &&
             (!label || (message.to == context_.rank() && stage == 0));
    };
    StageCounters& counters = counters_.stages[stage];
    Bytes packed = 0;
    Bytes own = 0;
    for (const Outgoing& message : outgoing_) {
      if (label || message.payload > 0) ++counters.messages_sent;
      if (in_place(message)) continue;
      if (message.to == context_.rank()) {
        own += message.payload;
      } else {
        packed += message.payload;
        if (label) counters.metadata_sent += label_bytes(message);
      }
    }
    std::byte* to = context_.scratch.send[buffer].provide(packed + counters.metadata_sent);
    std::byte* to_self = context_.scratch.self[stage % 2].provide(own);

    departures_.clear();
    for (const Outgoing& message : outgoing_) {
      Departure departure{message.to, nullptr, message.payload};
      if (in_place(message)) {
        if (!message.ranges.empty()) {
          departure.data = places_[message.ranges[0].place] + message.ranges[0].offset;
        }
      } else if (message.to == context_.rank()) {
        departure.data = to_self;
        gather(message, to_self);
      } else {
        departure.data = to;
        const Bytes label_here = label ? label_bytes(message) : 0;
        if (label) write_label(message, message.payload, to);
        gather(message, to + label_here);
        departure.bytes += label_here;
        to += departure.bytes;
      }
      departures_.push_back(departure);
    }
    counters_.peak_send_buffer = std::max(counters_.peak_send_buffer, packed + own);
  }

  void run_stage(std::size_t stage, StageMessages& stage_messages, SharedInbox& inbox) {
    const std::size_t steps = schedule_.steps[stage].size();
    if (options_.mode == Mode::blocking) {
      run_blocking(steps, stage_messages, context_, schedule_.turns[stage], tag_);
      return;
    }
    const bool last = stage + 1 == schedule_.steps.size();
    const bool leave_sends = options_.mode == Mode::dual_buffer && !last;
    const Window window = within_limits(options_.window, *schedule_.algorithm);
    runner_.begin(steps, window, stage_messages, leave_sends);
    node_.begin_stage();
    node_.run_stage(runner_, inbox);
    if (leave_sends) runner_.take_sends(sends_[stage % 2]);
  }

  void wait_for_sends(std::size_t buffer) {
    context_.progress.complete(sends_[buffer]);
    sends_[buffer].clear();
  }

  Context& context_;
  const Schedule& schedule_;
  const Options& options_;
  Bytes head_bytes_;
  const SendBlocks& send_;
  const ReceiveBlocks& receive_;
  int tag_;
  NodeStages node_;

  Streams streams_;
  std::vector<const std::byte*> places_;  ///< where the ranges of the streams lie
  std::vector<Outgoing> outgoing_;
  std::vector<Departure> departures_;
  Bytes longest_stage_ = 0;                    ///< the most bytes of messages longer than a head
  std::unique_ptr<LabelledMessages> arrived_;  ///< the last stage's messages, until they are packed
  StageRunner runner_;
  std::vector<MPI_Request> sends_[2];  ///< by send buffer: what still leaves from it
  Counters counters_;
};

}  // namespace

Counters run_exchange(Context& context, const Schedule& schedule, const Options& options,
                      Bytes head_bytes, const SendBlocks& send, const ReceiveBlocks& receive) {
  if (schedule.steps.size() == 1) {
    return exchange_directly(context, schedule, options, send, receive);
  }
  return BlockExchange(context, schedule, options, head_bytes, send, receive).run();
}

}  // namespace shunt
