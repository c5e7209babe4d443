// Whose code an address is in.
#pragma once

#include <span>
#include <vector>

namespace shunt::interpose {

enum class Owner {
  shunt,    ///< this library
  mpi,      ///< MPI's own, for C
  fortran,  ///< MPI's own, for Fortran
  tool,  ///< a library that takes the functions that this one takes, by MPI's profiling interface
  other  ///< the program itself, or another library
};

/// Finds the owner of any address in code or data; `other` for one that is in no file. Takes
/// microseconds.
[[nodiscard]] Owner owner_of(const void* address);

/// Finds the owner of an address that is asked for again and again: takes nanoseconds.
[[nodiscard]] Owner owner_again(const void* address);

/// Every name by which a tool may take one of these functions: those of C, and of Fortran's three
/// interfaces.
[[nodiscard]] std::span<const char* const> names_of_tools();

/// The names of tools that the file with this address defines.
[[nodiscard]] std::vector<const char*> names_taken_by(const void* address);

}  // namespace shunt::interpose
