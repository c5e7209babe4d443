// What is left of a graph of messages when places that are alike are counted as one.
#pragma once

#include <vector>

#include "model/ldd.hpp"
#include "schedule/edge_colouring.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A bipartite graph of which each edge stands for `copies` times `copies` meetings of senders and
/// receivers that are alike. Every sender has, for each edge of its row, `copies` receivers, and
/// the other way round; so `copies` steps for each colour of the edges are enough, and as few as
/// can be.
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
