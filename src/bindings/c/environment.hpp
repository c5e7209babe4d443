// What users of the C interface, and of programs that know nothing of Shunt, choose: by variables
// of the environment.
#pragma once

#include <string>
#include <vector>

#include "exchange/yard_state.hpp"
#include "shunt/options.hpp"

namespace shunt::c {

/// What an algorithm's name asks for: each call looks at it, and texts take longer to look at.
enum class Asked { automatic, native, algorithm };

struct Environment {
  /// Of all-to-all exchanges: SHUNT_ALGORITHM, SHUNT_MODE, SHUNT_EFFORT, SHUNT_MEMORY.
  Options options;
  Asked asked = Asked::automatic;
  /// Of broadcasts: SHUNT_BROADCAST, and the same.
  Options broadcast;
  Asked asked_broadcast = Asked::automatic;
  bool check = false;  ///< SHUNT_CHECK
  /// A sentence about each value that cannot be used.
  std::vector<std::string> faults;

  std::string trace;  ///< SHUNT_TRACE: a folder; empty if nothing is to be recorded

  // These are for the interposer.
  bool disabled = false;   ///< SHUNT_DISABLE
  double warm_up = 5e-3;   ///< SHUNT_WARM_UP, in seconds; 0: Shunt makes the first call already
  bool verbose = false;    ///< SHUNT_VERBOSE
  std::string statistics;  ///< SHUNT_STATS: a file; empty if none is wanted
};

/// What the variables say now.
[[nodiscard]] Environment read_environment();

/// What they said when this was first called.
[[nodiscard, gnu::always_inline]] inline Environment& environment() {
  static Environment known = read_environment();
  return known;
}

/// Throws Error(argument) with all faults of the environment where it has any.
void expect_readable(const Environment& environment);

/// Throws Error(argument) naming the variable where the environment cannot be used among the ranks
/// of `yard`, for broadcasts or for all-to-all exchanges.
void expect_usable(const Environment& environment, YardState& yard, bool broadcast);

}  // namespace shunt::c
