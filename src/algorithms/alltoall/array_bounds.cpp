#include "algorithms/alltoall/array_bounds.hpp"

#include <algorithm>
#include <cmath>

namespace shunt {

namespace {

/// The most that rounding adds to the piece of one stream for `shares` of `weight` shares.
double rounding_of_piece(Rounding rounding, Rank shares, Rank weight) {
  if (rounding.grain == 0) return 0;
  const auto grain = static_cast<double>(rounding.grain);
  return (grain * (weight - 1) + (grain - 1) * shares) / weight;
}

/// The most messages that a node of `column` receives, its own included.
Rank largest_in_degree(const NodeArray& array, Rank column) {
  return array.contacted_by(array.node_at(0, column));
}

/// Rounds down to whole bytes, forgiving the rounding of the arithmetic itself.
Bytes whole_bytes(double bytes) {
  return static_cast<Bytes>(std::floor(bytes * (1 + 1e-12) + 1e-6));
}

}  // namespace

Bytes ArrayBounds::distributed(int level, Rank rank) const {
  auto load = static_cast<double>(traffic_.largest_load);
  for (int above = 0;; ++above) {
    const Group group = hierarchy_.group_of(rank, above);
    const NodeArray& array = group.array;
    const Rank column = array.column_of(group.node_of(rank));
    const Rank height = array.height(column);
    const double message = load * height / array.nodes() +
                           destinations_ * rounding_of_piece(rounding_, height, array.nodes());
    if (above == level) return whole_bytes(message);
    load = largest_in_degree(array, column) * message;
  }
}

double ArrayBounds::spread_share(double total, Rank nodes, int level) const {
  if (level == hierarchy_.levels()) return total;
  const NodeArray array = hierarchy_.array_for(nodes, level);
  double largest = 0;
  for (const Rank column : {Rank{0}, array.columns() - 1}) {
    const Rank height = array.height(column);
    const double of_column =
        total * height / nodes + nodes * rounding_of_piece(rounding_, height, nodes);
    largest = std::max(largest, spread_share(of_column, height, level + 1));
  }
  return largest;
}

double ArrayBounds::largest_share() const {
  return spread_ ? spread_share(static_cast<double>(traffic_.largest_load), hierarchy_.ranks(), 0)
                 : static_cast<double>(traffic_.longest_block);
}

Bytes ArrayBounds::collected(int level, Rank rank) const {
  const auto load = static_cast<double>(traffic_.largest_load);
  double share = largest_share();
  for (int above = 0;; ++above) {
    const Group group = hierarchy_.group_of(rank, above);
    const Rank column = group.array.column_of(group.node_of(rank));
    if (above == level) {
      const double message = share * group.array.height(column);
      const bool by_its_sender = above == 0 && !spread_;
      return whole_bytes(by_its_sender ? std::min(message, load) : message);
    }
    share = std::min(share * largest_in_degree(group.array, column), load);
  }
}

Bytes ArrayBounds::held(int level, Rank rank) const {
  const Group group = hierarchy_.group_of(rank, level);
  return traffic_.largest_load * group.array.height(group.array.column_of(group.node_of(rank)));
}

}  // namespace shunt
