#include "bindings/limited_broadcasts.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "bindings/broadcast_calls.hpp"
#include "exchange/parted_exchange.hpp"
#include "model/way_text.hpp"
#include "planner/broadcast_choice.hpp"
#include "planner/memory_limit.hpp"
#include "planner/one_shot.hpp"

namespace shunt {

namespace {

BroadcastBlocks broadcast_of(const BlockParts& sides, std::size_t own) {
  return {sides.to_send().span(own), sides.to_receive()};
}

PlanChoice choose_broadcast_within(const std::shared_ptr<YardState>& yard, const Options& options,
                                   const AgreedParts& agreed, const BlockParts& sides,
                                   std::size_t own) {
  Options left = options;
  left.memory -= agreed.packing(agreed.traffic);
  if (left.memory > 0) return choose_broadcast_plan(yard, left, broadcast_of(sides, own));
  // There is no room for trials, which alone look at more than lengths.
  left.memory = 1;
  return choose_broadcast_plan(yard, left, {{}, {nullptr, sides.received(), sides.received()}});
}

PlannedBlocks plan_broadcast_within(const std::shared_ptr<YardState>& yard, const Options& options,
                                    std::unique_ptr<BlockParts> sides, std::size_t own) {
  PlannedBlocks planned{options, {}, {}, nullptr};
  const AgreedParts agreed = agree_on(*yard, *sides);
  if (options.algorithm == kAuto) {
    planned.choice = choose_broadcast_within(yard, options, agreed, *sides, own);
    planned.options = read_way(planned.choice.algorithm, options);
  }
  const Parts divided = divide(*yard, options, agreed, planned.options.algorithm, nullptr).parts;
  sides->divide(divided);
  std::vector<std::unique_ptr<PlannedExchange>> exchanges;
  for (Bytes index = 0; index < divided.count; ++index) {
    sides->take(index);
    PlannedBlocks part = plan_broadcast(yard, planned.options, broadcast_of(*sides, own));
    if (index == 0) planned.stage_names = std::move(part.stage_names);
    exchanges.push_back(std::move(part.exchange));
  }
  planned.parts = divided.count;
  planned.exchange = std::make_unique<PartedExchange>(yard, std::move(sides), std::move(exchanges));
  return planned;
}

}  // namespace

Counters broadcast_sides(const std::shared_ptr<YardState>& yard, const Options& options,
                         BlockParts& sides, std::size_t own) {
  Parts divided;
  if (options.memory != 0) {
    if (options.algorithm == kAuto) {
      OneShot choice(*yard, options, NativeCall::not_blocking, sides.received());
      return choice.make(
          [&](const Options& chosen) { return broadcast_sides(yard, chosen, sides, own); });
    }
    const AgreedParts agreed = agree_on(*yard, sides);
    if (options.algorithm == kNative && !agreed.fit_ints) {
      // Copies of blocks that lie far apart have no limit.
      Options direct = options;
      direct.algorithm = kDirectBroadcast;
      return broadcast_sides(yard, direct, sides, own);
    }
    divided = divide(*yard, options, agreed, options.algorithm, nullptr).parts;
    sides.divide(divided);
  }
  Counters all;
  for (Bytes index = 0; index < divided.count; ++index) {
    sides.take(index);
    sides.pack();
    add_part(all, broadcast_blocks(yard, options, broadcast_of(sides, own)));
    sides.unpack();
  }
  all.memory += sides.memory();
  return all;
}

std::unique_ptr<Plan::Implementation> plan_broadcast_sides(const std::shared_ptr<YardState>& yard,
                                                           const Options& options,
                                                           std::unique_ptr<BlockParts> sides,
                                                           std::size_t own) {
  if (options.memory != 0) {
    return std::make_unique<Plan::Implementation>(
        yard, plan_broadcast_within(yard, options, std::move(sides), own));
  }
  PlannedBlocks planned = plan_broadcast(yard, options, broadcast_of(*sides, own));
  planned.exchange->counters.memory += sides->memory();
  return std::make_unique<Plan::Implementation>(
      yard, std::make_unique<WholePacking>(std::move(sides)), std::move(planned));
}

}  // namespace shunt
