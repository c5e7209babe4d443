// Persistent requests of the C interface.
#pragma once

#include <functional>
#include <memory>

#include "bindings/c/arguments.hpp"
#include "bindings/plan_implementation.hpp"
#include "shunt/shunt.h"

namespace shunt::c {

/// Throws Error(argument) where the pointer to `name` is null.
void expect_pointer(const void* pointer, const char* name);

/// Makes a request for what `make` returns, which throws on all ranks where `request` is null on
/// any; reports errors as `function`, to `comm`.
int make_request(const char* function, MPI_Comm comm,
                 const std::function<std::unique_ptr<Plan::Implementation>()>& make,
                 SHUNT_Request* request);

/// Makes a request for the exchange of `call`, as the function above does.
int make_request(const Call& call, SHUNT_Request* request);

}  // namespace shunt::c
