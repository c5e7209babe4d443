# Which MPI was found, and how to launch ranks with it.
#
# SHUNT_MPI is openmpi, mpich, smpi or other. The presets name compiler wrapper and launcher with
# their suffixes, because `mpirun` alone is whichever MPI was installed last.
include(CheckCXXSymbolExists)

block(PROPAGATE SHUNT_MPI)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_symbol_exists(OMPI_MAJOR_VERSION mpi.h SHUNT_MPI_IS_OPENMPI)
  check_cxx_symbol_exists(MPICH_VERSION mpi.h SHUNT_MPI_IS_MPICH)
  get_filename_component(compiler "${CMAKE_CXX_COMPILER}" NAME)
  if(compiler MATCHES "smpi")
    set(SHUNT_MPI smpi)
  elseif(SHUNT_MPI_IS_OPENMPI)
    set(SHUNT_MPI openmpi)
  elseif(SHUNT_MPI_IS_MPICH)
    set(SHUNT_MPI mpich)
  else()
    set(SHUNT_MPI other)
  endif()
endblock()
message(STATUS "MPI flavour: ${SHUNT_MPI}")
