// A persistent exchange: planned once, executed many times.
#pragma once

#include <memory>
#include <string>

#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// An exchange of which everything that depends on the counts is done: tables, buffers, lists of
/// copies. Made by `Yard::plan_alltoallv`, bound to the buffers given there. Several plans may be
/// under way on one communicator at once; every rank starts them in the same order and may wait for
/// them in any. Destroying a plan is local; it must not be under way.
class Plan {
 public:
  class Implementation;

  explicit Plan(std::unique_ptr<Implementation> implementation);
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  /// Begins the exchange of what is in the send buffer now. Collective; in blocking mode it is over
  /// on return. Neither buffer may be touched until the exchange is over. Throws Error(argument) if
  /// the plan is under way already.
  void start();

  /// Returns when this rank's receive buffer is complete and its send buffer is free.
  void wait();

  /// Makes progress without waiting; true if the exchange is over.
  [[nodiscard]] bool test();

  /// start() and wait().
  void execute();

  /// What one execution moves, and the buffers that the plan keeps. Local.
  [[nodiscard]] const Counters& counters() const;

  /// What was planned, in a few lines. Local.
  [[nodiscard]] std::string explain() const;

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace shunt
