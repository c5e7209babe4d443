// One-shot exchanges by algorithms of one stage.
#include <algorithm>

#include "engine/block_exchange.hpp"
#include "engine/copies.hpp"
#include "engine/exact_messages.hpp"
#include "engine/node_stages.hpp"
#include "engine/stage_runner.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "transport/shared_inbox.hpp"

namespace shunt {

namespace {

/// Messages of the node land in the user's memory.
class DirectExchange final : private SharedInbox {
 public:
  /// Everything referred to must outlive the exchange.
  DirectExchange(Context& context, const Schedule& schedule, const Options& options,
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

  Counters run() {
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

 private:
  void add_messages(ExactMessages& stage_messages) {
    const Stores stores = stores_for(total_bytes(send_.bytes));
    for (std::size_t index = 0; index < steps_.size(); ++index) {
      const Step& step = steps_[index];
      ExactStep exact;
      if (step.to != kNoRank && step.to != context_.rank()) {
        const auto to = static_cast<std::size_t>(step.to);
        if (node_.shares_with(step.to)) {
          node_.tell(step.to, send_.block(to), send_.bytes[to], stores);
        } else if (send_.bytes[to] > 0) {
          exact.out = {step.to, send_.block(to), send_.bytes[to]};
        }
      }
      if (step.from != kNoRank && step.from != context_.rank()) {
        const auto from = static_cast<std::size_t>(step.from);
        if (receive_.bytes[from] > 0 && node_.shares_with(step.from)) {
          node_.expect(step.from, index);
        } else if (receive_.bytes[from] > 0) {
          exact.in = {step.from, receive_.block(from), receive_.bytes[from]};
        }
      }
      const bool empty = exact.out.bytes == 0 && exact.in.bytes == 0;
      if (!empty || !turns_.empty()) stage_messages.steps().push_back(exact);
    }
  }

  Counters run_non_blocking(ExactMessages& stage_messages) {
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
    stores_ = stores_for(total_bytes(receive_.bytes));
    node_.run_stage(runner, *this);
    counters.peak_shared = node_.peak();
    return counters;
  }

  void copy_own() const {
    const auto own = static_cast<std::size_t>(context_.rank());
    copy_bytes(receive_.block(own), send_.block(own), send_.bytes[own]);
  }

  [[nodiscard]] Counters count() const {
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

  SharedLanding landing_for(std::size_t step, Bytes length) override {
    const Rank from = steps_[step].from;
    const auto block = static_cast<std::size_t>(from);
    if (length == receive_.bytes[block]) return SharedLanding(receive_.block(block), stores_);
    fault = wrong_length(from, receive_.bytes[block]);
    return {};
  }
  void arrived(std::size_t /*step*/) override {}

  Context& context_;
  const Schedule& schedule_;
  const std::vector<Step>& steps_;
  const std::vector<TokenTurn>& turns_;
  const Options& options_;
  const SendBlocks& send_;
  const ReceiveBlocks& receive_;
  int tag_;
  NodeStages node_;
  Stores stores_ = Stores::cached;  ///< how what arrives from the node is written
};

}  // namespace

Counters exchange_directly(Context& context, const Schedule& schedule, const Options& options,
                           const SendBlocks& send, const ReceiveBlocks& receive) {
  return DirectExchange(context, schedule, options, send, receive).run();
}

}  // namespace shunt
