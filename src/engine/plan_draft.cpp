#include "engine/plan_draft.hpp"

#include <algorithm>

#include "engine/block_stage.hpp"
#include "engine/stage_runner.hpp"

namespace shunt {

namespace {

/// Bytes of a table of contents that travel in one packet.
constexpr Bytes kContentsHeadBytes = 1024;

/// The labels of all messages of a stage, one after the other in `memory`.
std::vector<Departure> write_labels(const std::vector<Outgoing>& messages, ByteBuffer& memory) {
  Bytes total = 0;
  for (const Outgoing& message : messages) total += label_bytes(message);
  std::byte* to = memory.provide(total);
  std::vector<Departure> departures;
  for (const Outgoing& message : messages) {
    write_label(message, 0, to);
    departures.push_back({message.to, to, label_bytes(message)});
    to += label_bytes(message);
  }
  return departures;
}

/// Tells every receiver what its message will hold, and enters into `stage` what this rank is told;
/// returns the contents of the messages, senders ascending.
std::vector<Contents> exchange_contents(const Context& context, const std::vector<Step>& steps,
                                        const Options& options, int tag, StageDraft& stage) {
  ByteBuffer labels;
  ByteBuffer heads;
  LabelledMessages stage_messages(
      context, steps, tag, kContentsHeadBytes, false,
      heads.provide(static_cast<Bytes>(steps.size()) * kContentsHeadBytes));
  stage_messages.set_departures(write_labels(stage.outgoing, labels));
  StageRunner runner;
  runner.begin(steps.size(), options.window, stage_messages, false);
  context.progress.advance_to_end([&](bool wait) { return runner.advance(wait); });
  std::vector<Contents> contents;
  for (Arrived& arrived : stage_messages.arrived()) {
    if (arrived.from == context.rank()) {
      const auto own = std::ranges::find(stage.outgoing, context.rank(), &Outgoing::to);
      arrived.contents = own->contents;
    }
    stage.senders.push_back(arrived.from);
    stage.received.push_back(payload_of(arrived.contents));
    contents.push_back(std::move(arrived.contents));
  }
  return contents;
}

}  // namespace

PlanDraft draft_plan(const Context& context, const Schedule& schedule, const Options& options,
                     int tag, const SendBlocks& send, const ReceiveBlocks& receive) {
  const Algorithm& algorithm = *schedule.algorithm;
  PlanDraft draft;
  draft.stages.resize(schedule.steps.size());
  Streams streams;
  streams.set_blocks(send.bytes);
  for (std::size_t index = 0; index < draft.stages.size(); ++index) {
    StageDraft& stage = draft.stages[index];
    const std::vector<Step>& steps = schedule.steps[index];
    sort_out(algorithm, static_cast<int>(index), context.rank(), streams, steps, stage.outgoing);
    if (draft.is_last(index)) break;
    streams.set_messages(context.ranks(), exchange_contents(context, steps, options, tag, stage));
  }
  draft.arrivals = arrivals_at(algorithm, context.rank(), receive.bytes);
  for (const Arrival& arrival : draft.arrivals) {
    draft.stages.back().senders.push_back(arrival.from);
    draft.stages.back().received.push_back(arrival.payload);
  }
  return draft;
}

std::vector<StageCounters> count_messages(const PlanDraft& draft) {
  std::vector<StageCounters> stages;
  for (const StageDraft& stage : draft.stages) {
    StageCounters counters;
    for (const Bytes payload : stage.received) {
      if (payload == 0) continue;
      ++counters.messages_received;
      counters.longest_received = std::max(counters.longest_received, payload);
      counters.received += payload;
    }
    for (const Outgoing& message : stage.outgoing) {
      if (message.payload > 0) ++counters.messages_sent;
    }
    stages.push_back(counters);
  }
  return stages;
}

}  // namespace shunt
