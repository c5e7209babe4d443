#include "tools/bench/grid_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "model/json_object.hpp"
#include "planner/trials.hpp"

namespace shunt {

namespace {

constexpr JsonFormat kGridFormat{"shunt-grid", 2, "a grid of times", Bytes{1} << 28};
constexpr std::int64_t kMostGridBytes = std::numeric_limits<std::int64_t>::max();

/// To the nanosecond, which clocks do not divide.
double grid_time(double microseconds) { return std::round(microseconds * 1e3) / 1e3; }

nlohmann::json grid_json(const GridWay& way) {
  nlohmann::json times = nlohmann::json::array();
  for (const double time : way.microseconds) times.push_back(grid_time(time));
  nlohmann::json object = {{"algorithm", way.algorithm}, {"us", std::move(times)}};
  if (!way.chosen.empty()) object["chosen"] = way.chosen;
  if (way.predicted) {
    object["predicted_us"] = grid_time(way.predicted->from_traffic * 1e6);
    object["by_bounds_us"] = grid_time(way.predicted->by_bounds * 1e6);
  }
  return object;
}

nlohmann::json grid_json(const GridCell& cell) {
  nlohmann::json ways = nlohmann::json::array();
  for (const GridWay& way : cell.ways) ways.push_back(grid_json(way));
  return {{"pattern", cell.pattern},
          {"load", cell.load},
          {"maximum", cell.maximum},
          {"form", cell.form},
          {"ways", std::move(ways)}};
}

std::string grid_job_text(const GridJob& job) {
  const std::string unverified =
      job.unverified > 0 ? fmt::format(" \"unverified\": {},", job.unverified) : "";
  std::string text = fmt::format(
      "{{\"where\": {}, \"ranks\": {}, \"exchanges\": {},{} \"wrong_bytes\": {},\n"
      "\"provenance\": {},\n\"cells\": [",
      nlohmann::json(job.where).dump(), job.ranks, job.exchanges, unverified, job.wrong_bytes,
      job.provenance.dump());
  const char* separator = "\n";
  for (const GridCell& cell : job.cells) {
    text.append(separator).append(grid_json(cell).dump());
    separator = ",\n";
  }
  return text + "]}";
}

GridWay grid_way(const JsonObject& object) {
  GridWay way;
  way.algorithm = object.text("algorithm");
  if (object.has("predicted_us")) {
    way.predicted = {object.amount("predicted_us", "microseconds") * 1e-6,
                     object.amount("by_bounds_us", "microseconds") * 1e-6};
  }
  for (const nlohmann::json& time : object.list("us", "numbers")) {
    const double microseconds = time.is_number() ? time.get<double>() : -1;
    if (!(microseconds >= 0) || !std::isfinite(microseconds)) {
      object.fail("\"us\" must be a list of numbers of microseconds, 0 or more");
    }
    way.microseconds.push_back(microseconds);
  }
  if (!object.has("chosen")) return way;
  for (const nlohmann::json& name : object.list("chosen", "names")) {
    if (!name.is_string()) object.fail("\"chosen\" must be a list of names");
    way.chosen.push_back(name.get<std::string>());
  }
  return way;
}

GridCell grid_cell(const JsonObject& object) {
  GridCell cell;
  cell.pattern = object.text("pattern");
  cell.load = object.whole("load", 0, kMostGridBytes);
  cell.maximum = object.whole("maximum", 0, kMostGridBytes);
  cell.form = object.text("form");
  for (const nlohmann::json& way : object.list("ways", "objects")) {
    cell.ways.push_back(grid_way(object.inside(way, "ways")));
  }
  const auto names = [](const GridWay& way) { return std::string_view(way.algorithm); };
  if (std::ranges::count(cell.ways, kAuto, names) != 1 ||
      std::ranges::none_of(cell.ways, is_native, names)) {
    object.fail("\"ways\" must be auto, once, and MPI's own, and may be others");
  }
  const std::size_t rounds = rounds_of(cell);
  for (const GridWay& way : cell.ways) {
    const std::size_t count = way.microseconds.size();
    if (count == 0 || count > rounds || (is_native(way.algorithm) && count < rounds)) {
      object.fail(
          "all \"ways\" of a cell must have a round, auto and MPI's own the same number, and no "
          "other one more");
    }
  }
  return cell;
}

GridJob grid_job(const JsonObject& object) {
  GridJob job;
  job.where = object.text("where");
  job.ranks = static_cast<Rank>(object.whole("ranks", 1, std::numeric_limits<Rank>::max()));
  job.exchanges = object.whole("exchanges", 0, kMostGridBytes);
  if (object.has("unverified")) job.unverified = object.whole("unverified", 0, job.exchanges);
  job.wrong_bytes = object.whole("wrong_bytes", 0, kMostGridBytes);
  job.provenance = object.at("provenance");
  for (const nlohmann::json& cell : object.list("cells", "objects")) {
    job.cells.push_back(grid_cell(object.inside(cell, "cells")));
  }
  return job;
}

std::vector<GridJob> grid_jobs(const JsonObject& object) {
  std::vector<GridJob> jobs;
  for (const nlohmann::json& job : object.list("jobs", "objects")) {
    jobs.push_back(grid_job(object.inside(job, "jobs")));
  }
  return jobs;
}

}  // namespace

std::size_t rounds_of(const GridCell& cell) {
  return std::ranges::find(cell.ways, kAuto, &GridWay::algorithm)->microseconds.size();
}

bool is_native(std::string_view algorithm) {
  return algorithm == kNative || algorithm.starts_with("alltoall");
}

std::string grid_text(const std::vector<GridJob>& jobs, const nlohmann::json& summary) {
  std::string text =
      fmt::format("{{\"format\": \"{}\", \"version\": {},\n\"summary\": {},\n\"jobs\": [",
                  kGridFormat.name, kGridFormat.version, summary.dump());
  const char* separator = "\n";
  for (const GridJob& job : jobs) {
    text.append(separator).append(grid_job_text(job));
    separator = ",\n";
  }
  return text + "]}\n";
}

std::vector<GridJob> read_grid_file(const std::string& path) {
  const nlohmann::json object = read_json_file(path, kGridFormat);
  return grid_jobs({path, object});
}

std::vector<GridJob> parse_grid(const std::string& source, std::string_view text) {
  const nlohmann::json object = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  const JsonObject reader(source, object);
  if (!object.is_object()) reader.fail("this is no grid of times");
  return grid_jobs(reader);
}

}  // namespace shunt
