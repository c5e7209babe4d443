#include "bindings/limited_calls.hpp"

#include <string>
#include <utility>
#include <vector>

#include "algorithms/memory_bound.hpp"
#include "exchange/block_exchange.hpp"
#include "exchange/parted_exchange.hpp"
#include "model/way_text.hpp"
#include "planner/memory_limit.hpp"
#include "planner/one_shot.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// The algorithm that `options` name, but with this grain.
const Algorithm& with_grain(YardState& yard, const Options& options, Bytes grain) {
  Options other = options;
  other.grain = grain;
  return *yard.schedule(options.algorithm, other).algorithm;
}

/// A choice by "auto": among what fits whole with its packing, or what needs no buffers.
PlanChoice choose_within(const std::shared_ptr<YardState>& yard, const Options& options,
                         const AgreedParts& agreed, const BlockParts& parts) {
  Options left = options;
  left.memory -= agreed.packing(agreed.traffic);
  if (left.memory <= 0) {
    PlanChoice straight;
    straight.algorithm = kStraight;
    straight.likely = {kStraight};
    return straight;
  }
  return choose_plan(yard, left, parts.to_send(), parts.to_receive());
}

/// Memory for the plans of all parts: those that were laid out first cannot be moved.
std::shared_ptr<PlanBuffers> room_for_parts(const Algorithm& algorithm, Rank rank, Mode mode,
                                            const TrafficBound& part) {
  const auto [messages, own] = stage_buffers(algorithm, rank, part);
  auto buffers = std::make_shared<PlanBuffers>();
  buffers->provide(mode, messages, messages, own);
  return buffers;
}

}  // namespace

Counters exchange_within(const std::shared_ptr<YardState>& yard, const Options& options,
                         Bytes head_bytes, BlockParts& parts) {
  if (options.algorithm == kAuto) {
    OneShot choice(*yard, options, NativeCall::not_blocking,
                   [&] { return call_traffic_of(parts, yard->rank()); });
    return choice.make(
        [&](const Options& chosen) { return exchange_within(yard, chosen, head_bytes, parts); });
  }
  const AgreedParts agreed = agree_on(*yard, parts);
  if (options.algorithm == kNative && !agreed.fit_ints) {
    // Copies of blocks that lie far apart have no limit.
    Options straight = options;
    straight.algorithm = kStraight;
    return exchange_within(yard, straight, head_bytes, parts);
  }
  std::string name = options.algorithm;
  Bytes head = head_bytes;
  BoundsWithGrain buffers;
  if (name != kNative) {
    const Algorithm& algorithm = with_grain(*yard, options, options.grain);
    name = algorithm.name();
    if (algorithm.stages() > 1) {
      head = head_within(algorithm, options.memory, head_bytes);
      buffers = [&](Bytes grain) -> BufferBound {
        return MemoryBound(with_grain(*yard, options, grain), yard->rank(), options.mode, head);
      };
    }
  }
  const Division division = divide(*yard, options, agreed, name, buffers);

  const TrafficBound part = bound_of_part(agreed.traffic, yard->ranks(), division.parts);
  const Bytes needed = agreed.packing(part) + (buffers ? buffers(division.grain)(part) : 0);
  if (yard->buffers.capacity() + needed > options.memory) yard->buffers.release();
  Options whole = options;
  whole.memory = 0;
  whole.grain = division.grain;
  parts.divide(division.parts);
  Counters all;
  for (Bytes index = 0; index < division.parts.count; ++index) {
    parts.take(index);
    parts.pack();
    add_part(all, exchange_blocks(yard, whole, head, parts.to_send(), parts.to_receive()));
    parts.unpack();
  }
  all.memory += parts.memory();
  return all;
}

PlannedBlocks plan_within(const std::shared_ptr<YardState>& yard, const Options& options,
                          std::unique_ptr<BlockParts> parts) {
  PlannedBlocks planned{options, {}, {}, nullptr};
  const AgreedParts agreed = agree_on(*yard, *parts);
  if (options.algorithm == kAuto) {
    planned.choice = choose_within(yard, options, agreed, *parts);
    planned.options = read_way(planned.choice.algorithm, options);
  }
  const Options& way = planned.options;
  BoundsWithGrain buffers;
  if (way.algorithm != kNative) {
    const Algorithm& algorithm = with_grain(*yard, way, way.grain);
    planned.stage_names = stage_names_of(algorithm);
    if (algorithm.stages() > 1) {
      buffers = [&](Bytes grain) -> BufferBound {
        return MemoryBound(with_grain(*yard, way, grain), yard->rank(), way.mode);
      };
    }
  }
  const Division division = divide(*yard, way, agreed, way.algorithm, buffers);
  const Parts& divided = division.parts;

  std::shared_ptr<PlanBuffers> shared;
  if (divided.count > 1 && buffers) {
    shared = room_for_parts(with_grain(*yard, way, division.grain), yard->rank(), way.mode,
                            bound_of_part(agreed.traffic, yard->ranks(), divided));
  }
  const Bytes room = shared != nullptr ? shared->capacity() : 0;
  Options whole = way;
  whole.memory = 0;
  whole.grain = division.grain;
  parts->divide(divided);
  std::vector<std::unique_ptr<PlannedExchange>> exchanges;
  for (Bytes index = 0; index < divided.count; ++index) {
    parts->take(index);
    PlannedBlocks part = plan_blocks(yard, whole, parts->to_send(), parts->to_receive(), shared);
    exchanges.push_back(std::move(part.exchange));
  }
  if (shared != nullptr && shared->capacity() > room) {
    throw Error(ErrorKind::truncated,
                "a part of the exchange is longer than the ranks have said; their counts do not "
                "agree");
  }
  planned.parts = divided.count;
  planned.exchange = std::make_unique<PartedExchange>(yard, std::move(parts), std::move(exchanges));
  return planned;
}

Counters exchange_sides(const std::shared_ptr<YardState>& yard, const Options& options,
                        BlockParts& sides) {
  if (options.memory != 0) return exchange_within(yard, options, kHeadBytes, sides);
  sides.pack();
  Counters counters =
      exchange_blocks(yard, options, kHeadBytes, sides.to_send(), sides.to_receive());
  sides.unpack();
  counters.memory += sides.memory();
  return counters;
}

std::unique_ptr<Plan::Implementation> plan_sides(const std::shared_ptr<YardState>& yard,
                                                 const Options& options,
                                                 std::unique_ptr<BlockParts> sides) {
  if (options.memory != 0) {
    return std::make_unique<Plan::Implementation>(yard,
                                                  plan_within(yard, options, std::move(sides)));
  }
  PlannedBlocks planned = plan_blocks(yard, options, sides->to_send(), sides->to_receive());
  planned.exchange->counters.memory += sides->memory();
  return std::make_unique<Plan::Implementation>(
      yard, std::make_unique<WholePacking>(std::move(sides)), std::move(planned));
}

}  // namespace shunt
