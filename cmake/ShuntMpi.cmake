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
  check_cxx_symbol_exists(SMPI_SHARED_MALLOC mpi.h SHUNT_MPI_IS_SMPI)
  if(SHUNT_MPI_IS_SMPI)
    set(SHUNT_MPI smpi)
  elseif(SHUNT_MPI_IS_OPENMPI)
    set(SHUNT_MPI openmpi)
  elseif(SHUNT_MPI_IS_MPICH)
    set(SHUNT_MPI mpich)
  else()
    set(SHUNT_MPI other)
  endif()
endblock()
get_filename_component(compiler "${CMAKE_CXX_COMPILER}" NAME)
if(SHUNT_MPI STREQUAL "smpi" AND NOT compiler MATCHES "smpi")
  # What SMPI's wrapper adds, which FindMPI does not see: a program is a library that SMPI loads.
  target_compile_options(MPI::MPI_CXX INTERFACE -fPIC "SHELL:-include smpi/smpi_helpers.h")
  target_link_options(MPI::MPI_CXX INTERFACE
                      $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-shared>)
endif()
message(STATUS "MPI flavour: ${SHUNT_MPI}")
