// The variables of the environment that Shunt reads.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace shunt {

struct Variable {
  const char* name;
  const char* allowed;
  const char* unless_set;
  const char* meaning;
  bool for_ranks = true;  ///< or for this command alone
};

[[nodiscard]] std::span<const Variable> variables();

/// Nothing if it is not set.
[[nodiscard]] std::optional<std::string> value_of(const Variable& variable);

/// Throws Error(argument) unless SHUNT_ALGORITHM may have this value, for some number of ranks.
void expect_algorithm(const std::string& name);

/// The same for SHUNT_BROADCAST.
void expect_broadcast(const std::string& name);

}  // namespace shunt
