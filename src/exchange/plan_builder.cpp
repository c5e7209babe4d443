#include "exchange/plan_builder.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "exchange/arrivals.hpp"
#include "exchange/block_stage.hpp"
#include "exchange/mpi_call.hpp"

namespace shunt {

namespace {

/// One stage while only lengths are known.
struct Draft {
  std::vector<Outgoing> outgoing;  ///< by step that sends
  std::vector<Rank> senders;       ///< ascending: the places of the next stage's ranges
  std::vector<Bytes> received;     ///< by sender
};

class PlanBuilder {
 public:
  PlanBuilder(std::shared_ptr<YardState> yard, const Schedule& schedule, const Options& options,
              const SendBlocks& send, const ReceiveBlocks& receive)
      : yard_(yard),
        schedule_(schedule),
        algorithm_(*schedule.algorithm),
        options_(options),
        send_(send),
        receive_(receive),
        tag_(yard->draw_tag()),
        plan_(std::make_unique<PlanRun>(yard, options)) {}

  std::unique_ptr<PlanRun> build() {
    draft();
    count();
    provide_buffers();
    for (std::size_t stage = 0; stage < drafts_.size(); ++stage) lay_out(stage);
    for (std::size_t stage = 0; stage < drafts_.size(); ++stage) add_copies(stage);
    for (const auto& stage : plan_->stages) {
      stage->cargo.set_prompt(copies_long_arrivals(*stage));
      stage->cargo.prepare();
    }
    return std::move(plan_);
  }

 private:
  static std::size_t index(int stage) { return static_cast<std::size_t>(stage); }
  [[nodiscard]] bool is_last(std::size_t stage) const { return stage + 1 == drafts_.size(); }
  [[nodiscard]] const std::vector<Step>& steps(std::size_t stage) const {
    return schedule_.steps[stage];
  }

  /// A message of the first stage that is one piece of the user's memory leaves from there.
  [[nodiscard]] static bool in_place(std::size_t stage, const Outgoing& message) {
    return stage == 0 && message.ranges.size() == 1;
  }

  void draft() {
    drafts_.resize(index(algorithm_.stages()));
    Streams streams;
    streams.set_blocks(send_.bytes);
    for (std::size_t stage = 0; stage < drafts_.size(); ++stage) {
      Draft& draft = drafts_[stage];
      sort_out(algorithm_, static_cast<int>(stage), yard_->rank(), streams, steps(stage),
               draft.outgoing);
      if (is_last(stage)) break;
      const std::vector<Contents> contents = exchange_contents(stage);
      for (const Contents& received : contents) {
        Bytes payload = 0;
        for (const Entry& entry : received) payload += entry.length;
        draft.received.push_back(payload);
      }
      streams.set_messages(yard_->ranks(), contents);
    }
    arrivals_ = arrivals_at(algorithm_, yard_->rank(), receive_.bytes);
    for (const Arrival& arrival : arrivals_) {
      drafts_.back().senders.push_back(arrival.from);
      drafts_.back().received.push_back(arrival.payload);
    }
  }

  /// Tells every receiver of `stage` what its message will hold; returns what this rank is told.
  std::vector<Contents> exchange_contents(std::size_t stage) {
    Draft& draft = drafts_[stage];
    ByteBuffer labels;
    ByteBuffer heads;
    LabelledCargo cargo(
        *yard_, steps(stage), tag_, kContentsHeadBytes, false,
        heads.provide(static_cast<Bytes>(steps(stage).size()) * kContentsHeadBytes));
    Bytes total = 0;
    for (const Outgoing& message : draft.outgoing) total += label_bytes(message);
    std::byte* to = labels.provide(total);
    std::vector<Departure> departures;
    for (const Outgoing& message : draft.outgoing) {
      write_label(message, 0, to);
      departures.push_back({message.to, to, label_bytes(message)});
      to += label_bytes(message);
    }
    cargo.set_departures(std::move(departures));
    StageRunner runner;
    runner.begin(steps(stage).size(), options_.window, cargo, false);
    while (!runner.advance(true)) {
    }
    std::vector<Contents> contents;
    for (Arrived& arrived : cargo.arrived()) {
      draft.senders.push_back(arrived.from);
      if (arrived.from == yard_->rank()) {
        for (const Outgoing& message : draft.outgoing) {
          if (message.to == yard_->rank()) arrived.contents = message.contents;
        }
      }
      contents.push_back(std::move(arrived.contents));
    }
    return contents;
  }

