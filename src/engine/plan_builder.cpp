#include "engine/plan_builder.hpp"

#include <algorithm>
#include <optional>

#include "engine/arrivals.hpp"
#include "engine/plan_channel.hpp"
#include "engine/plan_draft.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt {

namespace {

/// Whether copying one of its messages takes longer than waiting for it separately.
bool copies_long_arrivals(PlanStage& stage) {
  constexpr Bytes kLong = 16384;
  const std::vector<ExactStep>& steps = stage.stage_messages.steps();
  for (std::size_t step = 0; step < steps.size(); ++step) {
    if (!stage.copies[step].empty() && steps[step].in.bytes >= kLong) return true;
  }
  return false;
}

class PlanBuilder {
 public:
  PlanBuilder(const std::shared_ptr<Context>& context, const Schedule& schedule,
              const Options& options, const SendBlocks& send, const ReceiveBlocks& receive,
              std::shared_ptr<PlanBuffers> buffers)
      : context_(context),
        schedule_(schedule),
        options_(options),
        send_(send),
        receive_(receive),
        send_stores_(stores_for(total_bytes(send.bytes))),
        receive_stores_(stores_for(total_bytes(receive.bytes))),
        tag_(context->draw_tag()),
        plan_(std::make_unique<PlanRun>(context, options, std::move(buffers))) {}

