// Who called.
#pragma once

namespace shunt::interpose {

/// `caller`, or, if that is inside MPI's own libraries, through which Fortran's calls may come, the
/// first address on the stack above it that is not.
[[nodiscard]] const void* caller_outside_mpi(const void* caller);

}  // namespace shunt::interpose