  void count() {
    for (std::size_t stage = 0; stage < drafts_.size(); ++stage) {
      const Draft& draft = drafts_[stage];
      StageCounters counters;
      for (const Bytes payload : draft.received) {
        if (payload == 0) continue;
        ++counters.messages_received;
        counters.longest_received = std::max(counters.longest_received, payload);
        counters.received += payload;
      }
      for (const Outgoing& message : draft.outgoing) {
        if (message.payload > 0) ++counters.messages_sent;
      }
      plan_->counters.stages.push_back(counters);
    }
  }

  void provide_buffers() {
    Bytes sent = 0;
    Bytes own = 0;
    Bytes received = 0;
    for (std::size_t stage = 0; stage < drafts_.size(); ++stage) {
      Bytes sent_here = 0;
      Bytes own_here = 0;
      for (const Outgoing& message : drafts_[stage].outgoing) {
        if (in_place(stage, message)) continue;
        (message.to == yard_->rank() ? own_here : sent_here) += message.payload;
      }
      Bytes received_here = 0;
      for (std::size_t i = 0; i < drafts_[stage].senders.size(); ++i) {
        if (drafts_[stage].senders[i] == yard_->rank()) continue;
        if (is_last(stage) && sole_landing(arrivals_[i], receive_) != nullptr) continue;
        received_here += drafts_[stage].received[i];
      }
      sent = std::max(sent, sent_here);
      own = std::max(own, own_here);
      received = std::max(received, received_here);
      Counters& counters = plan_->counters;
      counters.peak_send_buffer = std::max(counters.peak_send_buffer, sent_here + own_here);
      counters.peak_receive_buffer =
          std::max(counters.peak_receive_buffer, received_here + own_here);
    }
    PlanBuffers& buffers = plan_->buffers;
    buffers.send[0].provide(sent);
    if (options_.mode == Mode::dual_buffer) buffers.send[1].provide(sent);
    buffers.receive.provide(received);
    buffers.self[0].provide(own);
    buffers.self[1].provide(own);
  }

  /// Gives every message of `stage` its place in memory.
  void lay_out(std::size_t stage) {
    plan_->stages.push_back(std::make_unique<PlanStage>(yard_->comm(), tag_));
    PlanStage& planned = *plan_->stages.back();
    PlanBuffers& buffers = plan_->buffers;
    const std::size_t send_buffer = options_.mode == Mode::dual_buffer ? stage % 2 : 0;
    std::byte* to = buffers.send[send_buffer].provide(0);
    std::byte* in = buffers.receive.provide(0);
    std::size_t sends = 0;
    out_at_.emplace_back();
    in_at_.emplace_back(drafts_[stage].senders.size(), nullptr);
    step_of_.emplace_back(drafts_[stage].senders.size(), 0);
    for (std::size_t i = 0; i < steps(stage).size(); ++i) {
      const Step& step = steps(stage)[i];
      ExactStep exact;
      if (step.to != kNoRank) {
        const Outgoing& message = drafts_[stage].outgoing[sends++];
        const bool own = step.to == yard_->rank();
        const std::byte* at = nullptr;
        if (in_place(stage, message)) {
          at = send_.block(message.ranges[0].place) + message.ranges[0].offset;
        } else if (own) {
          at = buffers.self[stage % 2].provide(0);
        } else {
          at = to;
          to += message.payload;
        }
        out_at_.back().push_back(at);
        if (own) {
          own_at_ = at;
          own_bytes_ = message.payload;
        } else {
          exact.to = step.to;
          exact.send = at;
          exact.send_bytes = message.payload;
        }
      }
      if (step.from != kNoRank) in = lay_out_receive(stage, i, in, exact);
      planned.cargo.steps().push_back(exact);
    }
    place_own(stage);
    planned.copies.resize(steps(stage).size());
    planned.cargo.on_arrival = [plan = plan_.get(), stage](std::size_t step) {
      plan->on_arrival(stage, step);
    };
  }

