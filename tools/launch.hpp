// Launching ranks: subcommands that communicate run under mpirun, started by the user or by us.
#pragma once

namespace shunt {

/// The arguments that `main` was given.
struct CommandLine {
  int argc = 0;
  const char* const* argv = nullptr;
};
[[nodiscard]] CommandLine& command_line();

/// Whether this process was started as a rank by mpirun, mpiexec or srun.
[[nodiscard]] bool launched_as_rank();

/// Replaces this process by `ranks` ranks of `command_line()` under the launcher of the MPI that
/// the command was built with; SHUNT_MPIRUN names another one, with its flags. Returns only if that
/// fails: throws Error(argument).
void launch_ranks(int ranks);

}  // namespace shunt
