// Colours of messages of different lengths: those of one step should be equally long, since a step
// lasts as long as its longest one.
#pragma once

#include <span>
#include <vector>

#include "model/ldd.hpp"
#include "schedule/edge_colouring.hpp"
#include "shunt/types.hpp"

namespace shunt {

enum class LengthRule {
  /// Edges are coloured one after the other, the longest first; costs as `colour_edges` does.
  sorted,
  /// Each colour is the longest matching, by the sum of its edges, of those that have an edge at
  /// each
  /// vertex that has as many edges left as there are colours (at others the number of colours would
  /// grow). Costs O(colours * vertices^3).
  matched
};

/// Returns a colour for each edge, with as many colours as `colour_edges` takes. No two edges are
/// parallel, and all lengths together are less than 2^62.
[[nodiscard]] std::vector<int> colour_edges_by_length(Rank rows, Rank columns,
                                                      std::span<const Edge> edges,
                                                      std::span<const Index> lengths,
                                                      LengthRule rule);

}  // namespace shunt
