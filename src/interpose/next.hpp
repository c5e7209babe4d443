// Where calls go from here: to a tool that intercepts functions by MPI's profiling interface, or to
// MPI.
//
// A program's call goes to the first library that has MPI_X, a tool's to the first that has PMPI_X.
// This library has both. PMPI_X makes the exchange, below all tools. So does MPI_X, unless a tool
// lies behind this library: then the tool gets the call first, and it comes back by PMPI_X.
#pragma once

#include <mpi.h>

#include "bindings/functions.hpp"

namespace shunt::interpose {

template <class Signature>
struct NextOf {
  Signature* own = nullptr;   ///< MPI's
  Signature* tool = nullptr;  ///< the tool's behind this library; null where there is none
};

struct Next {
  // What this library takes.
  // NOLINTBEGIN(readability-identifier-naming): the names are MPI's.
#define SHUNT_MEMBER(name, ...) NextOf<decltype(PMPI_##name)> name;
#define SHUNT_WIDE_MEMBER(name, ...) SHUNT_MEMBER(name##_c)
  SHUNT_EACH_FUNCTION(SHUNT_MEMBER)
  SHUNT_EACH_PASSED(SHUNT_MEMBER)
  SHUNT_EACH_WIDE_OF_MPI(SHUNT_WIDE_MEMBER, SHUNT_WIDE_MEMBER)
  SHUNT_MEMBER(Finalize)
  SHUNT_MEMBER(Intercomm_merge)
  // NOLINTEND(readability-identifier-naming)
#undef SHUNT_WIDE_MEMBER
#undef SHUNT_MEMBER
  /// Whether a tool intercepts any function, from C or Fortran, in front of this library or behind
  /// it.
  bool has_tool = false;
};

[[nodiscard]] Next find_next();

[[nodiscard]] inline const Next& next() {
  static const Next kFound = find_next();
  return kFound;
}

/// Whether a call of PMPI_X that returns to `caller` passes on a call of the program: from a tool,
/// or from MPI's library for Fortran. Other callers ask for MPI's own function.
[[nodiscard]] bool is_on_its_way(const void* caller);

/// Whether a tool's call has come back; set by PMPI_X.
inline thread_local bool came_back = false;

/// Says with SHUNT_VERBOSE, once, that the tool makes its calls past this library.
void report_bypass(const char* function, const void* tool) noexcept;

/// Makes the call by the tool behind this library, and returns what that returns.
template <class... Parameters>
int call_tool(const char* function, int (*tool)(Parameters...), Parameters... arguments) {
  came_back = false;
  const int code = tool(arguments...);
  if (!came_back) report_bypass(function, reinterpret_cast<const void*>(tool));
  return code;
}

/// Writes a sentence for each library that intercepts these functions too where no call reaches it.
void report_unreachable_tools();

}  // namespace shunt::interpose
