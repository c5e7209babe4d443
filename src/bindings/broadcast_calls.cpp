#include "bindings/broadcast_calls.hpp"

#include <fmt/format.h>

#include "bindings/byte_blocks.hpp"
#include "exchange/broadcast_run.hpp"
#include "model/way_text.hpp"
#include "planner/broadcast_choice.hpp"
#include "shunt/error.hpp"

namespace shunt {

void expect_own(const YardState& yard, Bytes own, const std::vector<Bytes>& received) {
  expect_own_block(yard.rank(), own, received[index_of(yard.rank())]);
}

Counters broadcast_blocks(const std::shared_ptr<YardState>& yard, const Options& options,
                          const BroadcastBlocks& blocks) {
  expect_own(*yard, std::ssize(blocks.own), blocks.receive.bytes);
  return broadcast_once(yard, options, blocks);
}

PlannedBlocks plan_broadcast(const std::shared_ptr<YardState>& yard, const Options& options,
                             const BroadcastBlocks& blocks) {
  expect_own(*yard, std::ssize(blocks.own), blocks.receive.bytes);
  PlannedBlocks planned{options, {}, {}, nullptr};
  if (options.algorithm == kAuto) {
    planned.choice = choose_broadcast_plan(yard, options, blocks);
    planned.options = read_way(planned.choice.algorithm, options);
  }
  const std::string& name = planned.options.algorithm;
  if (name != kNative) {
    const RouteKind kind = route_kind(*yard, planned.options);
    planned.stage_names =
        stage_names_of(*yard->broadcast(name, blocks.receive, kind).route->broadcast);
  }
  planned.exchange = make_broadcast_plan(yard, planned.options, blocks);
  return planned;
}

}  // namespace shunt
