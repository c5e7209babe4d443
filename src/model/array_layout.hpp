// Layouts of arrays: checked, and asked for the places of ranks.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "shunt/array_layout.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A coordinate of a place in each dimension.
using Place = std::vector<Rank>;

/// How many places the grid has. Throws Error(count) where 32 bits are not enough.
[[nodiscard]] Rank grid_places(const ArrayLayout& layout);

/// Throws Error(argument), Error(count) or Error(rank), naming the layout `what`, where it is not
/// one of an array over `ranks` ranks.
void expect_layout(const ArrayLayout& layout, Rank ranks, std::string_view what);

/// Where a rank is; nothing if it has no place. Costs O(places).
[[nodiscard]] std::optional<Place> place_of(const ArrayLayout& layout, Rank rank);

[[nodiscard]] Rank rank_at(const ArrayLayout& layout, const Place& place);

/// How many indices a place has, by dimension.
[[nodiscard]] std::vector<Index> local_extents(const ArrayLayout& layout, const Place& place);

/// From one local index to the next, by dimension, where a part of these extents has no gaps.
/// 1 everywhere where it has no elements. Throws Error(count) where that does not fit into 64 bits.
[[nodiscard]] std::vector<Index> dense_strides(const std::vector<Index>& extents, Order order);

}  // namespace shunt
