// How a call waits: with progress for all exchanges that are under way, since other ranks may wait
// for these in another order.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include "context/process_set.hpp"
#include "shunt/types.hpp"

namespace shunt {

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
  virtual void progress() noexcept = 0;
};

/// The runs that are under way, and all that waits on a communicator: for requests, and for the
/// small collectives by which ranks agree.
class Progress {
 public:
  /// `set` outlives it.
  explicit Progress(ProcessSet& set);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Runs that are under way, in the order in which they were started: those of all communicators,
  /// or, under MPI_THREAD_MULTIPLE, where another thread may use another communicator, those of
  /// this one.
  std::vector<ActiveRun*>& active;

  /// Makes progress with all active runs, as every call that waits has to. What a run throws is for
  /// the call that waits for it.
  void progress_active() const noexcept;

  /// Waits for all of `requests`, making progress with all active runs; afterwards they are
  /// MPI_REQUEST_NULL.
  void complete(std::span<MPI_Request> requests) const;
  void complete(MPI_Request& request) const { complete({&request, 1}); }

  /// Calls `advance(wait)` until it returns true. It may wait for requests only while no other run
  /// is active; otherwise this makes progress with those in between.
  template <class Advance>
  void advance_to_end(Advance&& advance) const {
    while (!advance(active.empty())) {
      if (active.empty()) continue;
      progress_active();
      poll();
    }
  }

  /// Called between two looks of a polling loop: lets MPI make progress now and then, and lets
  /// other ranks run where there are more of them than processors.
  void poll() const;

  /// Lets MPI make progress.
  void look() const;

  /// Collective. Reduces `count` values of each rank, element by element, to `all` on all ranks, as
  /// MPI_Allreduce does. `own` and `all` do not overlap: in place a non-blocking collective of SMPI
  /// (SimGrid 3.32) sends memory that it has freed.
  void reduce(const void* own, void* all, int count, MPI_Datatype type, MPI_Op operation) const;

  /// Collective. Returns on all ranks the text that rank 0 gives, by two broadcasts.
  [[nodiscard]] std::string broadcast_text(std::string own) const;

  /// Collective over the node. Returns the number `mine` of every rank, indexed by node-local rank.
  std::vector<Bytes> allgather_on_node(Bytes mine) const;

 private:
  ProcessSet& set_;
  std::vector<ActiveRun*> own_runs_;
  mutable unsigned idle_ = 0;  ///< calls of `poll`
};

/// Whether several threads may call MPI at the same time.
[[nodiscard]] bool threads_share_mpi();

}  // namespace shunt
