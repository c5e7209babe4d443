// Compares all-gathers of the same blocks: the MPI library's own and Shunt's.
#pragma once

#include <vector>

#include <mpi.h>

#include "lab/bench/contest.hpp"
#include "lab/bench/source_blocks.hpp"
#include "model/sources.hpp"
#include "shunt/shunt.hpp"

namespace shunt::bench {

/// The blocks of this rank, and every contestant. The first is MPI_Allgatherv.
class AllgatherContest {
 public:
  /// Collective, as are the other members.
  AllgatherContest(MPI_Comm comm, const Sources& sources, const ContestOptions& options);
  AllgatherContest(const AllgatherContest&) = delete;
  AllgatherContest& operator=(const AllgatherContest&) = delete;

  [[nodiscard]] std::vector<Result> run() { return contest_.run(); }

  /// Returns how many exchanges were made and checked so far.
  [[nodiscard]] Bytes exchanges() const { return contest_.runs(); }
  /// Returns the wrong bytes that were found so far, on all ranks together.
  [[nodiscard]] Bytes wrong_bytes() const { return contest_.mistakes(); }

 private:
  [[nodiscard]] Contestant native();
  [[nodiscard]] Forms forms();

  MPI_Comm comm_;
  Communicator communicator_;
  SourceBlocks blocks_;
  Contest contest_;  ///< ends before what its plans use
};

}  // namespace shunt::bench
