// Where the sources of an all-gather are: the distributions of Hambrusch, Khokhar, Liu 1998,
// Section 4, for any number of sources on any array of two dimensions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/machine.hpp"
#include "model/sources.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// What a pattern places.
struct SourceShape {
  Extents array;  ///< of one or two dimensions; one is a single row
  Rank count = 1;
  std::uint64_t seed = 1;
};

/// One distribution, as the command lists it.
struct SourcePattern {
  std::string_view name;    ///< "right-diagonal"
  std::string_view letter;  ///< in the paper: "Dr"; or empty
  std::string_view summary;

  /// The sources, in the order in which they are placed.
  std::vector<Rank> (*place)(const SourceShape& shape);
};

[[nodiscard]] std::span<const SourcePattern> source_patterns();

/// The sources of the pattern of that name or letter, ascending. Throws Error(argument) where there
/// is no such pattern, where the array has more dimensions, or not as many ranks.
[[nodiscard]] std::vector<Rank> place_sources(std::string_view name, const SourceShape& shape);

/// Blocks of `length` bytes on `sources`, which may come in any order. Throws Error(rank) where one
/// lies outside of 0..ranks-1, and otherwise as Sources does.
[[nodiscard]] Sources with_equal_blocks(Rank ranks, std::span<const Rank> sources, Bytes length);

}  // namespace shunt
