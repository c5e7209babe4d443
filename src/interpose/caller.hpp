// The address from which a function was called.
#pragma once

namespace shunt::interpose {

/// `caller`, or, if that is inside a tool, or inside MPI's own libraries, through which Fortran's
/// calls come, the first address on the stack above it that is not.
[[nodiscard]] const void* caller_in_program(const void* caller);

/// Whether this library has made the call that has led to the one that it is making: whether it is
/// on the stack above the first caller that does not belong to it.
[[nodiscard]] bool is_called_from_here();

}  // namespace shunt::interpose
