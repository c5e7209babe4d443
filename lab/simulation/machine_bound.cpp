#include "lab/simulation/machine_bound.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

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
struct MachineParts {
  Rank nodes = 1;    ///< of a part
  double links = 1;  ///< each way
};

/// Bytes that leave and that enter each part of so many nodes.
struct Crossing {
  std::vector<double> out;
  std::vector<double> in;
};

Crossing crossing(Rank part_nodes, const Burden& burden) {
  const Rank number = (burden.layout.nodes() - 1) / part_nodes + 1;
  const auto count = static_cast<std::size_t>(number);
  Crossing sums{std::vector<double>(count, 0), std::vector<double>(count, 0)};
  for_each_block(burden, [&](Rank from, Rank to, double bytes) {
    const auto source = static_cast<std::size_t>(from / part_nodes);
    const auto destination = static_cast<std::size_t>(to / part_nodes);
    if (source == destination) return;
    sums.out[source] += bytes;
    sums.in[destination] += bytes;
  });
  return sums;
}

/// Bytes over links of the part that has most to do for it.
double busiest(const MachineParts& parts, const Burden& burden) {
  const Crossing sums = crossing(parts.nodes, burden);
  return std::max(std::ranges::max(sums.out), std::ranges::max(sums.in)) / parts.links;
}

/// The same of the nodes of a mesh, which have fewer links at its rim.
double busiest_on_mesh(const Burden& burden) {
  const Extents mesh(burden.machine.extents);
  const Crossing sums = crossing(1, burden);
  double most = 0;
  for (Rank node = 0; node < burden.layout.nodes(); ++node) {
    const auto at = static_cast<std::size_t>(node);
    int links = 0;
    for (int k = 0; k < mesh.dimensions(); ++k) {
      const Rank coordinate = mesh.coordinate(node, k);
      links += (coordinate > 0 ? 1 : 0) + (coordinate + 1 < mesh.extent(k) ? 1 : 0);
    }
    if (links > 0) most = std::max(most, std::max(sums.out[at], sums.in[at]) / links);
  }
  return most;
}

/// Nodes, and what they are joined to.
std::vector<MachineParts> parts_of(const SimulatedMachine& machine) {
  switch (machine.topology) {
    case NetworkTopology::flat:
      break;
    case NetworkTopology::torus:
      return {{1, 2.0 * static_cast<double>(machine.extents.size())}};
    case NetworkTopology::mesh:
      return {};
    case NetworkTopology::fat_tree: {
      std::vector<MachineParts> parts;
      MachineParts branch;
      for (const FatTreeLevel& level : machine.levels) {
        branch.links *= level.parents;
        parts.push_back({branch.nodes, branch.links * level.cables});
        branch.nodes *= level.children;
      }
      return parts;
    }
    case NetworkTopology::dragonfly: {
      const Dragonfly& shape = machine.dragonfly;
      std::vector<MachineParts> parts{{}};
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

/// Bytes that go one way along dimension k of a mesh between two neighbouring coordinates, where
/// most do, over the links there.
double crossed(const Extents& mesh, int k, const Burden& burden) {
  const auto extent = static_cast<std::size_t>(mesh.extent(k));
  // By coordinate: how much more there is after it than before it.
  std::vector<double> forward(extent, 0);
  std::vector<double> backward(extent, 0);
  for_each_block(burden, [&](Rank from, Rank to, double bytes) {
    const auto begin = static_cast<std::size_t>(mesh.coordinate(from, k));
    const auto end = static_cast<std::size_t>(mesh.coordinate(to, k));
    std::vector<double>& way = begin < end ? forward : backward;
    way[std::min(begin, end)] += bytes;
    way[std::max(begin, end)] -= bytes;
  });
  double most = 0;
  for (std::vector<double>* const way : {&forward, &backward}) {
    std::partial_sum(way->begin(), way->end(), way->begin());
    most = std::max(most, std::ranges::max(*way));
  }
  const Rank links = mesh.ranks() / mesh.extent(k);
  return most / links;
}

double on_mesh(const Burden& burden) {
  const Extents mesh(burden.machine.extents);
  double most = busiest_on_mesh(burden);
  for (int k = 0; k < mesh.dimensions(); ++k) most = std::max(most, crossed(mesh, k, burden));
  return most;
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
  for (const MachineParts& parts : parts_of(machine))
    bytes = std::max(bytes, busiest(parts, burden));
  if (machine.topology == NetworkTopology::torus) bytes = std::max(bytes, travelled(burden));
  if (machine.topology == NetworkTopology::mesh) bytes = std::max(bytes, on_mesh(burden));
  return std::max(bytes * machine.per_byte, inside_nodes(burden) * machine.memory_per_byte);
}

}  // namespace shunt
