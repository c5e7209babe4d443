#include "model/machine_file.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/input_file.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

using nlohmann::json;

constexpr std::string_view kMachineFormat = "shunt-machine";
constexpr std::int64_t kMachineVersion = 1;
constexpr Bytes kLongestFile = Bytes{1} << 20;
/// Ranks, nodes and whatever multiplies to them.
constexpr std::int64_t kMostMachineRanks = std::int64_t{1} << 24;

/// Takes a machine from the file's JSON object; what is wrong with it is the file's fault.
class MachineReader {
 public:
  MachineReader(const InputFile& file, const json& object) : file_(file), object_(object) {}

  [[nodiscard]] SimulatedMachine machine() const {
    if (text("format") != kMachineFormat)
      fail(fmt::format("\"format\" must be \"{}\"", kMachineFormat));
    if (whole("version") != kMachineVersion)
      fail(fmt::format("\"version\" must be {}", kMachineVersion));
    SimulatedMachine machine;
    machine.about = text("about");
    machine.source = text("source");
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
  [[noreturn]] void fail(const std::string& sentence) const { file_.fail(sentence); }

  [[noreturn]] void too_large() const {
    fail(fmt::format("the machine has more than {} ranks", kMostMachineRanks));
  }

  [[nodiscard]] const json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) fail(fmt::format("\"{}\" is missing", key));
    return *found;
  }

  [[nodiscard]] std::string text(const char* key) const {
    if (!at(key).is_string()) fail(fmt::format("\"{}\" must be text", key));
    return at(key).get<std::string>();
  }

  [[nodiscard]] double seconds(const char* key) const {
    const json& value = at(key);
    const double number = value.is_number() ? value.get<double>() : -1;
    if (!(number >= 0) || !std::isfinite(number)) {
      fail(fmt::format("\"{}\" must be a number of seconds, 0 or more", key));
    }
    return number;
  }

  [[nodiscard]] Rank whole(const char* key) const { return whole(at(key), key); }

  [[nodiscard]] Rank whole(const json& value, const char* key) const {
    const std::int64_t number = value.is_number_integer() ? value.get<std::int64_t>() : 0;
    if (number < 1 || number > kMostMachineRanks) {
      fail(fmt::format("\"{}\" must be a whole number from 1 to {}", key, kMostMachineRanks));
    }
    return static_cast<Rank>(number);
  }

  /// The items of a list of `what` that is not empty.
  [[nodiscard]] const json& list(const char* key, const char* what) const {
    const json& value = at(key);
    if (!value.is_array() || value.empty()) {
      fail(fmt::format("\"{}\" must be a list of {}, not empty", key, what));
    }
    return value;
  }

  /// What is under `key`, an object.
  [[nodiscard]] MachineReader inside(const json& value, const char* key) const {
    if (!value.is_object()) fail(fmt::format("\"{}\" must be made of objects", key));
    return {file_, value};
  }

  void add_topology(SimulatedMachine& machine) const {
    const std::string topology = text("topology");
    if (topology == "flat") {
      machine.nodes = whole("nodes");
    } else if (topology == "torus" || topology == "mesh") {
      machine.topology = topology == "torus" ? Topology::torus : Topology::mesh;
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
    machine.topology = Topology::fat_tree;
    for (const json& item : list("levels", "objects")) {
      const MachineReader level = inside(item, "levels");
      machine.levels.push_back(
          {level.whole("children"), level.whole("parents"), level.whole("cables")});
      multiply(machine.nodes, machine.levels.back().children);
    }
  }

  void add_dragonfly(SimulatedMachine& machine) const {
    machine.topology = Topology::dragonfly;
    const auto level = [&](const char* key) {
      const MachineReader reader = inside(at(key), key);
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

  const InputFile& file_;
  const json& object_;
};

const char* kind_of_array(Topology topology) {
  return topology == Topology::torus ? "torus" : "mesh";
}

}  // namespace

Machine SimulatedMachine::with_ranks(Rank count) const {
  if (count < 1 || count > ranks()) {
    throw Error(ErrorKind::argument, fmt::format("the machine {} has ranks for 1 to {}, not for {}",
                                                 name, ranks(), count));
  }
  if (!is_array()) return Machine::blocked(count, ranks_per_node);
  if (count != ranks()) {
    throw Error(ErrorKind::argument,
                fmt::format("the machine {} is a {}, which takes all of its {} ranks, not {}", name,
                            kind_of_array(topology), ranks(), count));
  }
  Machine machine = Machine::blocked(count, ranks_per_node);
  return ranks_per_node > 1 ? machine : machine.with_extents(Extents(extents));
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
  InputFile file(path);
  if (file.size() > kLongestFile) {
    file.fail(fmt::format("a machine file has at most {} bytes", kLongestFile));
  }
  const json object = json::parse(file.read(0, file.size()), nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) file.fail("a machine file must be a JSON object");
  SimulatedMachine machine = MachineReader(file, object).machine();
  machine.name = std::filesystem::path(path).stem().string();
  return machine;
}

}  // namespace shunt
