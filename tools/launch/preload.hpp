// Which library to preload into a program: one for each MPI.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace shunt {

enum class Launcher {
  none,     ///< the program itself
  openmpi,  ///< passes variables on by -x
  hydra,    ///< of MPICH: by -genv
  srun      ///< passes the whole environment on
};

/// Returns what the first word of a command is, by its name and by the version that it prints.
/// Throws Error(argument) where it is a launcher but of no MPI that is known here.
[[nodiscard]] Launcher launcher_of(const std::string& program);

/// "openmpi" or "mpich": the MPI of the launcher, or that of the first word of the command that is
/// a program linked to one. Throws Error(argument) if none is.
[[nodiscard]] std::string mpi_of(Launcher launcher, std::span<const std::string> command);

/// Throws Error(argument) where the first word after the launcher's that is a program linked to an
/// MPI is linked to another one than `mpi`, which is the launcher's.
void expect_linked_to(const std::string& mpi, std::span<const std::string> command);

/// Returns the path of a file that was built for that MPI: along SHUNT_LIBRARY_PATH, or next to
/// this command, built or installed. Empty if there is none.
[[nodiscard]] std::filesystem::path find_in_library(const std::string& mpi,
                                                    const std::string& file);

/// Returns the path of the library for that MPI: along SHUNT_LIBRARY_PATH, or next to this command,
/// built or installed. Throws Error(argument) if there is none, or none that LD_PRELOAD can name.
[[nodiscard]] std::filesystem::path library_for(const std::string& mpi);

}  // namespace shunt
