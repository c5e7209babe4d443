// A persistent exchange, planned once and executed many times.
#pragma once

#include <memory>
#include <string>

#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// A planned exchange, all-gather or redistribution: schedules, buffers and lists of copies are
/// made, and executing it only moves data. Made by Communicator::plan_alltoallv and the other
/// functions of Communicator that begin with plan_; bound to the buffers given there, which outlive
/// it. A plan outlives the Communicator that it was made from and may outlive the communicator; it
/// is destroyed before MPI_Finalize.
///
/// Several plans may be under way on one communicator at a time. Every rank starts them in the same
/// order, and may wait for them in any order.
///
/// Thread safety: as of Communicator, whose communicator a plan uses.
class Plan {
 public:
  class Implementation;

  /// Takes over an implementation. For Communicator.
  explicit Plan(std::unique_ptr<Implementation> implementation);
  /// Takes over the other plan, which may be under way. Local. The other one can then only be
  /// destroyed or assigned to.
  Plan(Plan&&) noexcept;
  /// Destroys this plan, which must not be under way, and takes over the other one. Local.
  Plan& operator=(Plan&&) noexcept;
  /// Frees the plan, which must not be under way. Local.
  ~Plan();

  /// Begins to exchange what is in the send buffer now. Collective, but returns without waiting for
  /// other ranks; in blocking mode it returns when the exchange is over. Until then the send buffer
  /// must not be written to, and the receive buffer not be touched. In some executions of a plan
  /// that goes on learning, a reduction of three numbers is under way with the exchange, which is
  /// over when both are. Throws Error(argument) where the plan is under way already, which changes
  /// nothing, and Error(communication) where MPI reports a failure; in blocking mode also what
  /// wait() throws.
  void start();

  /// Returns when this rank's receive buffer is complete and its send buffer is free; at once where
  /// the plan is not under way. Also makes progress with all other plans that are under way on the
  /// communicator; on all communicators, unless MPI runs with MPI_THREAD_MULTIPLE.
  ///
  /// Throws Error(truncated) where the lengths that ranks planned with turn out not to agree,
  /// Error(communication) where MPI reports a failure, and Error(buffer) where with
  /// Options::single_copy the memory of another rank cannot be read: errors of this plan alone,
  /// also those that came up while others were waited for. After most of them a plan can only be
  /// destroyed, since messages of it may still be under way; start() then throws Error(argument).
  void wait();

  /// Makes progress without waiting, with all plans that wait() does. Returns whether the exchange
  /// is over, which it is where the plan was never started. Throws as wait() does.
  [[nodiscard]] bool test();

  /// Executes the exchange: start() and wait(). Ranks that execute a plan match ranks that start it
  /// and wait. Collective. Throws as these do.
  void execute();

  /// Returns what one execution sends and receives, and the buffers that the plan keeps, on this
  /// rank. Of a plan that goes on learning they are those of the latest execution. Local. Valid as
  /// long as the plan.
  [[nodiscard]] const Counters& counters() const;

  /// Returns what was planned, in a few lines for people: the algorithm, why it was chosen, what
  /// each stage receives, and the buffers. Local.
  [[nodiscard]] std::string explain() const;

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace shunt
