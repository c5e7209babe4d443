// What a user chooses for Shunt, by variables of the environment.
#pragma once

#include <string>
#include <vector>

#include "shunt/options.hpp"

namespace shunt {

/// What an algorithm's name asks for: each call looks at it, and texts take longer to look at.
enum class Asked { automatic, native, algorithm };

/// The values of the variables, each in the member that its row of `variables` reads it into.
struct Environment {
  Options options;  ///< of all-to-all exchanges
  Asked asked = Asked::automatic;
  Options allgather;  ///< of all-gathers
  Asked asked_allgather = Asked::automatic;
  bool check = false;
  std::string trace;  ///< a folder; empty if nothing is to be recorded

  // What follows is for the interposer.
  bool disabled = false;
  double warm_up = 5e-3;  ///< in seconds; 0: Shunt makes the first call already
  bool verbose = false;
  std::string statistics;  ///< a file; empty if none is wanted

  /// A sentence about each value that cannot be used.
  std::vector<std::string> faults;
};

/// Reads all variables that are set now. Throws nothing but std::bad_alloc: what is wrong is in
/// `faults`.
[[nodiscard]] Environment read_environment();

/// Returns what the variables said when this was first called. Safe in any thread.
[[nodiscard, gnu::always_inline]] inline Environment& environment() {
  static Environment known = read_environment();
  return known;
}

/// Throws Error(argument) with all faults of the environment where it has any.
void expect_readable(const Environment& environment);

}  // namespace shunt