  std::unique_ptr<PlanRun> build() {
    draft_ = draft_plan(*context_, schedule_, options_, tag_, send_, receive_);
    if (shares_messages(options_, context_->node())) {
      auto channel = std::make_unique<PlanChannel>(context_, schedule_.steps, draft_, options_);
      if (channel->is_shared()) {
        channel_ = channel.get();
        plan_->counters.peak_shared = channel_->payload();
        plan_->channel = std::move(channel);
      }
    }
    plan_->counters.stages = count_messages(draft_);
    provide_buffers();
    for (std::size_t stage = 0; stage < draft_.stages.size(); ++stage) lay_out(stage);
    for (std::size_t stage = 0; stage < draft_.stages.size(); ++stage) add_copies(stage);
    for (std::size_t stage = 0; stage < copies_.size(); ++stage) {
      plan_->stages[stage]->copies = CopyLists(copies_[stage]);
    }
    for (const auto& stage : plan_->stages) {
      stage->stage_messages.set_prompt(copies_long_arrivals(*stage));
      if (options_.packet > 0 && options_.mode != Mode::blocking) {
        stage->stage_messages.cut(options_.packet, stage->turns, context_->rank());
      }
      stage->stage_messages.prepare();
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] bool is_last(std::size_t stage) const { return draft_.is_last(stage); }
  [[nodiscard]] const std::vector<Step>& steps(std::size_t stage) const {
    return schedule_.steps[stage];
  }

  using Place = PlanChannel::Place;

  /// Where the k-th outgoing message of `stage` is packed if it goes through shared memory.
  [[nodiscard]] std::optional<Place> shared_at(std::size_t stage, std::size_t k) const {
    return channel_ != nullptr ? channel_->packed_at(stage, k) : std::nullopt;
  }

  /// The message that comes from `from` in `stage` through shared memory, or null.
  [[nodiscard]] PlanChannel::Arrival* shared_from(std::size_t stage, Rank from) const {
    if (channel_ == nullptr) return nullptr;
    std::vector<PlanChannel::Arrival>& arrivals = channel_->arrivals(stage);
    const auto found = std::ranges::find(arrivals, from, &PlanChannel::Arrival::from);
    return found == arrivals.end() ? nullptr : &*found;
  }

  /// A message of the first stage that is one piece of the user's memory leaves from there.
  [[nodiscard]] bool in_place(std::size_t stage, std::size_t k) const {
    return stage == 0 && draft_.stages[0].outgoing[k].ranges.size() == 1 && !shared_at(stage, k);
  }

  void provide_buffers() {
    Bytes sent = 0;
    Bytes own = 0;
    Bytes received = 0;
    for (std::size_t stage = 0; stage < draft_.stages.size(); ++stage) {
      Bytes sent_here = 0;
      Bytes own_here = 0;
      for (std::size_t k = 0; k < draft_.stages[stage].outgoing.size(); ++k) {
        const Outgoing& message = draft_.stages[stage].outgoing[k];
        if (in_place(stage, k) || shared_at(stage, k)) continue;
        (message.to == context_->rank() ? own_here : sent_here) += message.payload;
      }
      Bytes received_here = 0;
      for (std::size_t i = 0; i < draft_.stages[stage].senders.size(); ++i) {
        const Rank from = draft_.stages[stage].senders[i];
        if (from == context_->rank() || shared_from(stage, from) != nullptr) continue;
        if (is_last(stage) && sole_landing(draft_.arrivals[i], receive_) != nullptr) continue;
        received_here += draft_.stages[stage].received[i];
      }
      sent = std::max(sent, sent_here);
      own = std::max(own, own_here);
      received = std::max(received, received_here);
      Counters& counters = plan_->counters;
      counters.peak_send_buffer = std::max(counters.peak_send_buffer, sent_here + own_here);
      counters.peak_receive_buffer =
          std::max(counters.peak_receive_buffer, received_here + own_here);
    }
    plan_->buffers->provide(options_.mode, sent, received, own);
    plan_->counters.memory = plan_->buffers->capacity();
  }

  /// Gives every message of `stage` its place in memory.
  void lay_out(std::size_t stage) {
    plan_->stages.push_back(std::make_unique<PlanStage>(context_->comm(), tag_));
    PlanStage& planned = *plan_->stages.back();
    planned.turns = schedule_.turns[stage];
    const std::size_t send_buffer = options_.mode == Mode::dual_buffer ? stage % 2 : 0;
    std::byte* out = plan_->buffers->send[send_buffer].provide(0);
    std::byte* in = plan_->buffers->receive.provide(0);
    packed_at_.emplace_back();
    in_at_.emplace_back(draft_.stages[stage].senders.size());
    step_of_.emplace_back(draft_.stages[stage].senders.size(), 0);
    own_at_ = nullptr;
    own_bytes_ = 0;
    std::size_t sends = 0;
    for (std::size_t i = 0; i < steps(stage).size(); ++i) {
      ExactStep exact;
      if (steps(stage)[i].to != kNoRank) out = lay_out_send(stage, sends++, out, exact);
      if (steps(stage)[i].from != kNoRank) in = lay_out_receive(stage, i, in, exact);
      planned.stage_messages.steps().push_back(exact);
    }
    place_own(stage);
    copies_.emplace_back(steps(stage).size());
    planned.stage_messages.on_arrival = [plan = plan_.get(), stage](std::size_t step) {
      plan->on_arrival(stage, step);
    };
  }

  /// Returns where the next message is to be packed.
  std::byte* lay_out_send(std::size_t stage, std::size_t k, std::byte* out, ExactStep& exact) {
    const Outgoing& message = draft_.stages[stage].outgoing[k];
    if (const std::optional<Place> shared = shared_at(stage, k)) {
      packed_at_.back().push_back(*shared);
      return out;
    }
    const bool own = message.to == context_->rank();
    std::byte* packed = nullptr;
    if (!in_place(stage, k)) {
      packed = own ? plan_->buffers->self[stage % 2].provide(0) : out;
    }
    packed_at_.back().push_back({packed});
    const std::byte* at = packed != nullptr || message.ranges.empty()
                              ? packed
                              : send_.block(message.ranges[0].place) + message.ranges[0].offset;
    if (own) {
      own_at_ = at;
      own_bytes_ = message.payload;
      return out;
    }
    if (channel_ != nullptr && channel_->leaves_from_its_place(stage, k)) {
      channel_->send_from(k, at, send_stores_);
      return out;
    }
    exact.out = {message.to, at, message.payload};
    return packed == nullptr ? out : out + message.payload;
  }

  /// Returns where the next message is to be received.
  std::byte* lay_out_receive(std::size_t stage, std::size_t step, std::byte* in, ExactStep& exact) {
    const Rank from = steps(stage)[step].from;
    const std::vector<Rank>& senders = draft_.stages[stage].senders;
    const auto found = std::ranges::lower_bound(senders, from);
    if (found == senders.end() || *found != from) return in;
    const auto place = static_cast<std::size_t>(found - senders.begin());
    step_of_.back()[place] = step;
    if (from == context_->rank()) return in;
    if (PlanChannel::Arrival* shared = shared_from(stage, from)) {
      if (!shared->lies_whole()) {
        std::byte* const landing = sole_landing(draft_.arrivals[place], receive_);
        shared->landing = SharedLanding(landing, receive_stores_);
        in_at_.back()[place] = {landing};
        return in;
      }
      in_at_.back()[place] = {shared->place.at, shared->place.shift};
      return in;
    }
    exact.in = {from, nullptr, draft_.stages[stage].received[place]};
    if (is_last(stage)) exact.in.at = sole_landing(draft_.arrivals[place], receive_);
    if (exact.in.at == nullptr) {
      exact.in.at = in;
      in += exact.in.bytes;
    }
    in_at_.back()[place] = {exact.in.at};
    return in;
  }

  /// The message to oneself is received where it was packed.
  void place_own(std::size_t stage) {
    const std::vector<Rank>& senders = draft_.stages[stage].senders;
    const auto found = std::ranges::lower_bound(senders, context_->rank());
    const bool expected = found != senders.end() && *found == context_->rank();
    const auto place = static_cast<std::size_t>(found - senders.begin());
    if (is_last(stage)) {
      expect_own_block(context_->rank(), own_bytes_,
                       expected ? draft_.stages[stage].received[place] : 0);
    }
    if (expected) in_at_.back()[place] = {own_at_};
  }

  /// The copies that fill the messages of `stage`, each kept with the message it copies from, and
  /// after the last stage those into the user's memory.
  void add_copies(std::size_t stage) {
    for (std::size_t k = 0; k < draft_.stages[stage].outgoing.size(); ++k) {
      const Outgoing& message = draft_.stages[stage].outgoing[k];
      if (in_place(stage, k)) continue;
      auto [to, to_shift] = packed_at_[stage][k];
      for (const Range& range : message.ranges) {
        if (stage == 0) {
          append_copy(plan_->stages.front()->packing,
                      {send_.block(range.place) + range.offset, to, range.length, 0, to_shift});
        } else {
          const Source& in = in_at_[stage - 1][range.place];
          append_copy(copies_of(stage - 1, range.place),
                      {in.at + range.offset, to, range.length, in.shift, to_shift});
        }
        to += range.length;
      }
    }
    if (!is_last(stage)) return;
    for (std::size_t place = 0; place < draft_.arrivals.size(); ++place) {
      const Source& in = in_at_[stage][place];
      if (in.at == sole_landing(draft_.arrivals[place], receive_)) continue;
      std::vector<Copy>& copies = copies_of(stage, place);
      copies = landing_copies(draft_.arrivals[place], in.at, receive_);
      for (Copy& copy : copies) copy.from_shift = in.shift;
    }
  }

  std::vector<Copy>& copies_of(std::size_t stage, std::size_t place) {
    PlanStage& planned = *plan_->stages[stage];
    if (draft_.stages[stage].senders[place] == context_->rank()) return planned.own_copies;
    return copies_[stage][step_of_[stage][place]];
  }

  std::shared_ptr<Context> context_;
  const Schedule& schedule_;
  Options options_;
  const SendBlocks& send_;
  const ReceiveBlocks& receive_;
  Stores send_stores_;
  Stores receive_stores_;
  int tag_;
  std::unique_ptr<PlanRun> plan_;
  PlanChannel* channel_ = nullptr;  ///< of the plan; null: all messages go through MPI

  PlanDraft draft_;
  /// Where a message lies in even executions, and how much further in odd ones.
  struct Source {
    const std::byte* at = nullptr;
    Bytes shift = 0;
  };

  /// By stage and message sent: where it is packed; null if it leaves from where it is.
  std::vector<std::vector<Place>> packed_at_;
  std::vector<std::vector<Source>> in_at_;         ///< by stage and sender
  std::vector<std::vector<std::size_t>> step_of_;  ///< by stage and sender
  /// By stage and step.
  std::vector<std::vector<std::vector<Copy>>> copies_;
  const std::byte* own_at_ = nullptr;  ///< the message to oneself, of this stage
  Bytes own_bytes_ = 0;
};

}  // namespace

std::unique_ptr<PlanRun> build_plan(const std::shared_ptr<Context>& context,
                                    const Schedule& schedule, const Options& options,
                                    const SendBlocks& send, const ReceiveBlocks& receive,
                                    std::shared_ptr<PlanBuffers> buffers) {
  return PlanBuilder(context, schedule, options, send, receive, std::move(buffers)).build();
}

}  // namespace shunt
