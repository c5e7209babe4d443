// One random collective call, made by MPI and by Shunt on the same data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <mpi.h>

#include "conformance/dice.hpp"
#include "conformance/side_type.hpp"
#include "shunt/shunt.h"

namespace shunt::test {

enum class Function { alltoall, alltoallv, alltoallw, allgather, allgatherv, gatherv, scatterv };

/// How Shunt is called.
enum class Form { ints, counts, request, counts_request };

class ExchangeCase {
 public:
  /// The same on all ranks of `comm` for the same numbers. `comm` stays the caller's.
  ExchangeCase(std::uint64_t seed, std::uint64_t number, MPI_Comm comm);
  ~ExchangeCase();
  ExchangeCase(const ExchangeCase&) = delete;
  ExchangeCase& operator=(const ExchangeCase&) = delete;

  /// Makes the call both ways; empty, or what this rank found to differ.
  [[nodiscard]] std::string run();

  [[nodiscard]] std::string describe() const;

 private:
  /// One side of the call, in this rank's own terms.
  struct Side {
    std::vector<MPI_Datatype> types;  ///< by peer; all the same but for alltoallw
    std::vector<int> counts;
    std::vector<int> places;        ///< displacements, as the function counts them
    std::vector<std::byte> memory;  ///< what is passed as buffer begins kMargin bytes later
  };

  /// Whether a rank sends one block to all.
  [[nodiscard]] bool allgathers() const {
    return function_ == Function::allgather || function_ == Function::allgatherv;
  }
  [[nodiscard]] bool has_root() const {
    return function_ == Function::gatherv || function_ == Function::scatterv;
  }
  /// Whether a side has one block alone.
  [[nodiscard]] bool is_single(bool sends) const {
    return sends ? allgathers() || function_ == Function::gatherv : function_ == Function::scatterv;
  }
  /// Whether this rank's side is in place.
  [[nodiscard]] bool is_in_place(bool sends) const {
    if (has_root()) return in_place_ && is_single(sends) && rank_ == root_;
    return in_place_ && sends;
  }
  /// Whether all blocks have one length and lie one after the other.
  [[nodiscard]] bool equal_blocks() const {
    return function_ == Function::alltoall || function_ == Function::allgather;
  }
  [[nodiscard]] Shape shape_of(int rank, bool sends, int peer) const;
  [[nodiscard]] int atoms_between(int source, int destination) const;
  [[nodiscard]] Side make_side(bool sends) const;
  void place_in_order(Side& side) const;
  void place_blocks(Side& side, Dice& dice) const;
  void free_types(Side& side) const;
  void fill(int round);

  template <class Count, class Place, class All, class... More>
  int call_rooted(std::byte* to, const All& functions, const More&... more) const;
  template <class Count, class Place, class All, class... More>
  int call(std::byte* to, const All& functions, const More&... more) const;
  int call_mpi(std::vector<std::byte>& received) const;
  int exchange_pairwise(std::vector<std::byte>& received) const;
  int call_shunt();

  std::uint64_t seed_;
  std::uint64_t number_;
  MPI_Comm comm_;
  int rank_ = 0;
  int ranks_ = 1;
  Function function_;
  Form form_;
  int root_;
  bool in_place_;
  bool long_;
  int share_of_empty_;  ///< one block in so many is empty; 0: none
  MPI_Datatype atom_;
  Side send_;
  Side receive_;
  SHUNT_Request request_ = SHUNT_REQUEST_NULL;
};

}  // namespace shunt::test
