#include "tools/launch/preload.hpp"

#include <cstdlib>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "shunt/error.hpp"
#include "tools/common/process.hpp"
#include "tools/common/this_build.hpp"

namespace shunt {

namespace {

constexpr const char* kLibrary = "libshunt_mpi.so";

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The MPI that the program is linked to; empty if it is none that is known here.
std::string linked_mpi(const std::filesystem::path& program) {
  const std::string libraries = output_of({"ldd", program.string()});
  // libmpi.so.12 is the name that MPICH and those that are compatible with it have agreed on.
  if (contains(libraries, "libmpich.so") || contains(libraries, "libmpi.so.12 ")) return "mpich";
  if (contains(libraries, "libmpi.so")) return "openmpi";
  return "";
}

const char* long_name(const std::string& mpi) { return mpi == "openmpi" ? "Open MPI" : "MPICH"; }

/// Where there may be a folder with what was built for that MPI.
std::vector<std::filesystem::path> library_folders(const std::string& mpi) {
  std::vector<std::filesystem::path> folders;
  const char* given = std::getenv("SHUNT_LIBRARY_PATH");
  std::istringstream list(given == nullptr ? "" : given);
  for (std::string folder; std::getline(list, folder, ':');) folders.emplace_back(folder);
  const std::filesystem::path own = own_executable().parent_path();
  folders.push_back(own / "../lib/shunt");
  folders.push_back(own / kThisBuild.libraries);
  // Where this is a build folder: the one that the preset of that MPI makes.
  folders.push_back(own / "../.." / mpi / "lib/shunt");
  return folders;
}

/// To the loader, which reads LD_PRELOAD.
bool is_one_word(const std::filesystem::path& path) {
  return path.string().find_first_of(" :") == std::string::npos;
}

}  // namespace

Launcher launcher_of(const std::string& program) {
  const std::string name = std::filesystem::path(program).filename().string();
  if (name == "srun") return Launcher::srun;
  bool launches = false;
  for (const char* known : {"mpirun", "mpiexec", "orterun", "prterun"}) {
    launches = launches || name.starts_with(known);
  }
  if (!launches) return Launcher::none;
  const std::string version = output_of({program, "--version"});
  // Its launcher has had three names, and says the one of the program that it was started as.
  for (const char* name_of_openmpi : {"Open MPI", "OpenRTE", "PRRTE"}) {
    if (contains(version, name_of_openmpi)) return Launcher::openmpi;
  }
  if (contains(version, "HYDRA")) return Launcher::hydra;
  throw Error(ErrorKind::argument,
              fmt::format("{} is neither Open MPI's nor MPICH's: `{} --version` names none of them",
                          program, program));
}

std::string mpi_of(Launcher launcher, std::span<const std::string> command) {
  if (launcher == Launcher::openmpi) return "openmpi";
  if (launcher == Launcher::hydra) return "mpich";
  for (const std::string& word : command) {
    const std::filesystem::path program = find_program(word);
    std::string mpi = program.empty() ? "" : linked_mpi(program);
    if (!mpi.empty()) return mpi;
  }
  throw Error(
      ErrorKind::argument,
      fmt::format("nothing in \"{}\" is a program linked to Open MPI or MPICH; say which of "
                  "them is meant by --mpi",
                  fmt::join(command, " ")));
}

void expect_linked_to(const std::string& mpi, std::span<const std::string> command) {
  for (const std::string& word : command.subspan(1)) {
    const std::filesystem::path program = find_program(word);
    const std::string linked = program.empty() ? "" : linked_mpi(program);
    if (linked == mpi) return;
    if (linked.empty()) continue;
    throw Error(ErrorKind::argument,
                fmt::format("{} is a launcher of {}, and {} is linked to {}: launch it by that "
                            "MPI's mpirun",
                            command.front(), long_name(mpi), word, long_name(linked)));
  }
}

std::filesystem::path find_in_library(const std::string& mpi, const std::string& file) {
  for (const std::filesystem::path& folder : library_folders(mpi)) {
    std::error_code none;
    auto found = std::filesystem::canonical(folder / mpi / file, none);
    if (!none) return found;
  }
  return "";
}

std::filesystem::path library_for(const std::string& mpi) {
  for (const std::filesystem::path& folder : library_folders(mpi)) {
    const std::filesystem::path named = folder / mpi / kLibrary;
    std::error_code none;
    const auto found = std::filesystem::canonical(named, none);
    if (none) continue;
    // By the name of a link, where its own does not do.
    for (const auto& path : {found, std::filesystem::absolute(named).lexically_normal()}) {
      if (is_one_word(path)) return path;
    }
    throw Error(ErrorKind::argument,
                fmt::format("LD_PRELOAD cannot name {}, for a blank or a colon ends a name there; "
                            "set SHUNT_LIBRARY_PATH to a link to {} that has neither",
                            found.string(), found.parent_path().parent_path().string()));
  }
  throw Error(ErrorKind::argument,
              fmt::format("there is no library for {0}: build Shunt with that MPI, and set "
                          "SHUNT_LIBRARY_PATH to the folder that has {0}/{1}",
                          mpi, kLibrary));
}

}  // namespace shunt
