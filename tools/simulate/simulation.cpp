#include "tools/simulate/simulation.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "model/node_layout.hpp"
#include "shunt/error.hpp"
#include "tools/common/process.hpp"
#include "tools/common/this_build.hpp"
#include "tools/launch/preload.hpp"

namespace shunt {

namespace {

constexpr const char* kJobFile = "job.json";
constexpr const char* kResultsFile = "results.json";
constexpr const char* kMachineFile = "machine.json";
constexpr const char* kHostsFile = "hosts";
constexpr const char* kProgram = "shunt-simulated";
constexpr const char* kPlatform = "libshunt_platform.so";
constexpr const char* kTorusVariable = "SHUNT_TORUS";

/// MPI_Send is charged its start-up only where it does not wait for the message. Shunt's exchanges
/// make no such calls; but of SMPI's own an allgatherv in a ring does where a rank sends and
/// receives in turn, and would have no start-ups at all. Where all of its sends are charged, none
/// of them waits, for which it takes up to a tenth less.
constexpr const char* kWaitingSends = "smpi/send-is-detached-thresh:0";
constexpr const char* kChargedSends = "smpi/send-is-detached-thresh:2147483647";

/// With these SMPI charges what the machine file says and nothing else, and is exact to the bit:
/// computing, waiting and asking for the time are free, links carry their full rate, and a message
/// leaves when its receiver is there.
constexpr const char* kSettings[] = {
    "smpi/simulate-computation:no",
    "smpi/wtime:0",
    "smpi/test:0",
    "smpi/iprobe:0",
    "smpi/bw-factor:0:1",
    "smpi/lat-factor:0:1",
    kWaitingSends,
    "smpi/barrier:mpich",
    "smpi/alltoallv:mpich",
    "smpi/allgather:mpich",
    // A file of 16 MiB, which a small /dev/shm has room for too.
    "smpi/shared-malloc:global",
    "smpi/shared-malloc-blocksize:16777216",
    "network/crosstraffic:0",
    "network/TCP-gamma:1e30",
    "network/weight-S:0",
    "surf/precision:1e-12",
};

Error not_installed(const std::string& what) { return {ErrorKind::argument, what}; }

std::filesystem::path worker_file(const std::string& name) {
  std::filesystem::path file = find_in_library("smpi", name);
  if (!file.empty()) return file;
  throw not_installed(
      fmt::format("there is no smpi/{}, which runs inside the simulation: build it by `cmake "
                  "--preset smpi && cmake --build --preset smpi`, and where it is not found then, "
                  "set SHUNT_LIBRARY_PATH to build/smpi/lib/shunt",
                  name));
}

std::filesystem::path smpirun_file() {
  std::filesystem::path file = find_program("smpirun");
  if (!file.empty()) return file;
  throw not_installed("there is no smpirun along PATH: install SimGrid (on Debian libsimgrid-dev)");
}

/// Where the library of machines is: beside this command, built or installed.
std::filesystem::path machine_folder() {
  const std::filesystem::path own = own_executable().parent_path();
  std::error_code none;
  for (const char* folder : {"../share/shunt/machines", kThisBuild.machine_files}) {
    auto found = std::filesystem::canonical(own / folder, none);
    if (!none) return found;
  }
  throw not_installed("the library of machines, share/shunt/machines, is not beside this command");
}

void reshape(SimulatedMachine& machine, const std::string& array) {
  const Extents extents = Extents::parse(array);
  machine.nodes = extents.ranks();
  machine.extents.clear();
  for (int k = 0; k < extents.dimensions(); ++k) machine.extents.push_back(extents.extent(k));
}

}  // namespace

OccupiedMachine occupy_machine(const std::string& name, std::optional<Rank> ranks,
                               const std::string& nodes, const std::string& array) {
  const std::filesystem::path path = std::filesystem::absolute(find_machine(name));
  SimulatedMachine machine = read_machine_file(path);
  if (!array.empty() && machine.is_array()) reshape(machine, array);
  Machine layout = nodes.empty() ? machine.with_ranks(ranks.value_or(machine.ranks()))
                                 : machine.with_nodes(read_node_layout(nodes, ranks));
  return {path, std::move(machine), std::move(layout)};
}

std::string why_not_simulated() {
  try {
    (void)worker_file(kProgram);
    (void)worker_file(kPlatform);
    (void)smpirun_file();
    return {};
  } catch (const Error& missing) {
    return missing.what();
  }
}

Simulation::Simulation(const OccupiedMachine& occupied)
    : ranks_(occupied.layout.ranks()),
      program_(linked(worker_file(kProgram))),
      platform_(linked(worker_file(kPlatform))),
      smpirun_(smpirun_file()),
      machine_path_(folder_.path() / kMachineFile) {
  write_machine(occupied);
  std::ofstream hosts(folder_.path() / kHostsFile);
  for (Rank rank = 0; rank < ranks_; ++rank) hosts << occupied.layout.node_of(rank) << "\n";
  if (occupied.machine.topology == NetworkTopology::torus)
    torus_ = occupied.machine.array_of_ranks().name();
}

/// A name for it in the folder: smpirun splits names at blanks.
std::filesystem::path Simulation::linked(const std::filesystem::path& file) const {
  std::filesystem::path link = folder_.path() / file.filename();
  if (link.string().find(' ') != std::string::npos) {
    throw Error(ErrorKind::argument,
                fmt::format("TMPDIR is {}; simulations need a folder without blanks in its name",
                            folder_.path().parent_path().string()));
  }
  std::filesystem::create_symlink(file, link);
  return link;
}

/// Its file, but for the extents that it is to have instead.
void Simulation::write_machine(const OccupiedMachine& occupied) const {
  std::ifstream file(occupied.path);
  auto machine = nlohmann::json::parse(file);
  if (!occupied.machine.extents.empty()) machine["extents"] = occupied.machine.extents;
  std::ofstream(machine_path_) << machine;
}

SimulationResults Simulation::run(bench::SimulationJob job, const std::string& built_in) const {
  job.machine = machine_path_;
  job.results = folder_.path() / kResultsFile;
  std::filesystem::remove(job.results);
  std::ofstream(folder_.path() / kJobFile) << nlohmann::json(job);
  setenv(bench::kMachineVariable, machine_path_.c_str(), 1);
  run_aside(command(built_in));
  return read_results(built_in.empty() ? "Shunt's exchanges" : built_in);
}

std::vector<std::string> Simulation::command(const std::string& built_in) const {
  // Copies of the program and of libraries are in the folder too. SimGrid 3.32's own option for it,
  // -tmpdir, takes what follows for the program.
  std::vector<std::string> command{"env", fmt::format("TMPDIR={}", folder_.path().string())};
  if (!torus_.empty() && std::getenv(kTorusVariable) == nullptr) {
    command.push_back(fmt::format("{}={}", kTorusVariable, torus_));
  }
  command.insert(command.end(), {smpirun_, "-np", std::to_string(ranks_), "-platform", platform_,
                                 "-hostfile", folder_.path() / kHostsFile});
  for (const char* setting : kSettings) command.push_back(fmt::format("--cfg={}", setting));
  if (!built_in.empty()) {
    command.push_back(fmt::format("--cfg=smpi/{}", built_in));
    if (built_in.starts_with("allgatherv:")) {
      command.push_back(fmt::format("--cfg={}", kChargedSends));
    }
  }
  command.insert(command.end(), {"--log=root.thres:critical", program_, folder_.path() / kJobFile});
  return command;
}

/// SMPI's exit status says little: it is 0 after a deadlock. The last line says that all is over.
SimulationResults Simulation::read_results(const std::string& what) const {
  SimulationResults results;
  std::ifstream file(folder_.path() / kResultsFile);
  for (std::string line; std::getline(file, line);) {
    const auto answer = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (answer.contains("way")) {
      results.times.push_back(answer.get<bench::SimulatedTime>());
    } else if (answer.contains("wrong_bytes")) {
      results.end = answer.get<bench::SimulationEnd>();
      return results;
    }
  }
  throw Error(ErrorKind::communication,
              fmt::format("the simulation of {} broke off; what it said is above", what));
}

std::filesystem::path find_machine(const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(".json")) return name;
  std::filesystem::path file = machine_folder() / (name + ".json");
  if (std::filesystem::is_regular_file(file)) return file;
  throw Error(ErrorKind::argument,
              fmt::format("there is no machine \"{}\"; `shunt simulate --machines` lists them, and "
                          "a file's name ends in .json",
                          name));
}

std::vector<SimulatedMachine> machine_library() {
  std::vector<SimulatedMachine> machines;
  for (const auto& entry : std::filesystem::directory_iterator(machine_folder())) {
    if (entry.path().extension() == ".json") machines.push_back(read_machine_file(entry.path()));
  }
  std::ranges::sort(machines, {}, &SimulatedMachine::name);
  return machines;
}

}  // namespace shunt
