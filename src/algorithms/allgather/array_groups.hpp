// All-gathers along lines and along the dimensions of arrays, in one group of ranks or in several
// at the same time (Hambrusch, Khokhar, Liu 1998, Sections 2 and 3).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/phased.hpp"
#include "model/machine.hpp"

namespace shunt {

/// Ranks that form an array of their own.
struct ArrayGroup {
  Extents array;
  std::vector<Rank> members;  ///< in row-major order

  /// All ranks of an array.
  [[nodiscard]] static ArrayGroup whole(const Extents& array);

  /// The array cut across its longest dimension, the first of several; the first part is not the
  /// smaller one. Has one part where there is one rank.
  [[nodiscard]] static std::vector<ArrayGroup> halves(const Extents& array);
};

/// Appends the phases in which everything that is held in a group comes to all its ranks, in all
/// groups at the same time. `holds` says by rank whether it holds anything.
void append_spreading(ArrayPattern pattern, const std::vector<ArrayGroup>& groups,
                      const std::vector<bool>& holds, Phases& phases);

/// `count` members from which the pattern spreads most quickly.
[[nodiscard]] std::vector<Rank> ideal_places(ArrayPattern pattern, const ArrayGroup& group,
                                             Rank count);

/// Returns, by rank, where the block of each source moves so that `places`, as many as there are
/// sources, hold the blocks: blocks that are on one of them stay, the others fill the rest in their
/// order.
[[nodiscard]] std::vector<Rank> move_to(const Sources& sources, std::vector<Rank> places);

/// What a family of algorithms is called with each pattern, in the order of these.
using PatternNames = std::array<const char*, 3>;

/// "reposition", "reposition-by-shape:4x6": the pattern's name, and the array if it is one.
[[nodiscard]] std::string pattern_name(const PatternNames& names, ArrayPattern pattern,
                                       const Extents& array);

}  // namespace shunt
