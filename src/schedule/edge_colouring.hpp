// Bipartite graphs of messages, and colours of their edges: messages that may travel in one step
// have the same.
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

/// A graph in which equivalent places are counted as one: each edge represents `copies` times
/// `copies` meetings of equivalent senders with equivalent receivers. Every sender has, for each
/// edge of its row, `copies` receivers, and every receiver as many senders; so `copies` steps for
/// each colour of the edges are enough, and the fewest possible.
struct Quotient {
  Rank rows;
  Rank columns;
  std::vector<Edge> edges;
  Rank copies;
};

/// A meeting in the quotient.
struct QuotientEdge {
  Index edge;  ///< its place in the list
  Rank turn;   ///< the step among the `copies` of the edge
};

}  // namespace shunt