  /// Returns where the next message is to be received.
  std::byte* lay_out_receive(std::size_t stage, std::size_t step, std::byte* in, ExactStep& exact) {
    const Rank from = steps(stage)[step].from;
    const std::vector<Rank>& senders = drafts_[stage].senders;
    const auto found = std::ranges::lower_bound(senders, from);
    if (found == senders.end() || *found != from) return in;
    const auto place = static_cast<std::size_t>(found - senders.begin());
    step_of_.back()[place] = step;
    if (from == yard_->rank()) return in;
    exact.from = from;
    exact.receive_bytes = drafts_[stage].received[place];
    if (is_last(stage)) exact.receive = sole_landing(arrivals_[place], receive_);
    if (exact.receive == nullptr) {
      exact.receive = in;
      in += exact.receive_bytes;
    }
    in_at_.back()[place] = exact.receive;
    return in;
  }

  /// The message to oneself is received where it was packed.
  void place_own(std::size_t stage) {
    const std::vector<Rank>& senders = drafts_[stage].senders;
    const auto found = std::ranges::lower_bound(senders, yard_->rank());
    const bool expected = found != senders.end() && *found == yard_->rank();
    const auto place = static_cast<std::size_t>(found - senders.begin());
    if (is_last(stage)) {
      const Bytes bytes = expected ? drafts_[stage].received[place] : 0;
      if (bytes != own_bytes_) {
        throw Error(ErrorKind::truncated,
                    fmt::format("rank {} sends itself {} bytes and expects {}", yard_->rank(),
                                own_bytes_, bytes));
      }
    }
    if (expected) in_at_.back()[place] = own_at_;
    own_bytes_ = 0;
  }

  /// The copies that fill the messages of `stage`, each kept with the message it copies from, and
  /// after the last stage those into the user's memory.
  void add_copies(std::size_t stage) {
    for (std::size_t k = 0; k < drafts_[stage].outgoing.size(); ++k) {
      const Outgoing& message = drafts_[stage].outgoing[k];
      if (in_place(stage, message)) continue;
      // The address was handed out as that of a message to be sent; only its owner writes to it.
      auto* to = const_cast<std::byte*>(out_at_[stage][k]);
      for (const Range& range : message.ranges) {
        if (stage == 0) {
          append_copy(plan_->first_copies,
                      {send_.block(range.place) + range.offset, to, range.length});
        } else {
          append_copy(copies_of(stage - 1, range.place),
                      {in_at_[stage - 1][range.place] + range.offset, to, range.length});
        }
        to += range.length;
      }
    }
    if (!is_last(stage)) return;
    for (std::size_t place = 0; place < arrivals_.size(); ++place) {
      const std::byte* at = in_at_[stage][place];
      if (at == sole_landing(arrivals_[place], receive_)) continue;
      copies_of(stage, place) = landing_copies(arrivals_[place], at, receive_);
    }
  }

  [[nodiscard]] static bool copies_long_arrivals(const PlanStage& stage) {
    for (std::size_t step = 0; step < stage.copies.size(); ++step) {
      if (!stage.copies[step].empty() && stage.cargo.steps()[step].receive_bytes >= kLongArrival) {
        return true;
      }
    }
    return false;
  }

  std::vector<Copy>& copies_of(std::size_t stage, std::size_t place) {
    PlanStage& planned = *plan_->stages[stage];
    if (drafts_[stage].senders[place] == yard_->rank()) return planned.own_copies;
    return planned.copies[step_of_[stage][place]];
  }

  static constexpr Bytes kContentsHeadBytes = 1024;
  /// Bytes from which copying a message takes longer than waiting for it separately.
  static constexpr Bytes kLongArrival = 16384;

  std::shared_ptr<YardState> yard_;
  const Schedule& schedule_;
  const Algorithm& algorithm_;
  Options options_;
  const SendBlocks& send_;
  const ReceiveBlocks& receive_;
  int tag_;
  std::unique_ptr<PlanRun> plan_;

  std::vector<Draft> drafts_;
  std::vector<Arrival> arrivals_;
  std::vector<std::vector<const std::byte*>> out_at_;  ///< by stage and message sent
  std::vector<std::vector<const std::byte*>> in_at_;   ///< by stage and sender
  std::vector<std::vector<std::size_t>> step_of_;      ///< by stage and sender
  const std::byte* own_at_ = nullptr;
  Bytes own_bytes_ = 0;
};

}  // namespace

std::unique_ptr<PlanRun> build_plan(std::shared_ptr<YardState> yard, const Schedule& schedule,
                                    const Options& options, const SendBlocks& send,
                                    const ReceiveBlocks& receive) {
  return PlanBuilder(std::move(yard), schedule, options, send, receive).build();
}

}  // namespace shunt
