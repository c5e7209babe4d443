// A graph of messages in which equivalent places are counted as one.
#pragma once

#include <vector>

#include "schedule/edge_colouring.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A bipartite graph of which each edge represents `copies` times `copies` meetings of equivalent
/// senders with equivalent receivers. Every sender has, for each edge of its row, `copies`
/// receivers, and every receiver as many senders; so `copies` steps for each colour of the edges
/// are enough, and the fewest possible.
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
