#include "tools/papers/simulated_figure.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "lab/traffic/source_patterns.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

using bench::SimulatedTime;
using bench::SimulatedWay;

/// The ways to make each exchange, and then their times.
using Times = std::map<SimulatedPoint, std::vector<SimulatedTime>>;

bool same(const SimulatedWay& a, const SimulatedWay& b) {
  return a.algorithm == b.algorithm && a.mode == b.mode && a.form == b.form;
}

const SimulatedTime* find(const std::vector<SimulatedTime>& times, const SimulatedWay& way) {
  const auto found =
      std::ranges::find_if(times, [&](const SimulatedTime& time) { return same(time.way, way); });
  return found == times.end() ? nullptr : &*found;
}

Times times_needed(const std::vector<SimulatedFigure>& figures) {
  Times times;
  for (const SimulatedFigure& figure : figures) {
    for (const SimulatedPanel& panel : figure.panels) {
      for (const SimulatedPanel::At& at : panel.at) {
        std::vector<SimulatedTime>& needed = times[at.point];
        for (const SimulatedCurve& curve : panel.curves) {
          if (find(needed, curve.way) == nullptr) needed.push_back({curve.way, 0});
        }
      }
    }
  }
  return times;
}

/// Blocks are cut between elements, as in the papers.
bench::SimulationJob job_of(const SimulatedPoint& point, const std::vector<SimulatedTime>& needed) {
  bench::SimulationJob job;
  if (!point.sources.empty()) {
    job.blocks =
        with_equal_blocks(point.ranks, point.sources, point.maximum * point.element).lengths();
  }
  job.pattern = point.pattern;
  job.maximum = point.maximum;
  job.background = 1;
  job.element = point.element;
  job.grain = point.element;
  job.announces = false;
  for (const SimulatedTime& time : needed) {
    job.ways.push_back(time.way);
    std::string& name = job.ways.back().algorithm;
    if (name.ends_with(':')) name += point.array;
  }
  return job;
}

void run(const SimulatedPoint& point, std::vector<SimulatedTime>& times,
         const std::string& built_in) {
  const OccupiedMachine occupied =
      occupy_machine(point.machine, point.nodes.empty() ? std::optional(point.ranks) : std::nullopt,
                     point.nodes, point.array);
  const SimulationResults results = Simulation(occupied).run(job_of(point, times), built_in);
  if (results.end.wrong_bytes > 0) {
    throw Error(ErrorKind::communication,
                fmt::format("{} bytes were wrong after {} on {} simulated ranks of {}",
                            results.end.wrong_bytes, point.pattern, point.ranks, point.machine));
  }
  for (std::size_t i = 0; i < times.size(); ++i) times[i].seconds = results.times[i].seconds;
}

Panel panel_of(const SimulatedPanel& simulated, const Times& times) {
  Panel panel{simulated.title, {}};
  for (const SimulatedCurve& curve : simulated.curves) {
    Curve points{curve.name, {}};
    for (const SimulatedPanel::At& at : simulated.at) {
      points.points.push_back({at.x, find(times.at(at.point), curve.way)->seconds});
    }
    panel.curves.push_back(std::move(points));
  }
  return panel;
}

}  // namespace

std::vector<LineChart> simulated(const std::vector<SimulatedFigure>& figures,
                                 const std::string& built_in) {
  Times times = times_needed(figures);
  int number = 0;
  for (auto& [point, of_point] : times) {
    fmt::print(stderr, "simulating {} of {}: {}, {} ranks, {}, up to {} elements\n", ++number,
               times.size(), point.machine, point.ranks, point.pattern, point.maximum);
    run(point, of_point, built_in);
  }
  std::vector<LineChart> charts;
  for (const SimulatedFigure& figure : figures) {
    charts.push_back(figure.frame);
    for (const SimulatedPanel& panel : figure.panels) {
      charts.back().panels.push_back(panel_of(panel, times));
    }
  }
  return charts;
}

}  // namespace shunt
