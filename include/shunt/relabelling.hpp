// Which rank takes which place of a new layout, so that as few elements as possible move.
#pragma once

#include "shunt/array_layout.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A layout whose places were assigned to other ranks.
struct Relabelling {
  ArrayLayout layout;    ///< the new layout, with the ranks that were found in `ranks`
  Index moved_as_given;  ///< elements of the section that change their rank as `to` was given
  Index moved;           ///< elements of the section that change their rank to go to `layout`
};

/// Returns the layout `to` with the ranks at its places with which the most elements of `section`
/// stay on their rank: an optimal assignment, and among several optimal ones one that changes few
/// ranks. Any of the communicator's `ranks` ranks may get a place, also one without a place in
/// `to`. Local; all ranks get the same result from the same arguments. Takes O(ranks^3) time and
/// O(ranks^2) memory. Throws Error(argument), Error(count) or Error(rank) where a layout or the
/// section breaks a rule.
[[nodiscard]] Relabelling relabel(const ArrayLayout& from, const ArrayLayout& to, Rank ranks,
                                  const ArraySection& section = {});

}  // namespace shunt
