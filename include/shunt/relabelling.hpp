// Which rank takes which place of a new layout, so that as little as possible moves.
#pragma once

#include "shunt/array_layout.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A layout with its places dealt out to other ranks.
struct Relabelling {
  ArrayLayout layout;
  /// Elements of the part that change their rank, with the ranks as they were given and as they are
  /// in `layout`.
  Index moved_as_given;
  Index moved;
};

/// The layout `to` with the ranks at its places that let the most elements of the part stay where
/// they are: an optimal assignment, which takes O(ranks^3). Where several are optimal, one that
/// changes few ranks. Local, and the same on all of the communicator's `ranks` ranks, any of which
/// may get a place. Throws as Yard::redistribute does.
[[nodiscard]] Relabelling relabel(const ArrayLayout& from, const ArrayLayout& to, Rank ranks,
                                  const ArraySection& section = {});

}  // namespace shunt
