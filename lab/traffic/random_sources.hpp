// Sources to try all-gathers on: extremes, and random sets with blocks of any lengths.
#pragma once

#include <cstdint>
#include <vector>

#include "model/sources.hpp"

namespace shunt {

/// Each rank is a source with probability 1/`every`, of 1 to 1000 bytes. The same on all computers.
[[nodiscard]] Sources random_sources(std::uint64_t seed, Rank ranks, std::uint64_t every);

/// No source; one; all, of one byte and of random lengths; one that has more than all others
/// together; and random sets of about a third and about a tenth of the ranks.
[[nodiscard]] std::vector<Sources> source_cases(std::uint64_t seed, Rank ranks);

}  // namespace shunt
