// A broadcast as an exchange that is started, helped along and waited for.
#pragma once

#include <memory>

#include "exchange/blocks.hpp"
#include "exchange/broadcast_route.hpp"
#include "exchange/plan_run.hpp"

namespace shunt {

/// Brings every block to its final place, and passes it on from there. Other memory is taken by
/// messages of several short pieces alone: at most kLongestPacked bytes for each message of a
/// stage.
class BroadcastRun final : public PlanRun {
 public:
  /// Local, but that every rank draws a tag. The blocks must outlive the run, and have the
  /// lengths and offsets that `route` was made for.
  BroadcastRun(const std::shared_ptr<YardState>& yard, std::shared_ptr<const BroadcastRoute> route,
               const Options& options, const BroadcastBlocks& blocks);

  /// Makes persistent requests: what a plan needs that is run many times.
  void prepare();

 private:
  void lay_out(std::size_t stage, const BroadcastBlocks& blocks);

  std::shared_ptr<const BroadcastRoute> route_;
};

}  // namespace shunt
