#include "lab/simulation/random_machine.hpp"

#include <vector>

#include "lab/traffic/draws.hpp"

namespace shunt {

Machine random_machine(std::uint64_t seed, Rank most_nodes, Rank largest) {
  auto draw = [&](Rank below, int what, Rank index) {
    return static_cast<Rank>(hash(seed, what, index) % static_cast<std::uint64_t>(below));
  };
  enum { nodes, range, size, places };
  std::vector<Rank> in_order;
  const Rank count = 1 + draw(most_nodes, nodes, 0);
  // Equal sizes, and sizes of which many are equal, come up as well.
  const Rank sizes = 1 + draw(largest, range, 0);
  const Rank smallest = 1 + draw(largest - sizes + 1, range, 1);
  for (Rank node = 0; node < count; ++node) {
    const Rank ranks = smallest + draw(sizes, size, node);
    in_order.insert(in_order.end(), static_cast<std::size_t>(ranks), node);
  }
  if (seed % 3 == 0) return Machine(std::move(in_order));
  std::vector<Rank> node_of(in_order.size());
  for (std::size_t rank = 0; rank < node_of.size(); ++rank) {
    node_of[permute(hash(seed, places), node_of.size(), rank)] = in_order[rank];
  }
  return Machine(std::move(node_of));
}

}  // namespace shunt
