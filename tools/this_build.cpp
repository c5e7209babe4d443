#include "tools/common/this_build.hpp"

namespace shunt {

constinit const ThisBuild kThisBuild{.version = SHUNT_VERSION,
                                     .mpi = SHUNT_MPI,
                                     .launcher = SHUNT_MPIEXEC,
                                     .libraries = SHUNT_LIBRARY_DIR,
                                     .machine_files = SHUNT_MACHINE_DIR};

}  // namespace shunt
