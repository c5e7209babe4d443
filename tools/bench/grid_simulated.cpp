#include "tools/bench/grid_simulated.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"
#include "model/counted.hpp"
#include "planner/trials.hpp"
#include "tools/common/size_text.hpp"
#include "tools/session/bench_common.hpp"
#include "tools/simulate/machine_contest.hpp"
#include "tools/simulate/machine_ways.hpp"

namespace shunt {

namespace {

const std::vector<Bytes> kSimulatedLoads{16384, 262144, 4194304};

std::vector<std::string> simulated_candidates(const OccupiedMachine& occupied) {
  const Machine& layout = occupied.layout;
  const bool has_nodes = layout.nodes() > 1 && layout.nodes() < layout.ranks();
  std::vector<std::string> names = grid_candidates(has_nodes);
  std::ranges::copy(torus_algorithms(occupied), std::back_inserter(names));
  return names;
}

ContestSettings simulated_contest(const GridSettings& settings,
                                  const std::vector<std::string>& built_in,
                                  const OccupiedMachine& occupied) {
  ContestSettings contest;
  contest.background = settings.background;
  contest.element = settings.element;
  contest.seed = settings.seed;
  contest.algorithms = settings.algorithms;
  if (contest.algorithms.empty()) contest.algorithms = simulated_candidates(occupied);
  contest.algorithms.emplace_back(kAuto);
  contest.forms = settings.forms;
  if (contest.forms.empty()) contest.forms = {"plan"};
  contest.built_in = built_in;
  if (contest.built_in.empty()) contest.built_in = {"alltoallv:mpich", "alltoallv:ring"};
  contest.grain = settings.grain;
  contest.warm_up = settings.warm_up;
  return contest;
}

/// Its cells: one for each form in which "auto" could be simulated.
void add_simulated_cells(const MachineContest& contest, const ContestSettings& settings,
                         const GridCell& shape, GridJob& job) {
  for (const std::string& form : settings.forms) {
    GridCell cell = shape;
    cell.form = form;
    bool has_auto = false;
    for (const auto& [way, seconds] : contest.times().all()) {
      if (way.form != form && !is_native(way.algorithm)) continue;
      cell.ways.push_back({way.algorithm, {seconds * 1e6}, {}, {}});
      has_auto = has_auto || way.algorithm == kAuto;
    }
    if (has_auto) job.cells.push_back(std::move(cell));
  }
  job.exchanges += contest.times().runs();
  if (!contest.is_verified()) job.unverified += contest.times().runs();
  job.wrong_bytes += contest.wrong_bytes();
}

}  // namespace

void simulate_grid(const GridSettings& settings, const std::vector<std::string>& built_in,
                   const OccupiedMachine& occupied,
                   const std::function<void(const GridJob&)>& keep) {
  const Simulation simulation(occupied);
  ContestSettings contest = simulated_contest(settings, built_in, occupied);
  GridJob job;
  job.where = occupied.machine.name;
  job.ranks = occupied.layout.ranks();
  job.provenance = grid_provenance(settings);
  job.provenance["built_in"] = contest.built_in;
  const std::vector<Bytes>& loads = settings.loads.empty() ? kSimulatedLoads : settings.loads;
  for (const std::string& pattern : settings.patterns) {
    contest.pattern = pattern;
    const TrafficShape shape{job.ranks, 0, contest.background, contest.seed};
    for (const auto& [load, maximum] : sized_loads(loads, pattern, shape, contest.element)) {
      fmt::print(stderr, "{}, {}: {} of {}\n", job.where, counted(job.ranks, "rank"), pattern,
                 size_text(static_cast<std::uint64_t>(load)));
      MachineContest cells(contest, occupied, maximum);
      cells.run(simulation);
      add_simulated_cells(cells, contest, {pattern, load, maximum, "", {}}, job);
      keep(job);
    }
  }
}

}  // namespace shunt
