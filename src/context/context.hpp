// What Shunt keeps per communicator.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include "context/device_watch.hpp"
#include "context/known_communicator.hpp"
#include "context/process_set.hpp"
#include "context/progress.hpp"
#include "context/schedules.hpp"
#include "context/scratch.hpp"
#include "context/topology.hpp"
#include "context/tuning.hpp"

namespace shunt {

/// The state of a communicator: each member has one job, and none knows this class. Attached to the
/// user's communicator (KnownCommunicator), and shared with the objects made from it; freed with
/// the last of them. All MPI calls are made on the communicator of its process set.
class Context {
 public:
  /// Returns the state of `comm`. The first call for a communicator is collective over it; later
  /// ones ignore `sharing`. Throws Error(communicator) for MPI_COMM_NULL and for
  /// intercommunicators, and if MPI is not running; and on all ranks where `ProcessSet::of` does.
  /// Valid until the communicator is freed.
  [[nodiscard]] static const std::shared_ptr<Context>& of(MPI_Comm comm,
                                                          SetSharing sharing = SetSharing::own);

  /// Returns the state of `comm` where an earlier call of `of` has made it; null elsewhere. Local.
  /// Valid until the communicator is freed.
  [[nodiscard]] static const std::shared_ptr<Context>& known(MPI_Comm comm);

  /// Looks `comm` up among the three communicators that this thread used last, without calling MPI.
  /// Returns null if it is not one of them or if MPI has been finalized.
  [[nodiscard]] static Context* known_again(MPI_Comm comm) noexcept {
    const KnownCommunicator* const again = KnownCommunicator::find_again(comm);
    return again == nullptr ? nullptr : again->context.get();
  }

  Context(MPI_Comm comm, SetSharing sharing);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] MPI_Comm comm() const { return set_->comm(); }
  /// Returns the name of the caller's communicator when this state was made; empty where it had
  /// none.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Rank rank() const { return set_->rank(); }
  [[nodiscard]] Rank ranks() const { return set_->ranks(); }
  [[nodiscard]] Node& node() { return set_->node(); }
  /// See ProcessSet.
  [[nodiscard]] CallChannel* call_channel() { return set_->call_channel(); }
  [[nodiscard]] CallChannel* redistributions() { return set_->redistributions(); }
  [[nodiscard]] int draw_tag() { return set_->draw_tag(); }
  [[nodiscard]] const std::string& environment_difference() const {
    return set_->environment_difference();
  }

  /// Makes broadcast buffers for all-gathers inside the node, which shares memory
  /// (`BroadcastBuffers::make`).
  [[nodiscard]] std::unique_ptr<BroadcastBuffers> make_broadcast_buffers(Bytes longest) {
    return BroadcastBuffers::make(
        set_->node(), [this](Bytes own) { return progress.allgather_on_node(own); }, longest);
  }

  /// Returns the broadcast buffers of one-shot all-gathers; null where there is no room for them.
  /// Collective over the node when it is first called.
  [[nodiscard]] const std::shared_ptr<BroadcastBuffers>& kept_broadcast_buffers();

  /// Returns numbers that are equal on all ranks if their calls so far match: tags drawn,
  /// redistributions in shared memory, and what was asked. Nothing stands for a number that this
  /// rank does not count.
  [[nodiscard]] std::vector<std::optional<std::int64_t>> drawn() const;

 private:
  std::shared_ptr<ProcessSet> set_;
  std::string name_;

 public:
  Progress progress;    ///< waits
  Topology topology;    ///< where the ranks are
  Tuning tuning;        ///< what is known to be fast
  Scratch scratch;      ///< buffers of one-shot exchanges
  DeviceWatch devices;  ///< for calls of preloaded programs, whose buffers may be memory of devices
  /// Algorithms in use. Last: the runs in it refer to what is above.
  Schedules schedules;
};

}  // namespace shunt
