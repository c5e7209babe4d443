// What `shunt simulate` asks of the program that runs inside the simulation, and what it answers.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"

namespace shunt::bench {

/// The machine file of a simulation, for the library that makes SimGrid's platform of it.
inline constexpr const char* kMachineVariable = "SHUNT_SIMULATED_MACHINE";

/// One way to make the exchange or all-gather.
struct SimulatedWay {
  std::string algorithm;  ///< MPI's own: "alltoall", "alltoallv", "allgather", "allgatherv"
  std::string mode;       ///< empty for MPI's own
  std::string form;       ///< "plan", "one-shot"; empty for MPI's own
};

struct SimulationJob {
  std::string machine;        ///< path of its file
  std::vector<Bytes> blocks;  ///< of an all-gather, by rank; none: this is an exchange
  std::string pattern;
  Bytes maximum = 0;
  Bytes background = 0;
  std::uint64_t seed = 1;
  int element = 1;  ///< these five are of an exchange
  Bytes grain = 512;
  int window = 64;        ///< messages
  bool folded = false;    ///< payloads are not real: timing only
  bool announces = true;  ///< each way, on standard error, before it is simulated
  int warm_up = 1;        ///< one-shot calls by "auto" before the one that is timed
  std::vector<SimulatedWay> ways;
  std::string results;  ///< path of the file for the answer

  [[nodiscard]] TrafficShape shape(Rank ranks) const { return {ranks, maximum, background, seed}; }
};

/// The answer: a line of JSON for each way, and then one that says that all is over.
struct SimulatedTime {
  SimulatedWay way;
  double seconds = 0;
};

struct SimulationEnd {
  Bytes exchanges = 0;
  Bytes wrong_bytes = 0;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SimulatedWay, algorithm, mode, form)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SimulationJob, machine, blocks, pattern, maximum, background,
                                   seed, element, grain, window, folded, announces, warm_up, ways,
                                   results)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SimulatedTime, way, seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SimulationEnd, exchanges, wrong_bytes)

}  // namespace shunt::bench
