// What differs between builds of the command. The sources that ask for it are common to all.
#pragma once

namespace shunt {

struct ThisBuild {
  const char* version;        ///< "0.1.0"
  const char* mpi;            ///< "openmpi", "mpich", "smpi" or "other"
  const char* launcher;       ///< the MPI's mpiexec, as CMake found it
  const char* libraries;      ///< where those to preload are, from the command's folder
  const char* machine_files;  ///< where the machines are, from the command's folder
};

extern const ThisBuild kThisBuild;

}  // namespace shunt
