// shunt algorithms: what there is to choose from.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "subcommands.hpp"
#include "table.hpp"

namespace shunt {

namespace {

/// Up to here the bounds of all ranks are looked at one by one.
constexpr Rank kMostRanks = 65536;

struct Settings {
  Rank ranks = 0;
  bool json = false;
};

Table registry_table() {
  Table table({{"algorithm", Align::left},
               {"source", Align::left},
               {"restriction", Align::left},
               {"start-ups", Align::left},
               {"receive buffer", Align::left}});
  for (const AlgorithmEntry& entry : algorithm_registry()) {
    const std::string name = entry.parameter.empty()
                                 ? std::string(entry.name)
                                 : fmt::format("{}:<{}>", entry.name, entry.parameter);
    table.add({name, entry.source, entry.restriction, entry.start_ups, entry.buffer});
  }
  return table;
}

/// The stated receive buffer of the rank that needs most, in units of a load so large that rounding
/// to whole bytes does not show, when one block may be all of that load.
double buffer_in_loads(const Algorithm& algorithm) {
  const Bytes load = (Bytes{1} << 60) / algorithm.ranks();
  Bytes largest = 0;
  for (Rank rank = 0; rank < algorithm.ranks(); ++rank) {
    largest = std::max(largest, algorithm.buffer_bound(rank, {load, load}));
  }
  return static_cast<double>(largest) / static_cast<double>(load);
}

Table table_for(Rank ranks) {
  Table table({{"algorithm", Align::left}, {"stages"}, {"start-ups"}, {"buffer / Lmax"}});
  for (const std::string& name : algorithm_names(ranks)) {
    const std::unique_ptr<Algorithm> algorithm = make_algorithm(name, ranks, 1);
    table.add({name, algorithm->stages(), algorithm->start_ups(),
               rounded(buffer_in_loads(*algorithm), 3)});
  }
  return table;
}

}  // namespace

void add_algorithms(CLI::App& app) {
  CLI::App* command = app.add_subcommand("algorithms", "List the algorithms");
  auto settings = std::make_shared<Settings>();
  command
      ->add_option("-P,--ranks", settings->ranks,
                   "State the numbers for this many ranks. Lmax is the most\n"
                   "that one rank sends or receives; the buffer is for the\n"
                   "worst traffic, in which one block is all of that")
      ->check(CLI::Range(1, kMostRanks));
  command->add_flag("--json", settings->json, "Print JSON");
  command->callback([settings] {
    print(settings->ranks > 0 ? table_for(settings->ranks) : registry_table(), settings->json);
  });
}

}  // namespace shunt
