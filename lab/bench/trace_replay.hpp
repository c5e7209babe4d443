// The exchanges and broadcasts of a trace, by MPI and by Shunt.
#pragma once

#include <string>
#include <vector>

#include <mpi.h>

#include "lab/bench/alltoallv_contest.hpp"
#include "lab/traffic/trace_file.hpp"

namespace shunt::bench {

/// What a trace took, as those ranks know it that took part.
struct Replay {
  std::vector<std::vector<Result>> results;  ///< by matrix, of each contestant
  bool verified = true;                      ///< not where payloads were too much to be real
  Bytes exchanges = 0;
  Bytes wrong_bytes = 0;
};

/// Holds a contest for each matrix of the trace, of `allgathers` where it is one, in the order in
/// which they were first called. Collective over MPI_COMM_WORLD, which has at least as many ranks
/// as the trace. Those take part on which the program ran, if they are there and rank 0 is one of
/// them; otherwise the first. The others sleep meanwhile. Rank 0 says on stderr now and then how
/// far it is.
[[nodiscard]] Replay replay(TraceFile& file, const ContestOptions& options,
                            const ContestOptions& allgathers);

}  // namespace shunt::bench
