#include "tools/simulate/machine_replay.hpp"

#include <vector>

#include <fmt/format.h>

#include "model/narrow.hpp"
#include "shunt/error.hpp"
#include "tools/simulate/machine_allgather.hpp"
#include "tools/simulate/simulation.hpp"

namespace shunt {

namespace {

constexpr const char* kReference = "mpich";

/// Times as a contest over MPI has them: the reference first, which was simulated last.
std::vector<bench::Result> results_of(const SimulatedTimes& times) {
  const double reference = times.all().back().seconds * 1e6;
  std::vector<bench::Result> results{{kReference, "", times.all().back().way.form, {}}};
  results.front().median = reference;
  for (std::size_t i = 0; i + 1 < times.all().size(); ++i) {
    const bench::SimulatedTime& time = times.all()[i];
    results.push_back({time.way.algorithm, time.way.mode, time.way.form, {}});
    results.back().median = time.seconds * 1e6;
  }
  for (bench::Result& result : results) result.native_ratio = reference / result.median;
  return results;
}

/// Of either kind.
template <class AnyContest>
void hold(AnyContest contest, const Simulation& simulation, std::size_t ways,
          std::vector<bench::Result>& results, bench::Replay& replay) {
  contest.run(simulation);
  results = results_of(contest.times());
  // One-shot exchanges of several stages need blocks that are real.
  if (results.size() != ways + 1) {
    throw Error(ErrorKind::argument,
                "a matrix has more data than a simulation keeps in memory: take --form plan");
  }
  replay.exchanges += contest.times().runs();
  replay.wrong_bytes += contest.wrong_bytes();
  if (!contest.is_verified()) replay.verified = false;
}

std::size_t ways_of(const ContestSettings& settings) {
  return settings.algorithms.size() * settings.modes.size() * settings.forms.size();
}

}  // namespace

bench::Replay replay_on(const MachineReplay& how, const std::string& path, TraceFile& file) {
  const OccupiedMachine occupied = occupy_machine(how.machine, file.head().ranks, how.nodes);
  const Simulation simulation(occupied);
  ContestSettings exchanges = how.exchanges;
  exchanges.element = narrow<int>(file.head().element_bytes, "the bytes of an element");
  exchanges.built_in = {fmt::format("alltoallv:{}", kReference)};
  ContestSettings allgathers = how.allgathers;
  allgathers.built_in = {fmt::format("allgatherv:{}", kReference)};
  bench::Replay replay;
  replay.results.resize(file.matrices());
  for (std::size_t k = 0; k < file.matrices(); ++k) {
    const std::string matrix = fmt::format("{}#{}", path, k);
    fmt::print(stderr, "{} of {}: ", k + 1, file.matrices());
    if (file.head().allgathers.contains(k)) {
      AllgatherChoice choice;
      choice.sources = matrix;
      hold(MachineAllgather(allgathers, choice, occupied, 0), simulation, ways_of(allgathers),
           replay.results[k], replay);
    } else {
      exchanges.pattern = matrix;
      hold(MachineContest(exchanges, occupied, 1), simulation, ways_of(exchanges),
           replay.results[k], replay);
    }
  }
  return replay;
}

}  // namespace shunt
