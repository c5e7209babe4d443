// Persistent requests of the C interface.
#pragma once

#include "bindings/c/arguments.hpp"
#include "shunt/shunt.h"

namespace shunt::c {

/// Makes a request for the exchange; reports errors as `call.function`.
int make_request(const Call& call, SHUNT_Request* request) noexcept;

}  // namespace shunt::c
