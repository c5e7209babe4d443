// Colours of the edges of a bipartite graph: messages that may travel in one step have the same.
#pragma once

#include <span>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// Between a vertex of the one side and one of the other.
struct Edge {
  Rank row;
  Rank column;
};

/// A colour from 0 for each edge, so that no two of one vertex have the same: as many colours as
/// the largest number of edges of a vertex, which is the least (Koenig 1916). Edges may be
/// parallel. Costs O(edges * (rows + columns)) time, O((rows + columns) * colours) memory.
[[nodiscard]] std::vector<int> colour_edges(Rank rows, Rank columns, std::span<const Edge> edges);

}  // namespace shunt
