#include "tools/launch/launch.hpp"

#include <cstdlib>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "tools/common/options.hpp"
#include "tools/common/process.hpp"
#include "tools/common/this_build.hpp"

namespace shunt {

namespace {

/// The launcher and its flags, without the number of ranks.
std::vector<std::string> launcher(int ranks) {
  if (const char* given = std::getenv("SHUNT_MPIRUN"); given != nullptr) {
    std::istringstream words(given);
    std::vector<std::string> command;
    for (std::string word; words >> word;) command.push_back(word);
    if (!command.empty()) return command;
  }
  std::vector<std::string> command{kThisBuild.launcher};
  const bool crowded = ranks > static_cast<int>(std::thread::hardware_concurrency());
  if (std::string_view(kThisBuild.mpi) == "openmpi" && crowded) {
    // Idle ranks give way to those that have work, and no rank is tied to a core.
    for (const char* flag :
         {"--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"}) {
      command.emplace_back(flag);
    }
  }
  return command;
}

}  // namespace

bool launched_as_rank() {
  for (const char* variable :
       {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MPI_LOCALRANKID", "SMPI_GLOBAL_SIZE"}) {
    if (std::getenv(variable) != nullptr) return true;
  }
  return false;
}

CommandLine& command_line() {
  static CommandLine line;
  return line;
}

std::vector<std::string> ranks_command(int ranks, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = launcher(ranks);
  words.emplace_back("-n");
  words.push_back(std::to_string(ranks));
  words.push_back(own_executable());
  words.insert(words.end(), arguments.begin(), arguments.end());
  if (geteuid() == 0) {
    // Containers have only root; Open MPI wants to hear it twice.
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
  }
  return words;
}

void launch_ranks(int ranks) {
  const auto [argc, argv] = command_line();
  throw Ended(run_through(ranks_command(ranks, {argv + 1, argv + argc})));
}

}  // namespace shunt
