// The order in which the ranks of a node exchange with other nodes, kept by tokens.
#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

#include "schedule/token_order.hpp"

namespace shunt {

/// A token is an empty message, with a tag of its own: data may go the same way. `tag` is the
/// exchange's.
[[nodiscard]] MPI_Request take_token(Rank from, MPI_Comm comm, int tag);
[[nodiscard]] MPI_Request pass_token(Rank to, MPI_Comm comm, int tag);

/// The turns of one rank in one stage, while others of its steps are under way.
class TokenPassing {
 public:
  TokenPassing(MPI_Comm comm, int tag, Rank own, std::vector<TokenTurn> turns)
      : comm_(comm), tag_(tag), own_(own), turns_(std::move(turns)) {}

  /// Whether it is the turn of `step`; asked for all steps in order, until it is. If not, `awaited`
  /// is the token's request, or as it was where the token comes from an earlier step of this rank.
  [[nodiscard]] bool has_come(std::size_t step, MPI_Request& awaited);

  /// The token that was awaited is here.
  void came() { here_ = true; }

  /// Hands the token of `step` on.
  void pass(std::size_t step);

 private:
  MPI_Comm comm_;
  int tag_;
  Rank own_;
  std::vector<TokenTurn> turns_;
  bool here_ = false;     ///< the token that was awaited
  int from_oneself_ = 0;  ///< tokens
};

}  // namespace shunt
