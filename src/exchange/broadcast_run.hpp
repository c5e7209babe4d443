// A broadcast as an exchange that is started, helped along and waited for.
#pragma once

#include <memory>

#include "exchange/blocks.hpp"
#include "exchange/broadcast_route.hpp"
#include "exchange/plan_run.hpp"

namespace shunt {

/// How the messages of a broadcast with these options travel inside the node.
[[nodiscard]] RouteKind route_kind(YardState& yard, const Options& options);

/// Runs a broadcast whose route goes through the boards of the node alone. Every rank draws a tag.
/// Throws Error(truncated) where the ranks' lengths turn out not to agree.
[[nodiscard]] Counters run_on_boards(YardState& yard,
                                     const std::shared_ptr<const BroadcastRoute>& route,
                                     std::shared_ptr<Boards> boards, const BroadcastBlocks& blocks);

/// Brings every block to its final place, and passes it on from there. Other memory is taken by
/// messages of several short pieces alone: at most kLongestPacked bytes for each message of a
/// stage; and by what is shown to the node, at most Boards::kLongestRound bytes in each
/// page of the board.
class BroadcastRun final : public PlanRun {
 public:
  /// Local, but that every rank draws a tag. The blocks must outlive the run, and have the lengths
  /// and offsets that `route` was made for. `boards` are not null where the node shows anything.
  BroadcastRun(const std::shared_ptr<YardState>& yard, std::shared_ptr<const BroadcastRoute> route,
               std::shared_ptr<Boards> boards, const Options& options,
               const BroadcastBlocks& blocks);

 private:
  void lay_out(std::size_t stage, const BroadcastBlocks& blocks);

  std::shared_ptr<const BroadcastRoute> route_;
};

}  // namespace shunt
