// The ranks of a communicator as Shunt reaches them, apart from what any of the program's
// communicators keeps: a communicator of its own, and what these ranks share on each node.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <mpi.h>

#include "model/machine.hpp"
#include "shunt/types.hpp"
#include "transport/broadcast_buffers.hpp"
#include "transport/call_channel.hpp"
#include "transport/node.hpp"

namespace shunt {

/// Whether communicators of the same ranks in the same order may use one process set. They may
/// where all that is done on them are blocking calls, and one thread at a time makes them: MPI
/// wants all ranks to make these in one order, also across communicators.
enum class SetSharing { own, shared };

/// Takes nothing from the program's communicator but the ranks and their order: attributes and
/// their callbacks, info, name, topology and error handler stay there alone. The last user frees
/// it; of shared ones a few are kept for later communicators of the same ranks.
class ProcessSet {
 public:
  /// The most shared process sets of a process at a time. MPICH has numbers for 2048 communicators,
  /// of which the program is to have nearly all.
  static constexpr std::int64_t kMostShared = 64;

  /// The process set of `comm`, an intracommunicator. Collective over `comm`: two reductions where
  /// an earlier set serves, otherwise also a new communicator and what Node takes. All ranks get a
  /// set or all throw: Error(argument) or Error(file) where SHUNT_NODES cannot be used on one of
  /// them, Error(communicator) where MPI has no communicator left for Shunt, or, of shared ones,
  /// where there are `kMostShared` already. The error handler of `comm` is not called for that.
  [[nodiscard]] static std::shared_ptr<ProcessSet> of(MPI_Comm comm, SetSharing sharing);

  ~ProcessSet();
  ProcessSet(const ProcessSet&) = delete;
  ProcessSet& operator=(const ProcessSet&) = delete;

  /// A sentence about the variables of the environment that the ranks had differently when this was
  /// made (sentence_on_differences); empty where they were the same. All ranks have one or none.
  [[nodiscard]] const std::string& environment_difference() const {
    return environment_difference_;
  }

  /// Shunt's own communicator: errors on it are returned.
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] Rank rank() const { return rank_; }
  [[nodiscard]] Rank ranks() const { return ranks_; }
  [[nodiscard]] Node& node() { return *node_; }

  /// Returns the memory for one-shot exchanges inside the node; null where the node shares none.
  [[nodiscard]] CallChannel* call_channel() { return call_channel_ ? &*call_channel_ : nullptr; }
  /// Returns the memory for redistributions inside the node; null where the node shares none.
  [[nodiscard]] CallChannel* redistributions() {
    return redistributions_ ? &*redistributions_ : nullptr;
  }

  /// A tag for the next exchange or plan; the one after it is free for its tokens. Every rank draws
  /// the same tags, since all call in the same order. Tags come round again at MPI_TAG_UB.
  [[nodiscard]] int draw_tag();
  [[nodiscard]] int next_tag() const { return next_tag_; }

  /// The number of the next announcement in the node (`Node::announce`).
  [[nodiscard]] std::uint64_t draw_announcement() { return ++announcements_; }

  /// The broadcast buffers of one-shot all-gathers; nothing until they are made.
  [[nodiscard]] std::optional<std::shared_ptr<BroadcastBuffers>>& broadcast_buffers() {
    return broadcast_buffers_;
  }
  /// Which ranks share a node; null until it is found out.
  [[nodiscard]] std::shared_ptr<const Machine>& machine() { return machine_; }

 private:
  ProcessSet(MPI_Comm comm, std::int64_t number);

  class Known;  ///< the sets of this process

  std::int64_t number_;  ///< tells the sets of a process apart; equal on all ranks
  std::string environment_difference_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  Rank rank_ = 0;
  Rank ranks_ = 0;
  std::unique_ptr<Node> node_;
  std::optional<CallChannel> call_channel_;
  std::optional<CallChannel> redistributions_;
  std::optional<std::shared_ptr<BroadcastBuffers>> broadcast_buffers_;
  std::shared_ptr<const Machine> machine_;
  std::uint64_t announcements_ = 0;
  int largest_tag_;
  int next_tag_ = 0;
};

}  // namespace shunt
