#include "tools/simulate/simulated_times.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <fmt/format.h>

#include "model/counted.hpp"

namespace shunt {

namespace {

using bench::SimulatedTime;

/// Nothing where the ratio says nothing.
Cell ratio(double over, double under, int decimals) {
  const double value = over / under;
  return std::isfinite(value) ? rounded(value, decimals) : Cell();
}

}  // namespace

void SimulatedTimes::run(const Simulation& simulation, bench::SimulationJob job,
                         const std::vector<std::string>& built_in) {
  if (!job.ways.empty()) add(simulation.run(job, ""), "");
  for (const std::string& name : built_in) {
    fmt::print(stderr, "{}: ", name);
    job.ways = {{name.substr(0, name.find(':')), "", ""}};
    add(simulation.run(job, name), name);
  }
}

Table SimulatedTimes::table(std::optional<double> bound) const {
  std::vector<Column> columns{{"algorithm", Align::left},
                              {"mode", Align::left},
                              {"form", Align::left},
                              {"time us"},
                              {"best built-in/this", Align::right, "best_built_in_over_this"}};
  if (bound) columns.push_back({"bound/this", Align::right, "bound_over_this"});
  Table table(columns);
  std::vector<SimulatedTime> sorted = times_;
  std::ranges::stable_sort(sorted, {}, &SimulatedTime::seconds);
  for (const SimulatedTime& time : sorted) {
    const double us = time.seconds * 1e6;
    std::vector<Cell> row{time.way.algorithm, time.way.mode, time.way.form,
                          Cell(fmt::format("{:.3f}", us), us),
                          ratio(best_built_in(), time.seconds, 2)};
    if (bound) row.push_back(ratio(*bound, time.seconds, 3));
    table.add(std::move(row));
  }
  return table;
}

std::string SimulatedTimes::verdict(bool verified, const std::string& what) const {
  const std::string runs = counted(runs_, what);
  if (!verified) return fmt::format("timed {}, payloads not real\n", runs);
  return fmt::format("verified {}, {}\n", runs, counted(wrong_, "wrong byte"));
}

/// Not finite where there is none.
double SimulatedTimes::best_built_in() const {
  double best = std::numeric_limits<double>::infinity();
  for (const SimulatedTime& time : times_) {
    if (time.way.form == kBuiltIn) best = std::min(best, time.seconds);
  }
  return best;
}

void SimulatedTimes::add(const SimulationResults& results, const std::string& built_in) {
  runs_ += results.end.exchanges;
  wrong_ += results.end.wrong_bytes;
  for (SimulatedTime time : results.times) {
    if (!built_in.empty()) time.way = {built_in, "", kBuiltIn};
    times_.push_back(time);
  }
}

}  // namespace shunt
