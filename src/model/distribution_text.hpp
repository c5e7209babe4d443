// Distributions in the words of High Performance Fortran.
#pragma once

#include <string_view>

#include "model/block_cyclic.hpp"

namespace shunt {

/// How a dimension of `extent` indices is dealt out: "CYCLIC(6) onto 4", "CYCLIC onto 4" (blocks of
/// one index), "BLOCK onto 4", or "*" (all of it to one place). Letters of either kind. Throws
/// Error(argument) where it is none of these, and where `extent` is less than 1.
[[nodiscard]] BlockCyclic parse_distribution(std::string_view text, Index extent);

}  // namespace shunt
