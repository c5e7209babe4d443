// Launching ranks: subcommands that communicate run under mpirun, started by the user or by the
// command itself.
#pragma once

#include <string>
#include <vector>

namespace shunt {

/// The arguments that `main` was given.
struct CommandLine {
  int argc = 0;
  const char* const* argv = nullptr;
};
[[nodiscard]] CommandLine& command_line();

/// Whether this process was started as a rank by mpirun, mpiexec or srun.
[[nodiscard]] bool launched_as_rank();

/// The command that runs `ranks` ranks of this program with these arguments under the launcher of
/// the MPI that it was built with; SHUNT_MPIRUN names another one, with its flags. Sets what this
/// launcher wants to find in the environment.
[[nodiscard]] std::vector<std::string> ranks_command(int ranks,
                                                     const std::vector<std::string>& arguments);

/// Has `ranks` ranks of `command_line()` do the work of this process: throws Ended with their
/// launcher's status, or Error where it cannot be started or what they print does not arrive.
[[noreturn]] void launch_ranks(int ranks);

}  // namespace shunt
