#include "model/machine_bound.hpp"

#include <algorithm>
#include <functional>

namespace shunt {

namespace {

/// The non-empty blocks of a traffic in bytes, row after row, without those to oneself.
void for_each_block(const Traffic& traffic, Bytes element,
                    const std::function<void(Rank, Rank, double)>& handle) {
  std::vector<Bytes> row(static_cast<std::size_t>(traffic.ranks()));
  for (Rank from = 0; from < traffic.ranks(); ++from) {
    traffic.row(from, row);
    for (Rank to = 0; to < traffic.ranks(); ++to) {
      const Bytes count = row[static_cast<std::size_t>(to)];
      if (count > 0 && from != to) {
        handle(from, to, static_cast<double>(count) * static_cast<double>(element));
      }
    }
  }
}

/// Parts of a machine, each of consecutive ranks, with as many links to the rest of it.
struct Parts {
  Rank ranks = 1;    ///< of a part
  double links = 1;  ///< each way
};

/// Bytes over links of the part that has most to do for it.
double busiest(const Parts& parts, const Traffic& traffic, Bytes element) {
  const Rank number = (traffic.ranks() - 1) / parts.ranks + 1;
  const auto count = static_cast<std::size_t>(number);
  std::vector<double> out(count, 0);
  std::vector<double> in(count, 0);
  for_each_block(traffic, element, [&](Rank from, Rank to, double bytes) {
    const auto source = static_cast<std::size_t>(from / parts.ranks);
    const auto destination = static_cast<std::size_t>(to / parts.ranks);
    if (source == destination) return;
    out[source] += bytes;
    in[destination] += bytes;
  });
  return std::max(std::ranges::max(out), std::ranges::max(in)) / parts.links;
}

/// Nodes, and what they are joined to.
std::vector<Parts> parts_of(const SimulatedMachine& machine) {
  const Rank node = machine.ranks_per_node;
  switch (machine.topology) {
    case Topology::flat:
      break;
    case Topology::torus:
      return {{node, 2.0 * static_cast<double>(machine.extents.size())}};
    case Topology::fat_tree: {
      std::vector<Parts> parts;
      Parts branch{node, 1};
      for (const FatTreeLevel& level : machine.levels) {
        branch.links *= level.parents;
        parts.push_back({branch.ranks, branch.links * level.cables});
        branch.ranks *= level.children;
      }
      return parts;
    }
    case Topology::dragonfly: {
      const Dragonfly& shape = machine.dragonfly;
      std::vector<Parts> parts{{node, 1}};
      if (shape.groups.members > 1) {
        parts.push_back({machine.ranks() / shape.groups.members,
                         static_cast<double>(shape.groups.members - 1) * shape.groups.cables});
      }
      return parts;
    }
  }
  return {{node, 1}};
}

/// Bytes times links along the dimension that has most of it, over the links along it.
double travelled(const SimulatedMachine& machine, const Traffic& traffic, Bytes element) {
  const Extents torus(machine.extents);
  std::vector<double> sums(machine.extents.size(), 0);
  for_each_block(traffic, element, [&](Rank from, Rank to, double bytes) {
    for (int k = 0; k < torus.dimensions(); ++k) {
      const Rank ahead = torus.ahead(from / machine.ranks_per_node, to / machine.ranks_per_node, k);
      sums[static_cast<std::size_t>(k)] += bytes * std::min(ahead, torus.extent(k) - ahead);
    }
  });
  return std::ranges::max(sums) / (2.0 * machine.nodes);
}

/// Bytes between ranks of one node, of the node that has most of them.
double inside_nodes(const SimulatedMachine& machine, const Traffic& traffic, Bytes element) {
  std::vector<double> sums(static_cast<std::size_t>(machine.nodes), 0);
  for_each_block(traffic, element, [&](Rank from, Rank to, double bytes) {
    const Rank node = from / machine.ranks_per_node;
    if (node == to / machine.ranks_per_node) sums[static_cast<std::size_t>(node)] += bytes;
  });
  return std::ranges::max(sums);
}

}  // namespace

double least_seconds(const SimulatedMachine& machine, const Traffic& traffic, Bytes element) {
  double bytes = 0;
  for (const Parts& parts : parts_of(machine)) {
    bytes = std::max(bytes, busiest(parts, traffic, element));
  }
  if (machine.topology == Topology::torus) {
    bytes = std::max(bytes, travelled(machine, traffic, element));
  }
  return std::max(bytes * machine.per_byte,
                  inside_nodes(machine, traffic, element) * machine.memory_per_byte);
}

}  // namespace shunt
