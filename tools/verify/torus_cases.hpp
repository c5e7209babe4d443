// The exchanges on rings and tori that `shunt verify` proves in addition to those of every number
// of ranks.
#pragma once

#include <string>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// An exchange on a ring or a torus.
struct TorusCase {
  std::string name;
  Rank ranks;
};

/// Rings of up to 4 * `longest` ranks and tori of two dimensions of up to `longest` ranks; and, if
/// these are not longer, 6 x 6 x 6 and 4 x 4 x 4 x 4 ranks.
[[nodiscard]] std::vector<TorusCase> torus_cases(Rank longest);

}  // namespace shunt
