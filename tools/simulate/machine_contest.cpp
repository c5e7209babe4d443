#include "tools/simulate/machine_contest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "lab/simulation/machine_bound.hpp"
#include "lab/simulation/simulate.hpp"
#include "lab/simulation/timeline_file.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic_file.hpp"
#include "model/counted.hpp"
#include "planner/trials.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/page.hpp"

namespace shunt {

namespace {

/// Traffics of more ranks are not looked at block by block.
constexpr Rank kMostDense = 4096;

bench::SimulationJob job_of(const ContestSettings& settings, Bytes maximum) {
  bench::SimulationJob job;
  job.pattern = settings.pattern;
  job.maximum = maximum;
  job.background = settings.background;
  job.seed = settings.seed;
  job.element = settings.element;
  job.grain = settings.grain;
  job.warm_up = settings.warm_up;
  return job;
}

}  // namespace

PortMachine modelled_machine(const ContestSettings& settings, const OccupiedMachine& occupied) {
  return port_machine(occupied.machine, occupied.layout,
                      settings.at_once ? Posting::at_once : Posting::by_steps);
}

int window_of(const ContestSettings& settings, Rank ranks) {
  return settings.window > 0 ? settings.window : std::clamp(2048 / ranks, 4, 64);
}

MachineContest::MachineContest(const ContestSettings& settings, const OccupiedMachine& occupied,
                               Bytes maximum)
    : settings_(settings),
      occupied_(occupied),
      job_(job_of(settings, maximum)),
      traffic_(make_traffic(settings.pattern, job_.shape(occupied.layout.ranks()))) {
  job_.maximum = maximum_of(*traffic_, job_.shape(occupied.layout.ranks()));
  if (is_even()) {
    largest_ = maximum * settings.element * occupied.layout.ranks();
    bound_ = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  const Loads loads = loads_of(*traffic_, settings.element);
  double total = 0;
  for (const Bytes out : loads.out) total += static_cast<double>(out);
  // Blocks to send, received ones, those to compare them with, and two buffers of a plan.
  job_.folded = 5 * total > static_cast<double>(settings.memory) * 1048576;
  job_.window = window_of(settings, occupied.layout.ranks());
  largest_ = std::max(std::ranges::max(loads.out), std::ranges::max(loads.in));
  bound_ = least_seconds(occupied.machine, occupied.layout, *traffic_, settings.element);
}

void MachineContest::run(const Simulation& simulation) {
  job_.ways = ways();
  times_.run(
      simulation, job_,
      settings_.built_in.empty() ? built_in_for(*traffic_, job_.folded) : settings_.built_in);
}

void MachineContest::model() {
  const PortMachine machine = modelled_machine(settings_, occupied_);
  const auto keep = settings_.timeline.empty() ? Transfers::forget : Transfers::keep;
  for (const std::string& name : algorithms_for(occupied_, settings_.algorithms, settings_.grain)) {
    const auto algorithm = make_algorithm(name, occupied_.layout, settings_.grain);
    const SimulatedExchange exchange =
        is_even() ? simulate_even(*algorithm, job_.maximum * settings_.element, machine)
                  : simulate(*algorithm, *traffic_, settings_.element, machine, keep);
    times_.add({{name, "", "model"}, exchange.seconds});
    if (keep == Transfers::keep) {
      write_output(settings_.timeline, timeline_text(exchange.timeline));
    }
  }
  for (const std::string& name : settings_.built_in) {
    const double seconds = simulate_linear(*traffic_, settings_.element, machine).seconds;
    times_.add({{name, "", SimulatedTimes::kBuiltIn}, seconds});
  }
}

Table MachineContest::table() const { return times_.table(bound_); }

std::string MachineContest::title() const {
  std::string title = paragraph(
      fmt::format("{} on {} of {}, blocks up to {}, at most {} a rank", settings_.pattern,
                  counted(occupied_.layout.ranks(), "rank"), occupied_.machine.name,
                  counted(job_.maximum * settings_.element, "byte"), counted(largest_, "byte")));
  if (std::isfinite(bound_)) {
    title += fmt::format("the links need at least {:.3f} us\n", bound_ * 1e6);
  }
  return title;
}

std::string MachineContest::verdict() const {
  if (settings_.fast) return fmt::format("modelled {}\n", counted(times_.size(), "exchange"));
  return times_.verdict(!job_.folded, "exchange");
}

nlohmann::json MachineContest::json() const {
  return {{"machine", occupied_.machine.name},  {"ranks", occupied_.layout.ranks()},
          {"pattern", settings_.pattern},       {"maximum_elements", job_.maximum},
          {"element_bytes", settings_.element}, {"largest_load_bytes", largest_},
          {"bound_us", bound_ * 1e6},           {"verified", is_verified()},
          {"wrong_bytes", wrong_bytes()},       {"results", table().json()}};
}

bool MachineContest::is_even() const {
  return settings_.fast && !settings_.at_once && settings_.pattern == "uniform" &&
         occupied_.layout.ranks() > kMostDense;
}

std::vector<bench::SimulatedWay> MachineContest::ways() const {
  std::vector<bench::SimulatedWay> ways;
  for (const std::string& algorithm :
       algorithms_for(occupied_, settings_.algorithms, settings_.grain)) {
    for (const std::string& mode : settings_.modes) {
      for (const std::string& form : settings_.forms) {
        if (can_run(algorithm, form)) ways.push_back({algorithm, mode, form});
      }
    }
  }
  return ways;
}

/// A one-shot exchange of several stages reads labels that are among its payload.
bool MachineContest::can_run(const std::string& algorithm, const std::string& form) const {
  if (!job_.folded || form == "plan") return true;
  return algorithm != kAuto &&
         make_algorithm(algorithm, occupied_.layout, settings_.grain)->stages() == 1;
}

}  // namespace shunt
