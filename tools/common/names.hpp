// Names of ways to exchange and to all-gather, before it is known among how many ranks.
#pragma once

#include <string>

namespace shunt {

/// Throws Error(argument) unless SHUNT_ALGORITHM may have this value, for some number of ranks.
void expect_algorithm(const std::string& name);

/// Throws Error(argument) unless SHUNT_ALLGATHER may have this value.
void expect_allgather(const std::string& name);

}  // namespace shunt
