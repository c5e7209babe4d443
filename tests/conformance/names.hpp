// What cases and their errors are called.
#pragma once

#include <string>

#include <mpi.h>

namespace shunt::test {

inline constexpr const char* kFunctionNames[] = {
    "Alltoall", "Alltoallv", "Alltoallw", "Allgather", "Allgatherv", "Gatherv", "Scatterv"};

/// What MPI calls an error code or class.
inline std::string text_of_error(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace shunt::test
