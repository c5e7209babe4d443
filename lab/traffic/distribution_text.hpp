// Distributions in the words of High Performance Fortran.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/ldd.hpp"

namespace shunt {

/// The extents of an array: "120000", "8x8". Throws Error(argument) where one is not a positive
/// number.
[[nodiscard]] std::vector<Index> parse_shape(std::string_view text);

/// Returns how each dimension of an array of these extents is distributed, from a text: "CYCLIC(6)
/// onto 4", "CYCLIC onto 4" (blocks of one index), "BLOCK onto 4", or "*" (all of it to one place);
/// of several dimensions "(BLOCK, CYCLIC(2)) onto 2x4", where the grid has an extent for each
/// dimension but those that are "*", and the parentheses may be left out. Letters of either kind.
/// Throws Error(argument) where it is none of these, or has not as many dimensions as the array,
/// and where an extent is less than 1.
[[nodiscard]] std::vector<BlockCyclic> parse_distribution(std::string_view text,
                                                          std::span<const Index> shape);

/// Returns how an array of one dimension is distributed, from such a text.
[[nodiscard]] BlockCyclic parse_distribution(std::string_view text, Index extent);

}  // namespace shunt
