// What Shunt keeps per communicator: its process set, the algorithms in use, kept buffers.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "algorithms/algorithm.hpp"
#include "algorithms/surroundings.hpp"
#include "exchange/blocks.hpp"
#include "exchange/byte_buffer.hpp"
#include "exchange/device_watch.hpp"
#include "exchange/kept_broadcasts.hpp"
#include "exchange/known_communicator.hpp"
#include "exchange/packet_pool.hpp"
#include "exchange/process_set.hpp"
#include "learning/learned_calls.hpp"
#include "schedule/port_turns.hpp"
#include "shunt/options.hpp"

namespace shunt {

struct Profile;

/// An algorithm with the steps of one rank, computed once.
struct Schedule {
  std::unique_ptr<Algorithm> algorithm;
  std::vector<std::vector<Step>> steps;  ///< by stage
  /// By stage and step; none where the order alone is kept. Where an algorithm spares the ports of
  /// nodes, one step of a node is under way at a time in blocking mode, and a few where messages
  /// are cut into packets.
  std::vector<std::vector<PortTurn>> turns;
  bool carries_all;  ///< whether all blocks from and to this rank are carried
};

/// Returns `window` with at most as many bytes under way as the algorithm wants.
[[nodiscard]] Window within_limits(Window window, const Algorithm& algorithm);

/// An exchange that was started, and with which any waiting call on the communicator makes
/// progress.
class ActiveRun {
 public:
  virtual ~ActiveRun() = default;
  /// Handles what is complete, waiting for at least one request if `wait`. Returns true when the
  /// run is over.
  virtual bool advance(bool wait) = 0;
  /// Makes progress with this run in a call that waits for another one. The run keeps what goes
  /// wrong, for the call that waits for it.
  virtual void help() noexcept = 0;
};

/// The state that Shunt keeps per communicator. Attached to the user's communicator
/// (KnownCommunicator), and shared with the objects made from it; freed with the last of them. All
/// MPI calls are made on the communicator of its process set.
class Context {
 public:
  /// Returns the state of `comm`. The first call for a communicator is collective over it; later
  /// ones ignore `sharing`. Throws Error(communicator) for MPI_COMM_NULL and for
  /// intercommunicators, and if MPI is not running; and on all ranks where `ProcessSet::of` does.
  [[nodiscard]] static std::shared_ptr<Context> of(MPI_Comm comm,
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
  /// The extents of the Cartesian grid of the communicator that the caller gave; nothing where it
  /// has none.
  [[nodiscard]] const std::optional<Extents>& grid() const { return grid_; }
  [[nodiscard]] Rank rank() const { return set_->rank(); }
  [[nodiscard]] Rank ranks() const { return set_->ranks(); }
  [[nodiscard]] Node& node() { return set_->node(); }
  /// See ProcessSet.
  [[nodiscard]] KeptSharing* kept_sharing() { return set_->kept_sharing(); }
  [[nodiscard]] KeptSharing* redistributions() { return set_->redistributions(); }
  [[nodiscard]] int draw_tag() { return set_->draw_tag(); }

  /// Returns numbers that are equal on all ranks if their calls so far match: tags drawn,
  /// redistributions in shared memory, and what was asked. Nothing stands for a number that this
  /// rank does not count.
  [[nodiscard]] std::vector<std::optional<std::int64_t>> drawn() const;

  /// Collective over the node. Returns the number `mine` of every rank, indexed by node-local rank.
  std::vector<Bytes> announce(Bytes mine);

  /// Which ranks share a node: as MPI_Comm_split_type or SHUNT_NODES says (Node::label). Collective
  /// when it is first called; all ranks have the same answer, even if their environments differ.
  [[nodiscard]] std::shared_ptr<const Machine> machine();

  /// What the machine costs: the profile that rank 0 finds for the communicator (find_profile), or
  /// typical costs. Collective when it is first called; all ranks have the same answer. Rank 0 says
  /// on standard error, once in the process, which file it could not take.
  [[nodiscard]] std::shared_ptr<const Profile> profile();

  /// The algorithm of this name with the steps of this rank, by the grain, mode and packet of
  /// `options`. Collective when it is new and depends on where the ranks are.
  [[nodiscard]] const Schedule& schedule(const std::string& algorithm, const Options& options);

  /// What algorithms may ask about the place of the ranks. All ranks get the same answers; a
  /// question is collective when it comes up first.
  [[nodiscard]] Surroundings surroundings();

  /// Returns this rank's part in the broadcast `name` that brings `blocks` to all ranks, with a
  /// route. Valid until the next call; those used last are kept. Collective when the broadcast
  /// depends on where the ranks are and that was not asked before.
  [[nodiscard]] KeptBroadcasts::Kept& broadcast(const std::string& name,
                                                const ReceiveBlocks& blocks, RouteKind kind);

  /// Returns the boards of one-shot broadcasts inside the node, which shares memory; null where
  /// there is no room for them. Collective over the node when it is first called.
  [[nodiscard]] const std::shared_ptr<Boards>& kept_boards();

  /// Throws Error(argument) where there is no all-gather algorithm `name` of this number of ranks.
  /// Collective when `broadcast` is.
  void expect_broadcast(const std::string& name);

  /// Runs that are under way, in the order in which they were started: those of all communicators,
  /// or, under MPI_THREAD_MULTIPLE, where another thread may use another communicator, those of
  /// this one.
  std::vector<ActiveRun*>& active;

  /// Makes progress with all active runs, as every call that waits has to: other ranks may wait for
  /// the same exchanges in another order. What a run throws is for the call that waits for it.
  void help_active() const noexcept;

  /// Waits for all of `requests`, making progress with all active runs; afterwards they are
  /// MPI_REQUEST_NULL.
  void complete(std::span<MPI_Request> requests) const;
  void complete(MPI_Request& request) const { complete({&request, 1}); }

  /// Collective. Reduces `count` values of each rank, element by element, to `all` on all ranks, as
  /// MPI_Allreduce does. `own` and `all` do not overlap: in place a non-blocking collective of SMPI
  /// (SimGrid 3.32) sends memory that it has freed.
  void reduce(const void* own, void* all, int count, MPI_Datatype type, MPI_Op operation) const;

  /// Collective. Returns on all ranks the text that rank 0 gives, by two broadcasts.
  [[nodiscard]] std::string text_of_first(std::string own) const;

  /// Calls `advance(wait)` until it returns true. It may wait for requests only while no other run
  /// is active; otherwise this makes progress with those in between.
  template <class Advance>
  void advance_to_end(Advance&& advance) const {
    while (!advance(active.empty())) {
      if (active.empty()) continue;
      help_active();
      relax();
    }
  }

  /// Called between two looks of a polling loop: lets MPI make progress now and then, and lets
  /// other ranks run where there are more of them than processors.
  void relax() const;

  /// Lets MPI make progress.
  void progress() const;

  /// Buffers of one-shot exchanges, kept from call to call.
  struct Buffers {
    ByteBuffer send[2];
    ByteBuffer self[2];
    ByteBuffer heads[2];
    ByteBuffer staged;
    SendBlocks send_blocks;  ///< as the last call left them, and the next needs room for
    ReceiveBlocks receive_blocks;
    IntBlocks native_sides[2];                  ///< sent and received by the last native call
    std::map<std::size_t, PacketPool> packets;  ///< by bytes of a packet

    /// Bytes that are kept for exchanges of blocks.
    [[nodiscard]] Bytes capacity() const;
    void release();
  };
  Buffers buffers;

  /// What one-shot calls have taught so far; equal on all ranks, but for times that were not
  /// exchanged yet.
  LearnedCalls learned;

  /// Watches calls of preloaded programs, whose buffers may be memory of devices.
  DeviceWatch devices;

 private:
  std::vector<ActiveRun*> own_runs_;
  std::shared_ptr<ProcessSet> set_;
  std::string name_;
  std::optional<Extents> grid_;
  mutable unsigned idle_ = 0;                    ///< calls of `relax`
  std::optional<std::optional<Extents>> torus_;  ///< nothing until it is asked for
  std::shared_ptr<const Profile> profile_;       ///< null until it is asked for
  std::set<std::string> usable_broadcasts_;
  struct KeptSchedule {
    std::string algorithm;
    Bytes grain;
    std::size_t tokens;
    Schedule schedule;
  };
  /// A program uses few of them, so looking through them all is the fastest way to find one.
  std::deque<KeptSchedule> schedules_;
  /// Last: the runs in it refer to what is above.
  KeptBroadcasts broadcasts_;
};

}  // namespace shunt
