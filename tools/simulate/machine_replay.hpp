// The exchanges and broadcasts of a trace on a simulated machine.
#pragma once

#include <string>

#include "lab/bench/trace_replay.hpp"
#include "lab/traffic/trace_file.hpp"
#include "tools/simulate/machine_contest.hpp"

namespace shunt {

/// On what a trace is replayed, and by what.
struct MachineReplay {
  std::string machine;        ///< as of `find_machine`
  std::string nodes;          ///< as of `occupy_machine`
  ContestSettings exchanges;  ///< the algorithms, mode and forms; what is exchanged is the trace's
  ContestSettings allgathers;
};

/// Simulates each matrix of the trace `path` once by all configurations, and first by what SMPI
/// takes from MPICH. Reports its progress on stderr. Throws Error(argument) where the machine has
/// not the trace's ranks, where SMPI is not installed, and where blocks are so many that not all
/// ways can be simulated; Error(communication) where a simulation fails.
[[nodiscard]] bench::Replay replay_on(const MachineReplay& how, const std::string& path,
                                      TraceFile& file);

}  // namespace shunt
