// The links of a torus or a mesh: which of them each message uses, and on a torus that no two
// messages meet on one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/machine.hpp"
#include "schedule/way.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Whether the two ends of each dimension are joined.
enum class Rim {
  closed,  ///< a torus
  open     ///< a mesh
};

/// The place of a link in the lists of all: by rank that it leaves, dimension, and forward (`sign`
/// 1) before backward (-1).
[[nodiscard]] inline std::size_t link_place(const Extents& torus, Rank rank, int dimension,
                                            Rank sign) {
  const auto port = static_cast<std::size_t>(rank) * static_cast<std::size_t>(torus.dimensions()) +
                    static_cast<std::size_t>(dimension);
  return port * 2 + (sign > 0 ? 0 : 1);
}

/// Calls `use(rank, dimension, sign)` with each link of a way, from the sender on: along the
/// dimensions in order, each the shorter way round, or not over an open rim. `tie`, not `both`,
/// decides where both ways are equally long.
template <class Use>
void for_each_link(const Extents& array, Rim rim, Rank from, Rank to, Way tie, const Use& use) {
  Rank at = from;
  for (int dimension = 0; dimension < array.dimensions(); ++dimension) {
    const Rank ahead = array.ahead(at, to, dimension);
    const Rank back = ahead == 0 ? 0 : array.extent(dimension) - ahead;
    const bool shorter = ahead < back || (ahead == back && tie == Way::forward);
    const bool inside = array.coordinate(at, dimension) < array.coordinate(to, dimension);
    const bool forward = rim == Rim::open ? inside : shorter;
    const Rank sign = forward ? 1 : -1;
    for (Rank left = forward ? ahead : back; left > 0; --left) {
      use(at, dimension, sign);
      at = array.neighbour(at, dimension, sign);
    }
  }
}

/// Links on a shortest path of the torus.
[[nodiscard]] Rank torus_distance(const Extents& torus, Rank from, Rank to);

/// Whether both ways are equally long along some dimension, as they may be on a torus.
[[nodiscard]] bool has_tie(const Extents& array, Rim rim, Rank from, Rank to);

/// A message between two ranks, on the shorter way.
struct LinkMessage {
  Rank from;
  Rank to;
  Way way;  ///< used only where both ways are equally long
  Bytes bytes;
};

/// The loads that messages under way at the same time put on the links. Every rank has two links
/// along each dimension, one forward and one backward, also where both lead to the same rank.
struct LinkLoads {
  std::vector<std::string> violations;  ///< sentences
  std::vector<Bytes> bytes;             ///< by link_place
  Bytes travelled = 0;                  ///< the bytes of all links together

  /// The bytes of the busiest link.
  [[nodiscard]] Bytes largest() const;
};

/// Returns the loads of messages that must not share links (Liu 2005, Section 2: all ports at once,
/// one dimension at a time). Violations are messages along several dimensions, and links that two
/// messages share. Messages to oneself use no link.
[[nodiscard]] LinkLoads check_links(const Extents& torus, std::span<const LinkMessage> messages);

/// Returns the loads of messages that may share links, and go along several dimensions in order.
[[nodiscard]] LinkLoads load_links(const Extents& array, Rim rim,
                                   std::span<const LinkMessage> messages);

}  // namespace shunt
