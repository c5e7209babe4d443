// Which node passes on what to all others.
#pragma once

#include <span>
#include <vector>

#include "model/machine.hpp"
#include "model/sources.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// The bytes [begin, end) of those that node `origin` has, one source after the other, which node
/// `holder` passes on to the nodes that do not have them.
struct NodePart {
  Rank holder;
  Rank origin;
  Bytes begin;
  Bytes end;

  friend auto operator<=>(const NodePart&, const NodePart&) = default;
};

/// What the sources of each node have together.
[[nodiscard]] std::vector<Bytes> bytes_by_node(const Sources& sources, const Machine& machine);

/// Each node passes on its own. Node i has bytes[i]. Ascending, none empty, as all of these.
[[nodiscard]] std::vector<NodePart> own_parts(std::span<const Bytes> bytes);

/// All pass on the same number of bytes, up to one: what nodes have too much of is taken over by
/// those that have too little, and no more than that moves. If the nodes have nearly alike, each
/// passes on its own.
[[nodiscard]] std::vector<NodePart> evened_parts(std::span<const Bytes> bytes);

}  // namespace shunt
