// shunt trace: what is in a trace, without running it.
#include <cstdint>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/traffic/trace_use.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"
#include "tools/trace/trace_table.hpp"

namespace shunt {

namespace {

struct TraceSettings {
  std::string path;
  bool json = false;
};

/// `seconds` of so many calls, as microseconds of one.
Cell per_call(double seconds, std::int64_t calls) {
  return calls == 0 || seconds == 0 ? Cell()
                                    : rounded(seconds * 1e6 / static_cast<double>(calls), 1);
}

Table matrices_table(TraceFile& file) {
  Table table({{"matrix"},
               {"kind", Align::left},
               {"function", Align::left},
               {"calls"},
               {"bytes"},
               {"longest block", Align::right, "longest_block_bytes"},
               {"filled %", Align::right, "filled_percent"},
               {"imbalance"},
               {"slowest us"},
               {"fastest us"}});
  const std::vector<MatrixUse> uses = uses_of(file.head(), file.matrices());
  for (std::size_t k = 0; k < uses.size(); ++k) {
    const MatrixShape shape = shape_of(file, k);
    table.add({k, file.head().allgathers.contains(k) ? "allgather" : "exchange",
               fmt::format("{}", fmt::join(uses[k].functions, " ")), uses[k].calls, shape.bytes,
               shape.longest_block, rounded(100 * shape.filled, 1), rounded(shape.imbalance, 2),
               per_call(uses[k].seconds, uses[k].calls), per_call(uses[k].fastest, uses[k].calls)});
  }
  return table;
}

void show(const TraceSettings& settings) {
  nlohmann::json report = nlohmann::json::array();
  const std::vector<std::string> paths = trace_paths(settings.path);
  for (const std::string& path : paths) {
    TraceFile file(path);
    const Table table = matrices_table(file);
    if (settings.json) {
      report.push_back(head_json(path, file));
      report.back()["matrices"] = table.json();
    } else {
      fmt::print("{}{}{}", path == paths.front() ? "" : "\n", headline(path, file), table.text());
    }
  }
  // Not "shunt-trace", which is the file.
  if (settings.json) print_json({"shunt-trace-summary"}, {{"traces", report}});
}

}  // namespace

void add_trace(Command app) {
  const Command command =
      app.add_subcommand("trace", "Show what a recorded trace has, without running it");
  auto settings = std::make_shared<TraceSettings>();
  command.add_option("trace", settings->path, "A trace (.shunt), or a folder of traces").required();
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings] { show(*settings); });
}

}  // namespace shunt
