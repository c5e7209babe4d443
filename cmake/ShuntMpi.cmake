# Finds MPI: one of them, where several live side by side.
#
# SHUNT_MPI is openmpi, mpich, smpi or other. The presets name compiler wrappers and launcher with
# Debian's suffixes, because `mpirun` alone is whichever MPI was installed last.
include(CheckCXXSymbolExists)

# Where only one MPI is installed, its wrappers and its launcher may have no suffix.
foreach(program IN ITEMS MPI_CXX_COMPILER MPI_Fortran_COMPILER MPIEXEC_EXECUTABLE)
  if("${${program}}" MATCHES "^mpi[a-z]+\\.(openmpi|mpich)$")
    find_program(shunt_there "${${program}}" NO_CACHE)
    if(NOT shunt_there)
      message(STATUS "${${program}} is not there: looking for one without a suffix")
      set(shunt_wanted_mpi ${CMAKE_MATCH_1})
      unset(${program} CACHE)
    endif()
    unset(shunt_there)
  endif()
endforeach()

# What is not named is that of the MPI whose wrapper for C++ is.
if(MPI_CXX_COMPILER MATCHES "mpi(cxx|c\\+\\+|CC)([^/]*)$")
  set(suffix "${CMAKE_MATCH_2}")
  find_program(shunt_wrapper "${MPI_CXX_COMPILER}" NO_CACHE)
  if(shunt_wrapper)
    cmake_path(GET shunt_wrapper PARENT_PATH folder)
    find_program(MPI_Fortran_COMPILER NAMES mpifort${suffix} mpif90${suffix} PATHS "${folder}"
                 NO_DEFAULT_PATH)
    find_program(MPIEXEC_EXECUTABLE NAMES mpiexec${suffix} mpirun${suffix} PATHS "${folder}"
                 NO_DEFAULT_PATH)
  endif()
  # What a pattern has found is there only after the condition in which it stands.
  if(MPI_Fortran_COMPILER MATCHES "mpi(fort|f90|f77)([^/]*)$")
    if(NOT "${CMAKE_MATCH_2}" STREQUAL "${suffix}")
      message(FATAL_ERROR "MPI_CXX_COMPILER is ${MPI_CXX_COMPILER} and MPI_Fortran_COMPILER is "
                          "${MPI_Fortran_COMPILER}: name the wrappers of one MPI, and its "
                          "MPIEXEC_EXECUTABLE, or MPI_CXX_COMPILER alone in a new build folder")
    endif()
  endif()
endif()

# The C++ bindings of MPI-2 are gone from the standard, and their headers do not compile cleanly.
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI REQUIRED COMPONENTS CXX)

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

if(shunt_wanted_mpi AND NOT SHUNT_MPI STREQUAL shunt_wanted_mpi)
  message(FATAL_ERROR "the preset is for ${shunt_wanted_mpi}, and the MPI that there is is "
                      "${SHUNT_MPI}: take the preset of that, or none")
endif()

# A launcher of another MPI starts ranks that do not know of each other.
if(SHUNT_MPI MATCHES "^(openmpi|mpich)$" AND MPIEXEC_EXECUTABLE)
  execute_process(
    COMMAND "${MPIEXEC_EXECUTABLE}" --version
    OUTPUT_VARIABLE version
    ERROR_VARIABLE version)
  set(launches "")
  if(version MATCHES "Open MPI|OpenRTE|PRRTE")
    set(launches openmpi)
  elseif(version MATCHES "HYDRA")
    set(launches mpich)
  endif()
  if(launches AND NOT launches STREQUAL SHUNT_MPI)
    message(FATAL_ERROR "MPI_CXX_COMPILER is ${SHUNT_MPI}'s and MPIEXEC_EXECUTABLE, "
                        "${MPIEXEC_EXECUTABLE}, is ${launches}'s: name both of one MPI")
  endif()
endif()
