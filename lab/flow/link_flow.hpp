// What a traffic puts on the links of a torus, and an all-gather on those of a torus or a mesh,
// followed without moving a byte.
#pragma once

#include <vector>

#include "algorithms/algorithm.hpp"
#include "algorithms/allgather.hpp"
#include "lab/flow/torus_links.hpp"
#include "lab/traffic/traffic.hpp"
#include "model/machine.hpp"

namespace shunt {

/// The bytes on the links while an exchange or an all-gather goes through its stages.
struct LinkFlow {
  std::vector<Bytes> busiest;  ///< by stage: what the busiest link carries
  std::vector<Bytes> links;    ///< over all stages; in the order of LinkLoads
  Bytes travelled = 0;         ///< bytes times links, over all stages
  Bytes least = 0;  ///< bytes times links if every block takes a shortest path, or a tree

  /// Bytes for which links are waited for, if every stage waits for its busiest one.
  [[nodiscard]] Bytes transmission() const;
};

/// Follows all blocks of `traffic`, in elements of `element` bytes, through all stages of an
/// algorithm that spares the links of a torus (else throws Error(argument)). Global view: costs
/// O(ranks^2 * pieces per stream) time.
[[nodiscard]] LinkFlow follow_links(const Algorithm& algorithm, const Traffic& traffic,
                                    Bytes element);

/// Follows an all-gather on the ranks of a torus, or of a mesh, through all stages. A message goes
/// along the dimensions in order, each the shorter way round, and forward where both ways are
/// equally long. Throws Error(argument) where the array has other ranks.
[[nodiscard]] LinkFlow follow_links(const Allgather& allgather, const Extents& array,
                                    Rim rim = Rim::closed);

}  // namespace shunt
