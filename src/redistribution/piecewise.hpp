// Arrays in blocks of any lengths on any ranks: a redistribution between two of them is one for
// each pair of blocks that have elements in common. Which those are is found dimension by
// dimension.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "redistribution/redistribution.hpp"
#include "shunt/array_layout.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// An array that is cut into pieces, each of which is an array of its own.
struct PiecewiseLayout {
  std::vector<std::vector<Index>> splits;  ///< as in SplitLayout
  std::vector<ArrayLayout> pieces;         ///< in row-major order of their places
};

/// All of an array as one piece. Throws what expect_layout does.
[[nodiscard]] PiecewiseLayout one_piece(const ArrayLayout& layout, Rank ranks,
                                        std::string_view what);

/// A piece for each block. Throws Error(argument), Error(count) or Error(rank), naming the layout
/// `what`, where it is not one of an array over `ranks` ranks.
[[nodiscard]] PiecewiseLayout pieces_of(const SplitLayout& layout, Rank ranks,
                                        std::string_view what);

/// A part of one piece goes into a part of another one.
struct PieceRedistribution {
  std::size_t from;
  std::size_t to;
  Redistribution redistribution;
};

/// What a section of the one array takes to the other one, as far as `rank` may have to do with it,
/// in an order that is the same on all ranks. Throws what Redistribution does.
[[nodiscard]] std::vector<PieceRedistribution> redistributions_of_pieces(
    const PiecewiseLayout& from, const PiecewiseLayout& to, const ArraySection& section, Rank ranks,
    Rank rank);

}  // namespace shunt
