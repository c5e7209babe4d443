// An all-gather as an exchange that is started, driven and waited for.
#pragma once

#include <memory>

#include "context/allgather_route.hpp"
#include "context/blocks.hpp"
#include "engine/plan_run.hpp"

namespace shunt {

class BroadcastChannel;

/// How the messages of an all-gather with these options travel inside the node.
[[nodiscard]] RouteKind route_kind(Context& context, const Options& options);

/// Brings every block to its final place, and passes it on from there. Other memory is taken by
/// messages of several short pieces alone: at most kLongestPacked bytes for each message of a
/// stage; and by what is published to the node, at most BroadcastBuffers::kLongestRound bytes in
/// each page of the broadcast buffer.
class AllgatherRun final : public PlanRun {
 public:
  /// Local, but that every rank draws a tag. The blocks must outlive the run, and have the lengths
  /// and offsets that `route` was made for. `broadcast_buffers` are not null where the node
  /// publishes anything.
  AllgatherRun(const std::shared_ptr<Context>& context, std::shared_ptr<const AllgatherRoute> route,
               std::shared_ptr<BroadcastBuffers> broadcast_buffers, const Options& options,
               const AllgatherBlocks& blocks);

  /// Prepares the run for these blocks, which its route fits, instead of a new run: every rank
  /// draws a tag. Returns false and does nothing where that is not possible: where the run was made
  /// for other options, or for blocks elsewhere whose addresses MPI was given.
  [[nodiscard]] bool renew(const Options& wanted, const AllgatherBlocks& blocks);

 private:
  void lay_out(std::size_t stage, const AllgatherBlocks& blocks);

  std::shared_ptr<const AllgatherRoute> route_;
  const std::byte* own_;
  std::byte* receive_;
  BroadcastChannel* broadcast_channel_ = nullptr;  ///< `channel`; null where nothing is published
};

/// A one-shot all-gather, by the run that `kept` has if that serves, or else by a new one. It is
/// kept for the next call unless it packs much, so that little memory is held between calls.
/// `broadcast_buffers` are those that the context keeps, or null. Throws Error(truncated) where the
/// ranks' lengths turn out not to agree.
[[nodiscard]] Counters run_once(Context& context, KeptAllgather& kept,
                                const std::shared_ptr<BroadcastBuffers>& broadcast_buffers,
                                const Options& options, const AllgatherBlocks& blocks);

}  // namespace shunt
