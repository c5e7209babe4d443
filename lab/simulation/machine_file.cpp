#include "lab/simulation/machine_file.hpp"

#include <cstdint>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/json_object.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

using nlohmann::json;

constexpr JsonFormat kMachineFormat{"shunt-machine", 1, "a machine file", Bytes{1} << 20};
/// Ranks, nodes and whatever multiplies to them.
constexpr std::int64_t kMostMachineRanks = std::int64_t{1} << 24;

/// Takes a machine from the file's JSON object; what is wrong with it is the file's fault.
class MachineReader {
 public:
  explicit MachineReader(JsonObject object) : object_(std::move(object)) {}

  [[nodiscard]] SimulatedMachine machine() const {
    SimulatedMachine machine;
    machine.about = object_.text("about");
    machine.source = object_.text("source");
    machine.ranks_per_node = whole("ranks_per_node");
    add_topology(machine);
    if (std::int64_t{machine.nodes} * machine.ranks_per_node > kMostMachineRanks) too_large();
    machine.start_up = seconds("start_up");
    machine.per_byte = seconds("per_byte");
    machine.memory_start_up = seconds("memory_start_up");
    machine.memory_per_byte = seconds("memory_per_byte");
    machine.copy_per_byte = seconds("copy_per_byte");
    if (machine.per_byte == 0 || machine.memory_per_byte == 0) {
      fail("\"per_byte\" and \"memory_per_byte\" must be more than 0");
    }
    return machine;
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const { object_.fail(sentence); }

  [[noreturn]] void too_large() const {
    fail(fmt::format("the machine has more than {} ranks", kMostMachineRanks));
  }

  [[nodiscard]] double seconds(const char* key) const { return object_.amount(key, "seconds"); }

  [[nodiscard]] Rank whole(const char* key) const { return whole(object_.at(key), key); }

  [[nodiscard]] Rank whole(const json& value, const char* key) const {
    return static_cast<Rank>(object_.whole(value, key, 1, kMostMachineRanks));
  }

  /// The items of a list of `what` that is not empty.
  [[nodiscard]] const json& list(const char* key, const char* what) const {
    const json& value = object_.list(key, what);
    if (value.empty()) fail(fmt::format("\"{}\" must be a list of {}, not empty", key, what));
    return value;
  }

  /// What is under `key`, an object.
  [[nodiscard]] MachineReader inside(const json& value, const char* key) const {
    return MachineReader(object_.inside(value, key));
  }

  void add_topology(SimulatedMachine& machine) const {
    const std::string topology = object_.text("topology");
    if (topology == "flat") {
      machine.nodes = whole("nodes");
    } else if (topology == "torus" || topology == "mesh") {
      machine.topology = topology == "torus" ? NetworkTopology::torus : NetworkTopology::mesh;
      add_array(machine);
    } else if (topology == "fat-tree") {
      add_fat_tree(machine);
    } else if (topology == "dragonfly") {
      add_dragonfly(machine);
    } else {
      fail("\"topology\" must be \"flat\", \"torus\", \"mesh\", \"fat-tree\" or \"dragonfly\"");
    }
  }

  void add_array(SimulatedMachine& machine) const {
    for (const json& extent : list("extents", "whole numbers")) {
      machine.extents.push_back(whole(extent, "extents"));
      multiply(machine.nodes, machine.extents.back());
    }
  }

  void add_fat_tree(SimulatedMachine& machine) const {
    machine.topology = NetworkTopology::fat_tree;
    for (const json& item : list("levels", "objects")) {
      const MachineReader level = inside(item, "levels");
      machine.levels.push_back(
          {level.whole("children"), level.whole("parents"), level.whole("cables")});
      multiply(machine.nodes, machine.levels.back().children);
    }
  }

  void add_dragonfly(SimulatedMachine& machine) const {
    machine.topology = NetworkTopology::dragonfly;
    const auto level = [&](const char* key) {
      const MachineReader reader = inside(object_.at(key), key);
      multiply(machine.nodes, reader.whole("members"));
      return DragonflyLevel{reader.whole("members"), reader.whole("cables")};
    };
    machine.dragonfly = {level("groups"), level("chassis"), level("routers"), whole("nodes")};
    multiply(machine.nodes, machine.dragonfly.nodes);
    // The cable to group k ends at the k-th router of the first chassis.
    if (machine.dragonfly.groups.members > machine.dragonfly.routers.members) {
      fail("a dragonfly has no more groups than routers in a chassis");
    }
  }

  void multiply(Rank& nodes, Rank factor) const {
    if (std::int64_t{nodes} * factor > kMostMachineRanks) too_large();
    nodes *= factor;
  }

  JsonObject object_;
};

const char* kind_of_array(NetworkTopology topology) {
  return topology == NetworkTopology::torus ? "torus" : "mesh";
}

}  // namespace

Machine SimulatedMachine::with_ranks(Rank count) const {
  if (count < 1 || count > ranks()) {
    throw Error(ErrorKind::argument, fmt::format("the machine {} has ranks for 1 to {}, not for {}",
                                                 name, ranks(), count));
  }
  if (is_array() && count != ranks()) {
    throw Error(ErrorKind::argument,
                fmt::format("the machine {} is a {}, which takes all of its {} ranks, not {}", name,
                            kind_of_array(topology), ranks(), count));
  }
  return Machine::blocked(count, ranks_per_node);
}

Machine SimulatedMachine::with_nodes(Machine occupied) const {
  if (is_array()) {
    throw Error(ErrorKind::argument,
                fmt::format("the machine {} is a {}, whose ranks fill its nodes in order", name,
                            kind_of_array(topology)));
  }
  const Rank largest = occupied.size_of(occupied.largest_node());
  if (occupied.nodes() > nodes || largest > ranks_per_node) {
    throw Error(
        ErrorKind::argument,
        fmt::format("the machine {} has {} nodes for up to {} ranks each, not {} for up to {}",
                    name, nodes, ranks_per_node, occupied.nodes(), largest));
  }
  return occupied;
}

SimulatedMachine read_machine_file(const std::string& path) {
  const json object = read_json_file(path, kMachineFormat);
  SimulatedMachine machine = MachineReader(JsonObject(path, object)).machine();
  machine.name = std::filesystem::path(path).stem().string();
  return machine;
}

}  // namespace shunt
