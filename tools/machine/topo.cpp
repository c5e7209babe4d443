// shunt topo: the machine as Shunt sees it, and where the ranks are.
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/counted.hpp"
#include "tools/common/array_text.hpp"
#include "tools/common/hardware.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/size_text.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"
#include "tools/launch/launch.hpp"
#include "tools/session/bench_common.hpp"
#include "tools/session/node_report.hpp"

namespace shunt {

namespace {

struct TopoSettings {
  int launch = 0;
  bool json = false;
};

/// Ascending numbers in words: "0-3, 6".
std::string ranges_text(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[first]);
    if (last > first) text += fmt::format("-{}", numbers[last]);
    first = last + 1;
  }
  return text;
}

std::vector<Column> hardware_columns() {
  return {{"packages"}, {"cores"}, {"processing units"}, {"NUMA nodes"}, {"memory"}};
}

std::vector<Cell> hardware_cells(const nlohmann::json& hardware) {
  return {hardware["packages"].get<int>(), hardware["cores"].get<int>(),
          hardware["processing_units"].get<int>(), hardware["numa_nodes"].get<int>(),
          size_text(hardware["memory_bytes"].get<std::uint64_t>())};
}

std::string machine_text(const nlohmann::json& hardware) {
  Table machine(hardware_columns());
  machine.add(hardware_cells(hardware));
  Table caches(
      {{"cache", Align::left}, {"size"}, {"how many"}, {"processing units that share one"}});
  for (const nlohmann::json& cache : hardware["caches"]) {
    caches.add({cache["name"].get<std::string>(), size_text(cache["bytes"].get<std::uint64_t>()),
                cache["count"].get<int>(), cache["processing_units"].get<int>()});
  }
  return fmt::format("{}\n{}\nthis process may use processors {}\n", machine.text(), caches.text(),
                     ranges_text(hardware["processors"].get<std::vector<int>>()));
}

/// The machines that the nodes are on, each once.
std::string hosts_text(const nlohmann::json& nodes) {
  std::vector<Column> columns = hardware_columns();
  columns.insert(columns.begin(), {"host", Align::left});
  Table table(columns);
  std::set<std::string> known;
  for (const nlohmann::json& node : nodes) {
    const auto host = node["host"].get<std::string>();
    if (!known.insert(host).second) continue;
    std::vector<Cell> cells = hardware_cells(node["hardware"]);
    cells.insert(cells.begin(), host);
    table.add(std::move(cells));
  }
  return table.text();
}

std::string nodes_text(const nlohmann::json& nodes) {
  Table table({{"node"},
               {"host", Align::left},
               {"ranks"},
               {"processors"},
               {"shared memory of a rank"},
               {"which ranks", Align::left}});
  for (const nlohmann::json& node : nodes) {
    const auto ranks = node["ranks"].get<std::vector<int>>();
    const auto shared = node["shared_bytes_per_rank"].get<std::uint64_t>();
    table.add({node["node"].get<int>(), node["host"].get<std::string>(), ranks.size(),
               node["processors"].get<int>(), shared == 0 ? "none" : size_text(shared),
               ranges_text(ranks)});
  }
  return table.text();
}

/// The nodes with more ranks than processors.
std::string crowds_text(const nlohmann::json& nodes) {
  std::vector<int> crowded;
  for (const nlohmann::json& node : nodes) {
    const auto processors = node["processors"].get<std::size_t>();
    if (node["ranks"].size() > processors) crowded.push_back(node["node"].get<int>());
  }
  if (crowded.empty()) return "no node has more ranks than processors";
  return fmt::format("more ranks than processors on node{} {}", crowded.size() > 1 ? "s" : "",
                     ranges_text(crowded));
}

/// What "auto" does not take MPI's own functions for.
std::string faults_text(const nlohmann::json& faults) {
  if (faults.empty()) return "";
  Table table(
      {{"function", Align::left}, {"with", Align::left}, {"MPI's own", Align::left, "mpi_own"}});
  for (const nlohmann::json& fault : faults) {
    table.add({fault["function"].get<std::string>(), fault["with"].get<std::string>(),
               fault["happens"].get<std::string>()});
  }
  return fmt::format("\nfaults of this MPI that auto keeps away from:\n\n{}", table.text());
}

std::string ranks_text(const nlohmann::json& report) {
  const nlohmann::json& nodes = report["nodes"];
  const nlohmann::json& layout = report["shunt_nodes"];
  const nlohmann::json& array = report["four_stage_array"];
  const std::string source =
      layout.is_null() ? "as the machine has them"
                       : fmt::format("as SHUNT_NODES={} has them", layout.get<std::string>());
  return fmt::format(
      "{}\n{} on {}, {}\nfour-stage would use an array of {}\n{}\n\n{}\n{}{}",
      report["mpi"].get<std::string>(), counted(report["ranks"].get<std::size_t>(), "rank"),
      counted(nodes.size(), "node"), source,
      array_text(NodeArray(report["ranks"].get<Rank>(), array["columns"].get<Rank>())),
      crowds_text(nodes), nodes_text(nodes), hosts_text(nodes), faults_text(report["mpi_faults"]));
}

void show_machine(bool json) {
  if (!launched_as_rank()) {
    const nlohmann::json hardware = describe_hardware();
    if (json) {
      print_json({"shunt-topo"}, {{"hardware", hardware}});
    } else {
      fmt::print("{}", machine_text(hardware));
    }
    return;
  }
  const MpiSession mpi;
  const nlohmann::json report = describe_nodes();
  if (!mpi.reports()) return;
  if (json) {
    print_json({"shunt-topo"}, report);
  } else {
    fmt::print("{}", ranks_text(report));
  }
}

}  // namespace

void add_topo(Command app) {
  const Command command = app.add_subcommand(
      "topo", "Show the machine, and under mpirun the nodes that Shunt finds the ranks on");
  auto settings = std::make_shared<TopoSettings>();
  command
      .add_option("-n,--ranks", settings->launch,
                  "Start this many ranks;\nnot needed under mpirun or srun")
      .between(1, 1 << 20);
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings] {
    if (settings->launch > 0 && !launched_as_rank()) launch_ranks(settings->launch);
    show_machine(settings->json);
  });
}

}  // namespace shunt
