// Machines to simulate: what a machine file says. docs/formats.md describes the format.
#pragma once

#include <string>
#include <vector>

#include "model/loads.hpp"
#include "model/machine.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// How the nodes of a simulated machine are connected. All links carry the same bytes a second each
/// way; a message takes a share of each link of its way.
enum class NetworkTopology {
  flat,      ///< a link from each node into a network that is never the limit
  torus,     ///< a link to each neighbour in an array whose ends are joined
  mesh,      ///< a link to each neighbour in an array whose ends are not joined
  fat_tree,  ///< a tree whose links branch upwards too
  dragonfly  ///< groups, of chassis, of routers, of nodes; all-to-all on each of these levels
};

/// The links between one level of a fat tree and the next one up, leaves first.
struct FatTreeLevel {
  Rank children = 1;  ///< below each switch of the upper level
  Rank parents = 1;   ///< above each switch, or leaf, of the lower level
  Rank cables = 1;    ///< between each of them

  friend bool operator==(const FatTreeLevel&, const FatTreeLevel&) = default;
};

/// One level of a dragonfly: how many members it has, and the cables between any two of them.
struct DragonflyLevel {
  Rank members = 1;
  Rank cables = 1;

  friend bool operator==(const DragonflyLevel&, const DragonflyLevel&) = default;
};

/// The shape of a dragonfly.
struct Dragonfly {
  DragonflyLevel groups;
  DragonflyLevel chassis;  ///< of a group
  DragonflyLevel routers;  ///< of a chassis
  Rank nodes = 1;          ///< of a router

  friend bool operator==(const Dragonfly&, const Dragonfly&) = default;
};

/// A machine to simulate.
struct SimulatedMachine {
  std::string name;    ///< the file's, without folder and ending
  std::string about;   ///< what it models
  std::string source;  ///< where its figures come from
  NetworkTopology topology = NetworkTopology::flat;
  Rank nodes = 1;
  Rank ranks_per_node = 1;
  std::vector<Rank> extents;         ///< of a torus or a mesh
  std::vector<FatTreeLevel> levels;  ///< of a fat tree
  Dragonfly dragonfly;

  double start_up = 0;         ///< seconds that a message to another node costs its sender
  double per_byte = 0;         ///< seconds a byte on a link
  double memory_start_up = 0;  ///< seconds that a message inside the node costs its sender
  double memory_per_byte = 0;  ///< seconds a byte of them through the node's memory
  double copy_per_byte = 0;    ///< seconds a byte that a rank copies

  [[nodiscard]] Rank ranks() const { return nodes * ranks_per_node; }

  /// Whether its nodes are an array: a torus or a mesh.
  [[nodiscard]] bool is_array() const {
    return topology == NetworkTopology::torus || topology == NetworkTopology::mesh;
  }

  /// Returns the array that its ranks form where each has a node of an array; otherwise one row.
  [[nodiscard]] Extents array_of_ranks() const {
    return is_array() && ranks_per_node == 1 ? Extents(extents) : Extents({ranks()});
  }

  /// Returns the machine's first `ranks` ranks, which fill its nodes in order. Throws
  /// Error(argument) where it has fewer ranks, and on a torus or a mesh where it has another
  /// number.
  [[nodiscard]] Machine with_ranks(Rank ranks) const;

  /// Returns `nodes`, node n of which is node n of this machine. Throws Error(argument) where it
  /// has fewer or smaller ones, or is a torus or a mesh, whose ranks are an array.
  [[nodiscard]] Machine with_nodes(Machine nodes) const;
};

/// Throws Error(file) where the file cannot be read or is no such machine.
[[nodiscard]] SimulatedMachine read_machine_file(const std::string& path);

}  // namespace shunt
