#include "engine/direct_exchange.hpp"

#include <algorithm>

#include "engine/copies.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt {

namespace {

/// Messages land in the user's memory.
class UserMemory final : public SharedInbox {
 public:
  UserMemory(const std::vector<Step>& steps, const ReceiveBlocks& receive)
      : steps_(steps), receive_(receive), stores_(stores_for(total_bytes(receive.bytes))) {}

  SharedLanding landing_for(std::size_t step, Bytes length) override {
    const Rank from = steps_[step].from;
    const auto block = static_cast<std::size_t>(from);
    if (length == receive_.bytes[block]) return SharedLanding(receive_.block(block), stores_);
    fault = wrong_length(from, receive_.bytes[block]);
    return {};
  }
  void arrived(std::size_t /*step*/) override {}

 private:
  const std::vector<Step>& steps_;
  const ReceiveBlocks& receive_;
  Stores stores_;
};

}  // namespace

DirectExchange::DirectExchange(Context& context, const Schedule& schedule, const Options& options,
                               const SendBlocks& send, const ReceiveBlocks& receive)
    : context_(context),
      schedule_(schedule),
      steps_(schedule.steps.front()),
      turns_(schedule.turns.front()),
      options_(options),
      send_(send),
      receive_(receive),
      tag_(context.draw_tag()),
      node_(context, options, 1) {}

Counters DirectExchange::run() {
  const std::size_t own = index_of(context_.rank());
  expect_own_block(context_.rank(), send_.bytes[own], receive_.bytes[own]);
  ExactMessages stage_messages(context_.comm(), tag_);
  add_messages(stage_messages);
  if (options_.mode == Mode::blocking) {
    copy_own();
    run_blocking(stage_messages.steps().size(), stage_messages, context_, turns_, tag_);
    return count();
  }
  return run_non_blocking(stage_messages);
}

Counters DirectExchange::count() const {
  Counters counters;
  StageCounters& counted = counters.stages.emplace_back();
  for (const Bytes bytes : send_.bytes) {
    if (bytes > 0) ++counted.messages_sent;
  }
  for (const Bytes bytes : receive_.bytes) {
    if (bytes == 0) continue;
    ++counted.messages_received;
    counted.longest_received = std::max(counted.longest_received, bytes);
    counted.received += bytes;
  }
  return counters;
}

void DirectExchange::copy_own() const {
  const auto own = static_cast<std::size_t>(context_.rank());
  copy_bytes(receive_.block(own), send_.block(own), send_.bytes[own]);
}

void DirectExchange::add_messages(ExactMessages& stage_messages) {
  const Stores stores = stores_for(total_bytes(send_.bytes));
  for (std::size_t index = 0; index < steps_.size(); ++index) {
    const Step& step = steps_[index];
    ExactStep exact;
    if (step.to != kNoRank && step.to != context_.rank()) {
      const auto to = static_cast<std::size_t>(step.to);
      if (node_.shares_with(step.to)) {
        node_.tell(step.to, send_.block(to), send_.bytes[to], stores);
      } else if (send_.bytes[to] > 0) {
        exact.to = step.to;
        exact.send = send_.block(to);
        exact.send_bytes = send_.bytes[to];
      }
    }
    if (step.from != kNoRank && step.from != context_.rank()) {
      const auto from = static_cast<std::size_t>(step.from);
      if (receive_.bytes[from] > 0 && node_.shares_with(step.from)) {
        node_.expect(step.from, index);
      } else if (receive_.bytes[from] > 0) {
        exact.from = step.from;
        exact.receive = receive_.block(from);
        exact.receive_bytes = receive_.bytes[from];
      }
    }
    const bool empty = exact.send_bytes == 0 && exact.receive_bytes == 0;
    if (!empty || !turns_.empty()) stage_messages.steps().push_back(exact);
  }
}

Counters DirectExchange::run_non_blocking(ExactMessages& stage_messages) {
  StageRunner runner;
  if (!stage_messages.steps().empty()) {
    Window window = options_.window;
    if (options_.packet > 0) {
      stage_messages.cut(options_.packet, turns_, context_.rank());
    } else {
      window = within_limits(window, *schedule_.algorithm);
    }
    runner.begin(stage_messages.size(), window, stage_messages, false);
  }
  node_.begin_stage();
  // What others need has left: the rest is done while their messages are on their way.
  copy_own();
  Counters counters = count();
  UserMemory memory(steps_, receive_);
  node_.run_stage(runner, memory);
  counters.peak_shared = node_.peak();
  return counters;
}

}  // namespace shunt
