// The one table of the variables of the environment: how they are read, and what users are told of
// them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "environment/environment.hpp"

namespace shunt {

/// Whom a variable is for, and what ranks must have alike: calls of ranks that differ in more do
/// not match.
enum class Scope {
  command,      ///< no rank
  rank,         ///< each by itself, or rank 0 for all
  all_or_none,  ///< all ranks; it is set on all, to whatever, or on none
  all,          ///< all ranks, with one value
};

struct Variable {
  const char* name;
  const char* allowed;
  const char* unless_set;
  const char* meaning;
  Scope scope;

  /// Puts a value that is not empty into the environment. Throws Error(argument) with what follows
  /// the name in a sentence. Null where the value is read when it is needed.
  void (*read)(const std::string& value, Environment& into) = nullptr;
};

[[nodiscard]] std::span<const Variable> variables();

/// Returns the variable's value; nothing if it is not set.
[[nodiscard]] std::optional<std::string> value_of(const Variable& variable);

/// Returns a sentence for each variable that is set, begins like Shunt's, and is none of them.
[[nodiscard]] std::vector<std::string> misspelt_variables();

}  // namespace shunt
