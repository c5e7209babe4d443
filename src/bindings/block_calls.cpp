#include "bindings/block_calls.hpp"

#include <fmt/format.h>

#include "exchange/native_call.hpp"
#include "exchange/run_exchange.hpp"
#include "model/way_text.hpp"
#include "planner/learning_plan.hpp"
#include "planner/one_shot.hpp"
#include "shunt/error.hpp"

namespace shunt {

void expect_carried(YardState& yard, const Schedule& schedule, const std::vector<Bytes>& sent,
                    const std::vector<Bytes>& received) {
  if (schedule.carries_all) return;
  const Algorithm& algorithm = *schedule.algorithm;
  auto check = [&](Rank source, Rank destination, Bytes bytes) {
    if (bytes == 0 || algorithm.carries(source, destination)) return;
    throw Error(ErrorKind::argument,
                fmt::format("rank {} has {} bytes for rank {}, a pair that algorithm {} does not "
                            "carry",
                            source, bytes, destination, algorithm.name()));
  };
  for (Rank peer = 0; peer < yard.ranks(); ++peer) {
    check(yard.rank(), peer, sent[static_cast<std::size_t>(peer)]);
    check(peer, yard.rank(), received[static_cast<std::size_t>(peer)]);
  }
}

const Schedule& one_shot_schedule(YardState& yard, const Options& options) {
  return yard.schedule(options.algorithm == kAuto ? kStraight : options.algorithm, options);
}

const Schedule* named_schedule(YardState& yard, const Options& options) {
  if (options.algorithm == kAuto || options.algorithm == kNative) return nullptr;
  return &yard.schedule(options.algorithm, options);
}

Counters exchange_blocks(const std::shared_ptr<YardState>& yard, const Options& options,
                         Bytes head_bytes, const SendBlocks& send, const ReceiveBlocks& receive) {
  if (options.algorithm == kAuto) {
    OneShot choice(*yard, options, NativeCall::not_blocking,
                   [&] { return call_traffic_of(send.bytes, receive.bytes, yard->rank()); });
    return choice.make([&](const Options& chosen) {
      return exchange_blocks(yard, chosen, head_bytes, send, receive);
    });
  }
  if (options.algorithm == kNative) return call_alltoallv(*yard, send, receive);
  const Schedule& schedule = yard->schedule(options.algorithm, options);
  expect_carried(*yard, schedule, send.bytes, receive.bytes);
  return run_exchange(*yard, schedule, options, head_bytes, send, receive);
}

PlannedBlocks plan_blocks(const std::shared_ptr<YardState>& yard, const Options& options,
                          const SendBlocks& send, const ReceiveBlocks& receive,
                          std::shared_ptr<PlanBuffers> buffers) {
  PlannedBlocks planned{options, {}, {}, nullptr};
  if (options.algorithm == kAuto) {
    planned.choice = choose_plan(yard, options, send, receive);
    planned.options = read_way(planned.choice.algorithm, options);
  }
  if (planned.options.algorithm != kNative) {
    const Schedule& schedule = yard->schedule(planned.options.algorithm, planned.options);
    expect_carried(*yard, schedule, send.bytes, receive.bytes);
    planned.stage_names = stage_names_of(*schedule.algorithm);
  }
  if (buffers == nullptr && LearningPlan::can_learn(planned.choice, options)) {
    planned.exchange =
        std::make_unique<LearningPlan>(yard, planned.choice, [&](const std::string& way) {
          return make_plan(yard, read_way(way, options), send, receive);
        });
  } else {
    planned.exchange = make_plan(yard, planned.options, send, receive, std::move(buffers));
  }
  return planned;
}

}  // namespace shunt
