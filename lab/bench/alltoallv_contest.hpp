// Compares exchanges of the same blocks: the MPI library's own and Shunt's.
#pragma once

#include <vector>

#include <mpi.h>

#include "lab/bench/contest.hpp"
#include "lab/bench/contest_blocks.hpp"
#include "lab/traffic/traffic.hpp"
#include "shunt/shunt.hpp"

namespace shunt::bench {

/// The blocks of a traffic on this rank, filled so that a wrong byte is seen, and every contestant.
/// The first is MPI_Alltoallv.
class AlltoallvContest {
 public:
  /// Collective, as are the other members. `element` is the size of an element in bytes.
  AlltoallvContest(MPI_Comm comm, const Traffic& traffic, int element,
                   const ContestOptions& options);
  ~AlltoallvContest();
  AlltoallvContest(const AlltoallvContest&) = delete;
  AlltoallvContest& operator=(const AlltoallvContest&) = delete;

  [[nodiscard]] std::vector<Result> run() { return contest_.run(); }

  /// Returns how many exchanges were made and checked so far.
  [[nodiscard]] Bytes exchanges() const { return contest_.runs(); }
  /// Returns the wrong bytes that were found so far, on all ranks together.
  [[nodiscard]] Bytes wrong_bytes() const { return contest_.mistakes(); }

  /// The largest number of bytes that one rank sends.
  [[nodiscard]] Bytes largest_send() const;

 private:
  [[nodiscard]] Contestant native();
  [[nodiscard]] Forms forms();

  MPI_Comm comm_;
  Communicator communicator_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  ContestBlocks blocks_;
  Contest contest_;  ///< ends before what its plans use
};

}  // namespace shunt::bench
