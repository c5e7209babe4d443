// shunt patterns: the traffics that the other subcommands can be given.
#include "lab/traffic/patterns.hpp"

#include <memory>

#include <fmt/format.h>

#include "lab/traffic/traffic.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"

namespace shunt {

void add_patterns(Command app) {
  auto json = std::make_shared<bool>(false);
  const Command command = app.add_subcommand("patterns", "List the traffic patterns");
  command.add_flag("--json", *json, "Print JSON");
  command.set_action([json] {
    Table table({{"pattern", Align::left}, {"parameter", Align::left}, {"traffic", Align::left}});
    for (const TrafficPattern& pattern : traffic_patterns()) {
      table.add({pattern.name, pattern.parameter, pattern.summary});
    }
    // Not patterns, but given in the same place.
    table.add({"FILE.mtx", "",
               "a block for a sparse matrix's entries in the rows of one rank and "
               "the columns of another"});
    table.add({"FILE.shunt", "#k", "the first matrix of a trace, or matrix k, from 0"});
    print(table, {"shunt-patterns"}, *json);
  });
}

}  // namespace shunt
