// shunt run: a program of MPI, unchanged, with Shunt in the place of MPI's all-to-all collectives.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "environment/variables.hpp"
#include "model/configuration.hpp"
#include "model/parse.hpp"
#include "shunt/error.hpp"
#include "tools/common/names.hpp"
#include "tools/common/process.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/launch/preload.hpp"

namespace shunt {

namespace {

constexpr const char* kPreload = "LD_PRELOAD";

struct RunSettings {
  std::string mpi;
  std::string algorithm;
  std::string allgather;
  std::string mode;
  std::string packet;
  std::string memory;
  std::string statistics;
  std::string trace;
  bool check = false;
  bool disable = false;
  bool verbose = false;
};

using Words = std::vector<std::string>;

void set_variable(const char* name, const std::string& value) {
  if (!value.empty()) setenv(name, value.c_str(), 1);
}

/// Ranks may be started in another folder.
void set_path(const char* name, const std::string& path) {
  if (!path.empty()) set_variable(name, std::filesystem::absolute(path));
}

void set_variables(const RunSettings& settings) {
  if (!settings.algorithm.empty()) {
    expect_algorithm(read_configuration(settings.algorithm, {}).algorithm);
  }
  set_variable("SHUNT_ALGORITHM", settings.algorithm);
  if (!settings.allgather.empty()) expect_allgather(settings.allgather);
  set_variable("SHUNT_ALLGATHER", settings.allgather);
  set_variable("SHUNT_MODE", settings.mode);
  set_variable("SHUNT_PACKET", settings.packet);
  if (!settings.memory.empty() && !parse_bytes(settings.memory)) {
    throw Error(ErrorKind::argument,
                fmt::format("--memory is \"{}\"; it is a number of bytes, with K, M or G behind it "
                            "for 2^10, 2^20 or 2^30 of them, or 0",
                            settings.memory));
  }
  set_variable("SHUNT_MEMORY", settings.memory);
  set_variable("SHUNT_CHECK", settings.check ? "1" : "");
  set_variable("SHUNT_DISABLE", settings.disable ? "1" : "");
  set_variable("SHUNT_VERBOSE", settings.verbose ? "1" : "");
  set_path("SHUNT_STATS", settings.statistics);
  set_path("SHUNT_TRACE", settings.trace);
}

/// `library` behind what is preloaded already.
std::string behind(const std::string& preloaded, const std::string& library) {
  return preloaded.empty() ? library : preloaded + ":" + library;
}

std::string preloaded_here() {
  const char* value = std::getenv(kPreload);
  return value == nullptr ? "" : value;
}

/// Where the words set LD_PRELOAD themselves: the one that has the value.
std::string* given_preload(Words& words) {
  const std::string assignment = fmt::format("{}=", kPreload);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != "-x" && words[i] != "-genv" && words[i] != "-env") continue;
    if (words[i + 1].starts_with(assignment)) return &words[i + 1];
    if (words[i + 1] != kPreload) continue;
    if (words[i] != "-x") return i + 2 < words.size() ? &words[i + 2] : nullptr;
    // Open MPI takes the value from here.
    words[i + 1] = assignment + preloaded_here();
    return &words[i + 1];
  }
  return nullptr;
}

/// The flag by which a launcher hands a variable to its ranks.
Words flag_for(Launcher launcher, const std::string& name, const std::string& value) {
  if (launcher == Launcher::openmpi) return {"-x", fmt::format("{}={}", name, value)};
  return {"-genv", name, value};
}

/// `words` begin with flags of the launcher; now also with those for all variables that are set.
void add_flags(Words& words, Launcher launcher, const std::string& library) {
  Words flags;
  auto pass = [&](const char* name, const std::string& value) {
    std::ranges::copy(flag_for(launcher, name, value), std::back_inserter(flags));
  };
  if (std::string* given = given_preload(words); given != nullptr) {
    *given = behind(*given, library);
  } else {
    pass(kPreload, behind(preloaded_here(), library));
  }
  for (const Variable& variable : variables()) {
    const auto value = value_of(variable);
    if (value && variable.scope != Scope::command) pass(variable.name, *value);
  }
  words.insert(words.begin(), flags.begin(), flags.end());
}

