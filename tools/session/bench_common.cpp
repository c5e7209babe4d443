#include "tools/session/bench_common.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/registry.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic_file.hpp"
#include "model/configuration.hpp"
#include "model/counted.hpp"
#include "model/wisdom_file.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

std::string wisdom_line() {
  const auto path = wisdom_file();
  return path ? fmt::format("wisdom: {}\n", path->string()) : "";
}

std::vector<Mode> modes_named(const std::vector<std::string>& names) {
  std::vector<Mode> modes;
  for (const Mode mode : {Mode::blocking, Mode::single_buffer, Mode::dual_buffer}) {
    if (contains(names, name_of(mode))) modes.push_back(mode);
  }
  return modes;
}

void set_forms(bench::ContestOptions& options, const std::vector<std::string>& names) {
  options.plans = contains(names, "plan");
  options.one_shots = contains(names, "one-shot");
}

void check_algorithm(const std::string& name, Rank ranks, Bytes grain) {
  if (name == "auto" || name == "native") return;
  const auto algorithm = make_algorithm(name, ranks, grain);
  for (Rank rank = 0; rank < ranks; ++rank) {
    if (algorithm->supports_pair(rank, ranks - 1 - rank)) continue;
    throw Error(ErrorKind::argument,
                fmt::format("algorithm {} does not carry blocks between all ranks, as the bench's "
                            "traffic needs",
                            name));
  }
}

void check_configuration(const std::string& configuration, Rank ranks, Bytes grain) {
  const Configuration options = read_configuration(configuration, {.grain = grain});
  check_algorithm(options.algorithm, ranks, options.grain);
}

void check_allgather(const std::string& name, Rank ranks) {
  if (name == "auto" || name == "native") return;
  (void)make_allgather(name, Sources(std::vector<Bytes>(static_cast<std::size_t>(ranks), 0)));
}

Bytes maximum_within(Bytes load, const std::string& pattern, TrafficShape shape, int element) {
  Bytes fits = 0;
  for (Bytes exceeds = load / element + 1; exceeds - fits > 1;) {
    shape.maximum = fits + (exceeds - fits) / 2;
    const Loads loads = loads_of(*make_traffic(pattern, shape), element);
    (std::ranges::max(loads.out) <= load ? fits : exceeds) = shape.maximum;
  }
  return fits;
}

std::vector<SizedLoad> sized_loads(const std::vector<Bytes>& loads, const std::string& pattern,
                                   const TrafficShape& shape, int element) {
  if (is_traffic_file(pattern)) {
    const auto traffic = make_traffic(pattern, shape);
    return {{std::ranges::max(loads_of(*traffic, element).out), maximum_of(*traffic, shape)}};
  }
  std::vector<SizedLoad> sized;
  for (const Bytes load : loads) {
    sized.push_back({load, maximum_within(load, pattern, shape, element)});
  }
  return sized;
}

std::string timing_legend(int rounds) {
  return fmt::format(
      "time: the slowest rank of each round; median of {}, interleaved\n"
      "ratio: the median of those in each round\n",
      counted(rounds, "round"));
}

Table results_table(const std::vector<bench::Result>& results, const std::string& reference) {
  Table table({{"algorithm", Align::left},
               {"mode", Align::left},
               {"form", Align::left},
               {"median us"},
               {"least", Align::right, "least_us"},
               {"most", Align::right, "most_us"},
               {reference + "/this", Align::right, derived_key(reference) + "_over_this"}});
  for (const bench::Result& result : results) {
    table.add({result.algorithm, result.mode, result.form, rounded(result.median, 1),
               rounded(result.least, 1), rounded(result.most, 1), rounded(result.native_ratio, 2)});
  }
  return table;
}

}  // namespace shunt
