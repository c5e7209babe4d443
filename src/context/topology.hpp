// Where the ranks of a communicator are.
#pragma once

#include <memory>
#include <optional>

#include <mpi.h>

#include "algorithms/surroundings.hpp"
#include "context/process_set.hpp"
#include "context/progress.hpp"
#include "model/machine.hpp"
#include "model/profile.hpp"

namespace shunt {

/// All ranks get the same answers, even if their environments differ. A question is collective when
/// it comes up first.
class Topology {
 public:
  /// `users` is the caller's communicator. The others outlive it.
  Topology(MPI_Comm users, ProcessSet& set, const Progress& progress);

  /// Returns which ranks share a node: as MPI_Comm_split_type or SHUNT_NODES says (Node::label).
  [[nodiscard]] std::shared_ptr<const Machine> machine();

  /// Returns what a profile of these ranks describes; only rank 0 names the machine and the MPI
  /// library.
  [[nodiscard]] Site site();

  /// Returns the torus that SHUNT_TORUS ("16x16") names on rank 0, if it has as many ranks; else
  /// the grid of a Cartesian communicator, whether its dimensions are periodic or not; else
  /// nothing. Asks each time. Throws Error(argument) on all ranks where SHUNT_TORUS on rank 0 names
  /// no torus.
  [[nodiscard]] std::optional<Extents> find_torus() const;

  /// Returns what algorithms may ask about the place of the ranks. It refers to this object.
  [[nodiscard]] Surroundings surroundings();

  /// Whether the question has come up for which ranks share a node, and which torus they are.
  [[nodiscard]] bool knows_machine() const { return set_.machine() != nullptr; }
  [[nodiscard]] bool knows_torus() const { return torus_.has_value(); }

 private:
  ProcessSet& set_;
  const Progress& progress_;
  std::optional<Extents> grid_;  ///< of the caller's communicator, if it is Cartesian
  std::optional<std::optional<Extents>> torus_;  ///< nothing until it is asked for
};

}  // namespace shunt