/// The command with all that its ranks need.
Words prepared(const Words& command, Launcher launcher, const std::string& library) {
  if (launcher == Launcher::none || launcher == Launcher::srun) {
    set_variable(kPreload, behind(preloaded_here(), library));
    return command;
  }
  // Open MPI may be given several programs, with a colon between them and flags for each.
  Words whole{command.front()};
  for (auto begin = command.begin() + 1;;) {
    const auto end =
        launcher == Launcher::openmpi ? std::find(begin, command.end(), ":") : command.end();
    Words words(begin, end);
    add_flags(words, launcher, library);
    whole.insert(whole.end(), words.begin(), words.end());
    if (end == command.end()) return whole;
    whole.emplace_back(":");
    begin = end + 1;
  }
}

bool is_assignment(const std::string& word) {
  const std::size_t end = word.find('=');
  return end != 0 && end != std::string::npos;
}

/// Does what `env` at the front of the command would do, which may have a launcher behind it. Of
/// its options only -u leaves the program what Shunt sets.
Words after_env(const Words& command) {
  if (command.empty() || std::filesystem::path(command.front()).filename() != "env") return command;
  auto word = command.begin() + 1;
  for (; word != command.end() && *word != "--"; ++word) {
    if (*word == "-u" && word + 1 != command.end()) {
      unsetenv((++word)->c_str());
    } else if (word->starts_with('-')) {
      throw Error(
          ErrorKind::argument,
          fmt::format("the command begins with env {}; of env's options it may have -u NAME "
                      "alone, and then NAME=VALUE",
                      *word));
    } else if (is_assignment(*word)) {
      const std::size_t end = word->find('=');
      setenv(word->substr(0, end).c_str(), word->c_str() + end + 1, 1);
    } else {
      break;
    }
  }
  if (word != command.end() && *word == "--") ++word;
  return {word, command.end()};
}

void run(const RunSettings& settings, const Words& given) {
  set_variables(settings);
  const Words command = after_env(given);
  if (command.empty()) {
    throw Error(ErrorKind::argument,
                "there is nothing to run; say, for example, shunt run -- mpirun -n 4 ./program");
  }
  const Launcher launcher = launcher_of(command.front());
  const std::string mpi = settings.mpi.empty() ? mpi_of(launcher, command) : settings.mpi;
  const bool is_told = launcher == Launcher::openmpi || launcher == Launcher::hydra;
  if (is_told && settings.mpi.empty()) expect_linked_to(mpi, command);
  const std::string library = library_for(mpi);
  become(prepared(command, launcher, library));
}

}  // namespace

void add_run(Command app) {
  auto settings = std::make_shared<RunSettings>();
  const Command command =
      app.add_subcommand("run",
                         "Run a program of MPI with Shunt for its all-to-all and all-gather:\n"
                         "`shunt run OPTIONS -- mpirun -n 8 ./program ARGUMENTS`");
  command.keep_rest();
  command.add_option("--algorithm", settings->algorithm, "Sets SHUNT_ALGORITHM").names_algorithms();
  command.add_option("--allgather", settings->allgather, "Sets SHUNT_ALLGATHER").names_algorithms();
  command.add_option("--mode", settings->mode, "Sets SHUNT_MODE")
      .one_of({"blocking", "single", "dual"});
  command.add_option("--packet", settings->packet, "Sets SHUNT_PACKET").positive();
  command.add_option("--memory", settings->memory, "Sets SHUNT_MEMORY: 64M, for example");
  command.add_option("--stats", settings->statistics,
                     "Sets SHUNT_STATS: the file to write the statistics to");
  command.add_option("--trace", settings->trace,
                     "Sets SHUNT_TRACE: the folder to record its calls in");
  command.add_flag("--check", settings->check, "Sets SHUNT_CHECK");
  command.add_flag("--disable", settings->disable, "Sets SHUNT_DISABLE");
  command.add_flag("--verbose", settings->verbose, "Sets SHUNT_VERBOSE");
  command
      .add_option("--mpi", settings->mpi,
                  "The program's MPI, where it cannot be told from the\n"
                  "launcher or from what the program is linked to")
      .one_of({"openmpi", "mpich"});
  command.set_action([settings, command] { run(*settings, command.rest()); });
}

}  // namespace shunt
