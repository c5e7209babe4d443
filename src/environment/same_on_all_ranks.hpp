// Whether ranks have the same variables, where they must: a launcher may hand them to the ranks of
// its own host alone, as Open MPI's does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace shunt {

/// Returns a number, 0 or more, for what each such variable says on this rank. Ranks that have the
/// same have the same number.
[[nodiscard]] std::vector<std::int64_t> fingerprints();

/// A sentence about the variables that ranks have differently; empty where all have the same.
/// `least` and `most` are, for each of `fingerprints()`, those of all ranks.
[[nodiscard]] std::string sentence_on_differences(std::span<const std::int64_t> least,
                                                  std::span<const std::int64_t> most);

}  // namespace shunt
