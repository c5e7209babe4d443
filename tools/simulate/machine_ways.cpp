#include "tools/simulate/machine_ways.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/registry.hpp"
#include "planner/trials.hpp"
#include "shunt/error.hpp"
#include "tools/common/options.hpp"

namespace shunt {

namespace {

std::vector<std::string> all_algorithms(const OccupiedMachine& occupied) {
  const Machine& layout = occupied.layout;
  std::vector<std::string> names = torus_algorithms(occupied);
  const std::vector<std::string> by_nodes = node_algorithm_names();
  const bool has_nodes = layout.size_of(layout.largest_node()) > 1;
  for (const std::string& name : algorithm_names(layout.ranks())) {
    const bool needs_nodes = std::ranges::find(by_nodes, name) != by_nodes.end();
    const bool left_out =
        name.starts_with("groups") || name == "row-column-square" || name.starts_with("torus");
    if (!left_out && (has_nodes || !needs_nodes)) names.push_back(name);
  }
  return names;
}

bool all_equal(const Traffic& traffic) {
  std::vector<Bytes> row(static_cast<std::size_t>(traffic.ranks()));
  for (Rank rank = 0; rank < traffic.ranks(); ++rank) {
    traffic.row(rank, row);
    if (std::ranges::any_of(row, [&](Bytes count) { return count != traffic.count(0, 0); })) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::string> torus_algorithms(const OccupiedMachine& occupied) {
  std::vector<std::string> names;
  const Extents array = occupied.machine.array_of_ranks();
  if (occupied.machine.topology == NetworkTopology::torus && array.dimensions() > 1) {
    for (const char* family : {"torus:", "torus-pipeline:", "torus-split:"}) {
      names.push_back(family + array.name());
    }
  }
  return names;
}

std::vector<std::string> algorithms_for(const OccupiedMachine& occupied,
                                        std::vector<std::string> names, Bytes grain) {
  const bool all = names.empty();
  if (all) names = all_algorithms(occupied);
  std::erase_if(names, [&](const std::string& name) {
    try {
      if (name != kAuto) (void)make_algorithm(name, occupied.layout, grain);
      return false;
    } catch (const Error&) {
      if (!all) throw;
      return true;
    }
  });
  return names;
}

void check_built_in(const std::string& name, const Traffic& traffic) {
  const bool equal_blocks = name.starts_with("alltoall:");
  if (!equal_blocks && !name.starts_with("alltoallv:")) {
    throw wrong_choice(
        fmt::format("--built-in is \"{}\"; it begins with alltoall: or alltoallv:", name));
  }
  if (equal_blocks && !all_equal(traffic)) {
    throw wrong_choice(fmt::format("--built-in {} takes blocks of one length, which {} has not",
                                   name, traffic.name()));
  }
}

std::vector<std::string> built_in_for(const Traffic& traffic, bool folded) {
  std::vector<std::string> names;
  const Rank ranks = traffic.ranks();
  const bool power = std::has_single_bit(static_cast<unsigned>(ranks));
  for (const char* name : {"mpich", "mvapich2", "impi", "ring"}) {
    names.push_back(fmt::format("alltoallv:{}", name));
  }
  // It goes over to "pair", which is for powers of two alone, below 4 ranks and from 64 on.
  if (power || (ranks >= 4 && ranks < 64)) names.emplace_back("alltoallv:ompi");
  if (power) names.emplace_back("alltoallv:pair");
  if (!all_equal(traffic)) return names;
  for (const char* name : {"mpich", "ompi", "mvapich2", "impi", "ring"}) {
    names.push_back(fmt::format("alltoall:{}", name));
  }
  if (power) names.emplace_back("alltoall:pair");
  // This keeps all data in memory of its own, which is real. 2dmesh and 3dmesh do too, and rest on
  // blocking sends, to which SMPI charges no start-up.
  if (!folded) names.emplace_back("alltoall:bruck");
  return names;
}

std::vector<std::string> allgathers_for(const OccupiedMachine& occupied,
                                        std::vector<std::string> names,
                                        const Surroundings& surroundings) {
  const Rank ranks = occupied.layout.ranks();
  if (names.empty()) {
    names = allgather_names(ranks);
    const std::vector<std::string> by_nodes = node_allgather_names();
    if (occupied.layout.size_of(occupied.layout.largest_node()) == 1) {
      std::erase_if(names, [&](const std::string& name) {
        return std::ranges::find(by_nodes, name) != by_nodes.end();
      });
    }
  }
  const Sources nobody(std::vector<Bytes>(static_cast<std::size_t>(ranks), 0));
  for (std::string& name : names) {
    if (name != kAuto) name = make_allgather(name, nobody, surroundings)->name();
  }
  return names;
}

void check_built_in_allgather(const std::string& name, bool all_send) {
  const bool equal_blocks = name.starts_with("allgather:");
  if (!equal_blocks && !name.starts_with("allgatherv:")) {
    throw wrong_choice(fmt::format(
        "--built-in is \"{}\"; that of an all-gather begins with allgather: or allgatherv:", name));
  }
  if (equal_blocks && !all_send) {
    throw wrong_choice(
        fmt::format("--built-in {} takes blocks of one length, and not all ranks send one", name));
  }
}

/// Not "GB" nor "ompi", which comes to it with short blocks: SMPI charges no start-up to the
/// blocking sends of its gather and broadcast.
std::vector<std::string> built_in_allgathers(Rank ranks) {
  std::vector<std::string> names;
  for (const char* name : {"mpich", "impi", "ring", "mpich_ring", "ompi_bruck"}) {
    names.push_back(fmt::format("allgatherv:{}", name));
  }
  if (ranks % 2 == 0) names.emplace_back("allgatherv:ompi_neighborexchange");
  if (std::has_single_bit(static_cast<unsigned>(ranks))) names.emplace_back("allgatherv:pair");
  return names;
}

}  // namespace shunt
