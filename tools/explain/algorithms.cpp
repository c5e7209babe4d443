// shunt algorithms: what there is to choose from.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/registry.hpp"
#include "planner/candidates.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"

namespace shunt {

namespace {

/// Up to here the bounds of all ranks are looked at one by one.
constexpr Rank kMostListedRanks = 65536;

struct Settings {
  Rank ranks = 0;
  bool allgather = false;
  bool candidates = false;
  bool json = false;
};

template <class Entry>
std::string name_of(const Entry& entry) {
  if (entry.parameter.empty()) return std::string(entry.name);
  return fmt::format("{}:<{}>", entry.name, entry.parameter);
}

/// Nothing where there is none.
template <class Entry>
Cell alias_of(const Entry& entry) {
  return entry.alias.empty() ? Cell() : Cell(entry.alias);
}

Table allgather_table() {
  Table table({{"algorithm", Align::left},
               {"alias", Align::left},
               {"source", Align::left},
               {"restriction", Align::left},
               {"start-ups", Align::left, "start_ups_formula"}});
  for (const AllgatherEntry& entry : allgather_registry()) {
    table.add({name_of(entry), alias_of(entry), entry.source, entry.restriction, entry.start_ups});
  }
  return table;
}

Table registry_table() {
  Table table({{"algorithm", Align::left},
               {"alias", Align::left},
               {"source", Align::left},
               {"restriction", Align::left},
               {"start-ups", Align::left, "start_ups_formula"},
               {"receive buffer", Align::left, "receive_buffer_formula"}});
  for (const AlgorithmEntry& entry : algorithm_registry()) {
    table.add({name_of(entry), alias_of(entry), entry.source, entry.restriction, entry.start_ups,
               entry.buffer});
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
  Table table({{"algorithm", Align::left},
               {"stages"},
               {"start-ups"},
               {"buffer / Lmax", Align::right, "buffer_over_largest_load"}});
  for (const std::string& name : algorithm_names(ranks)) {
    const std::unique_ptr<Algorithm> algorithm = make_algorithm(name, ranks, 1);
    table.add({name, algorithm->stages(), algorithm->start_ups(),
               rounded(buffer_in_loads(*algorithm), 3)});
  }
  return table;
}

/// Where every rank is a source: then no step is without a message.
Table allgather_table_for(Rank ranks) {
  const Sources all(std::vector<Bytes>(static_cast<std::size_t>(ranks), 1));
  Table table({{"algorithm", Align::left}, {"stages"}, {"start-ups"}});
  for (const std::string& name : allgather_names(ranks)) {
    const std::unique_ptr<Allgather> allgather = make_allgather(name, all);
    table.add({name, allgather->stages(), allgather->start_ups()});
  }
  return table;
}

const char* text_of(CandidatePlace place) {
  switch (place) {
    case CandidatePlace::by_model:
      return "by the model";
    case CandidatePlace::last:
      return "last";
    case CandidatePlace::first:
      return "first";
  }
  return "";
}

/// What "auto" tries, and MPI's own collective after it.
template <class Case>
Table candidates_table(const std::vector<CandidateRule<Case>>& rules) {
  Table table({{"candidates", Align::left},
               {"place", Align::left},
               {"when", Align::left},
               {"why", Align::left}});
  for (const CandidateRule<Case>& rule : rules) {
    table.add({fmt::format("{}", fmt::join(rule.candidates, ", ")), text_of(rule.place), rule.when,
               rule.why});
  }
  table.add({kNative, text_of(CandidatePlace::last), kNativeWhen, kNativeWhy});
  return table;
}

Table table_of(const Settings& settings) {
  if (settings.candidates) {
    return settings.allgather ? candidates_table(allgatherv_candidates())
                              : candidates_table(alltoallv_candidates());
  }
  if (settings.allgather) {
    return settings.ranks > 0 ? allgather_table_for(settings.ranks) : allgather_table();
  }
  return settings.ranks > 0 ? table_for(settings.ranks) : registry_table();
}

}  // namespace

void add_algorithms(Command app) {
  const Command command = app.add_subcommand("algorithms", "List the algorithms");
  auto settings = std::make_shared<Settings>();
  const Option ranks = command
                           .add_option("-P,--ranks", settings->ranks,
                                       "State the numbers for this many ranks. Lmax is the most\n"
                                       "that one rank sends or receives; the buffer is for the\n"
                                       "worst traffic, in which one block is all of that.\n"
                                       "In an all-gather every rank is a source")
                           .between(1, kMostListedRanks);
  command.add_flag("--allgather", settings->allgather, "List the algorithms of all-gathers");
  command
      .add_flag("--candidates", settings->candidates,
                "List what \"auto\" tries, when and why: by the\n"
                "model, those that it expects to take at most\n"
                "twice the least time; first and last, others")
      .excludes(ranks);
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action(
      [settings] { print(table_of(*settings), {"shunt-algorithms"}, settings->json); });
}

}  // namespace shunt
