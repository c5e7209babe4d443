#include "model/machine_bound.hpp"

#include <algorithm>
#include <functional>

namespace shunt {

namespace {

/// What a machine has to carry: a traffic between ranks on its nodes.
struct Burden {
  const SimulatedMachine& machine;
  const Machine& layout;
  const Traffic& traffic;
  Bytes element;
};

/// The non-empty blocks in bytes, row after row, without those to oneself, with the nodes between
/// which they go.
void for_each_block(const Burden& burden, const std::function<void(Rank, Rank, double)>& handle) {
  const Traffic& traffic = burden.traffic;
  std::vector<Bytes> row(static_cast<std::size_t>(traffic.ranks()));
  for (Rank from = 0; from < traffic.ranks(); ++from) {
    traffic.row(from, row);
    for (Rank to = 0; to < traffic.ranks(); ++to) {
      const Bytes count = row[static_cast<std::size_t>(to)];
      if (count > 0 && from != to) {
        handle(burden.layout.node_of(from), burden.layout.node_of(to),
               static_cast<double>(count) * static_cast<double>(burden.element));
      }
    }
  }
}

/// Parts of a machine, each of consecutive nodes, with as many links to the rest of it.
struct Parts {
  Rank nodes = 1;    ///< of a part
  double links = 1;  ///< each way
};

/// Bytes over links of the part that has most to do for it.
double busiest(const Parts& parts, const Burden& burden) {
  const Rank number = (burden.layout.nodes() - 1) / parts.nodes + 1;
  const auto count = static_cast<std::size_t>(number);
  std::vector<double> out(count, 0);
  std::vector<double> in(count, 0);
  for_each_block(burden, [&](Rank from, Rank to, double bytes) {
    const auto source = static_cast<std::size_t>(from / parts.nodes);
    const auto destination = static_cast<std::size_t>(to / parts.nodes);
    if (source == destination) return;
    out[source] += bytes;
    in[destination] += bytes;
  });
  return std::max(std::ranges::max(out), std::ranges::max(in)) / parts.links;
}

/// Nodes, and what they are joined to.
std::vector<Parts> parts_of(const SimulatedMachine& machine) {
  switch (machine.topology) {
    case Topology::flat:
      break;
    case Topology::torus:
      return {{1, 2.0 * static_cast<double>(machine.extents.size())}};
    case Topology::fat_tree: {
      std::vector<Parts> parts;
      Parts branch;
      for (const FatTreeLevel& level : machine.levels) {
        branch.links *= level.parents;
        parts.push_back({branch.nodes, branch.links * level.cables});
        branch.nodes *= level.children;
      }
      return parts;
    }
    case Topology::dragonfly: {
      const Dragonfly& shape = machine.dragonfly;
      std::vector<Parts> parts{{}};
      if (shape.groups.members > 1) {
        parts.push_back({machine.nodes / shape.groups.members,
                         static_cast<double>(shape.groups.members - 1) * shape.groups.cables});
      }
      return parts;
    }
  }
  return {{}};
}

/// Bytes times links along the dimension that has most of it, over the links along it.
double travelled(const Burden& burden) {
  const Extents torus(burden.machine.extents);
  std::vector<double> sums(burden.machine.extents.size(), 0);
  for_each_block(burden, [&](Rank from, Rank to, double bytes) {
    for (int k = 0; k < torus.dimensions(); ++k) {
      const Rank ahead = torus.ahead(from, to, k);
      sums[static_cast<std::size_t>(k)] += bytes * std::min(ahead, torus.extent(k) - ahead);
    }
  });
  return std::ranges::max(sums) / (2.0 * burden.machine.nodes);
}

/// Bytes between ranks of one node, of the node that has most of them.
double inside_nodes(const Burden& burden) {
  std::vector<double> sums(static_cast<std::size_t>(burden.layout.nodes()), 0);
  for_each_block(burden, [&](Rank from, Rank to, double bytes) {
    if (from == to) sums[static_cast<std::size_t>(from)] += bytes;
  });
  return std::ranges::max(sums);
}

}  // namespace

double least_seconds(const SimulatedMachine& machine, const Machine& layout, const Traffic& traffic,
                     Bytes element) {
  const Burden burden{machine, layout, traffic, element};
  double bytes = 0;
  for (const Parts& parts : parts_of(machine)) bytes = std::max(bytes, busiest(parts, burden));
  if (machine.topology == Topology::torus) bytes = std::max(bytes, travelled(burden));
  return std::max(bytes * machine.per_byte, inside_nodes(burden) * machine.memory_per_byte);
}

}  // namespace shunt
