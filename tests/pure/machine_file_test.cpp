#include "lab/simulation/machine_file.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/temporary_file.hpp"

namespace shunt {
namespace {

using test::expect_error;
using test::TemporaryFile;

/// A whole file, with these lines on the machine's shape.
std::string file_with(const std::string& shape, const std::string& ranks_per_node = "1") {
  return R"({"format": "shunt-machine", "version": 1, "about": "a", "source": "b", )" + shape +
         R"(, "ranks_per_node": )" + ranks_per_node +
         R"(, "start_up": 1.5e-6, "per_byte": 8e-11, "memory_start_up": 0, )"
         R"("memory_per_byte": 1e-11, "copy_per_byte": 1e-10})";
}

SimulatedMachine machine_in(const std::string& text) {
  return read_machine_file(TemporaryFile(".json", text).path());
}

void refuse_machine(const std::string& text, const std::string& words) {
  const TemporaryFile file(".json", text);
  expect_error(ErrorKind::file, words, [&] { (void)read_machine_file(file.path()); });
  expect_error(ErrorKind::file, file.path(), [&] { (void)read_machine_file(file.path()); });
}

/// The file of a flat machine with one part of its text replaced.
std::string spoilt(const std::string& part, const std::string& replacement) {
  std::string text = file_with(R"("topology": "flat", "nodes": 4)");
  const std::size_t place = text.find(part);
  EXPECT_NE(place, std::string::npos);
  return text.replace(place, part.size(), replacement);
}

TEST(MachineFile, SaysWhatAFlatMachineIs) {
  const TemporaryFile file(".json", file_with(R"("topology": "flat", "nodes": 64)", "16"));
  const SimulatedMachine machine = read_machine_file(file.path());
  EXPECT_NE(file.path().find("/" + machine.name + ".json"), std::string::npos);
  EXPECT_EQ(machine.about, "a");
  EXPECT_EQ(machine.source, "b");
  EXPECT_EQ(machine.topology, NetworkTopology::flat);
  EXPECT_EQ(machine.nodes, 64);
  EXPECT_EQ(machine.ranks_per_node, 16);
  EXPECT_EQ(machine.ranks(), 1024);
  EXPECT_EQ(machine.start_up, 1.5e-6);
  EXPECT_EQ(machine.per_byte, 8e-11);
  EXPECT_EQ(machine.memory_start_up, 0);
  EXPECT_EQ(machine.memory_per_byte, 1e-11);
  EXPECT_EQ(machine.copy_per_byte, 1e-10);
  EXPECT_EQ(machine.with_ranks(20), Machine::blocked(20, 16));
}

TEST(MachineFile, SaysWhatATorusIs) {
  const SimulatedMachine machine =
      machine_in(file_with(R"("topology": "torus", "extents": [3, 4])"));
  EXPECT_EQ(machine.topology, NetworkTopology::torus);
  EXPECT_EQ(machine.extents, (std::vector<Rank>{3, 4}));
  EXPECT_EQ(machine.nodes, 12);
  EXPECT_EQ(machine.array_of_ranks(), Extents({3, 4}));
  const SimulatedMachine crowded =
      machine_in(file_with(R"("topology": "torus", "extents": [3, 4])", "2"));
  EXPECT_EQ(crowded.array_of_ranks(), Extents({24}));
}

TEST(MachineFile, SaysWhatATreeAndADragonflyAre) {
  const SimulatedMachine tree = machine_in(
      file_with(R"("topology": "fat-tree", "levels": [{"children": 4, "parents": 1, "cables": 2},)"
                R"( {"children": 3, "parents": 2, "cables": 1}])"));
  EXPECT_EQ(tree.topology, NetworkTopology::fat_tree);
  EXPECT_EQ(tree.levels, (std::vector<FatTreeLevel>{{4, 1, 2}, {3, 2, 1}}));
  EXPECT_EQ(tree.nodes, 12);

  const SimulatedMachine dragonfly = machine_in(file_with(
      R"("topology": "dragonfly", "groups": {"members": 3, "cables": 4}, "chassis": {"members": 2,)"
      R"( "cables": 1}, "routers": {"members": 5, "cables": 6}, "nodes": 7)"));
  EXPECT_EQ(dragonfly.topology, NetworkTopology::dragonfly);
  EXPECT_EQ(dragonfly.dragonfly, (Dragonfly{{3, 4}, {2, 1}, {5, 6}, 7}));
  EXPECT_EQ(dragonfly.nodes, 210);
}

TEST(MachineFile, HasRanksForSoMany) {
  const SimulatedMachine flat = machine_in(file_with(R"("topology": "flat", "nodes": 4)", "2"));
  expect_error(ErrorKind::argument, "has ranks for 1 to 8, not for 9",
               [&] { (void)flat.with_ranks(9); });
  expect_error(ErrorKind::argument, "has ranks for 1 to 8, not for 0",
               [&] { (void)flat.with_ranks(0); });
  const SimulatedMachine mesh = machine_in(file_with(R"("topology": "mesh", "extents": [3, 4])"));
  EXPECT_EQ(mesh.topology, NetworkTopology::mesh);
  EXPECT_EQ(mesh.array_of_ranks(), Extents({3, 4}));
  expect_error(ErrorKind::argument, "is a mesh, which takes all of its 12 ranks, not 11",
               [&] { (void)mesh.with_ranks(11); });
  const SimulatedMachine torus = machine_in(file_with(R"("topology": "torus", "extents": [3, 4])"));
  expect_error(ErrorKind::argument, "takes all of its 12 ranks, not 11",
               [&] { (void)torus.with_ranks(11); });
}

TEST(MachineFile, HasRoomForNodes) {
  const SimulatedMachine flat = machine_in(file_with(R"("topology": "flat", "nodes": 3)", "4"));
  const Machine nodes = Machine::parse("4,1", std::nullopt);
  EXPECT_EQ(flat.with_nodes(nodes), nodes);
  expect_error(ErrorKind::argument, "has 3 nodes for up to 4 ranks each, not 2 for up to 5",
               [&] { (void)flat.with_nodes(Machine::parse("5,1", std::nullopt)); });
  expect_error(ErrorKind::argument, "has 3 nodes for up to 4 ranks each, not 4 for up to 1",
               [&] { (void)flat.with_nodes(Machine::parse("1,1,1,1", std::nullopt)); });
  const SimulatedMachine mesh = machine_in(file_with(R"("topology": "mesh", "extents": [2])"));
  expect_error(ErrorKind::argument, "is a mesh, whose ranks fill its nodes in order",
               [&] { (void)mesh.with_nodes(Machine::parse("1,1", std::nullopt)); });
  const SimulatedMachine torus = machine_in(file_with(R"("topology": "torus", "extents": [2])"));
  expect_error(ErrorKind::argument, "is a torus, whose ranks fill its nodes in order",
               [&] { (void)torus.with_nodes(Machine::parse("1,1", std::nullopt)); });
}

TEST(MachineFile, RefusesWhatIsNoMachine) {
  refuse_machine("", "must be a JSON object");
  refuse_machine("[]", "must be a JSON object");
  refuse_machine("{", "must be a JSON object");
  refuse_machine("{}", "\"format\" is missing");
  refuse_machine(spoilt("shunt-machine", "machine"), "\"format\" must be \"shunt-machine\"");
  refuse_machine(spoilt("\"version\": 1", "\"version\": 2"), "\"version\" must be 1");
  refuse_machine(spoilt("\"b\"", "7"), "\"source\" must be text");
  refuse_machine(spoilt("\"flat\"", "\"ring\""), "\"topology\" must be \"flat\"");
  refuse_machine(spoilt("\"nodes\": 4", "\"nodes\": 0"), "\"nodes\" must be a whole number from 1");
  refuse_machine(spoilt("\"nodes\": 4", "\"nodes\": 2.5"), "\"nodes\" must be a whole number");
  refuse_machine(spoilt("\"nodes\": 4", "\"nodes\": 16777217"), "\"nodes\" must be a whole number");
  refuse_machine(spoilt("1.5e-6", "-1"), "\"start_up\" must be a number of seconds, 0 or more");
  refuse_machine(spoilt("1.5e-6", "\"1\""), "\"start_up\" must be a number of seconds");
  refuse_machine(spoilt("8e-11", "0"), "\"per_byte\" and \"memory_per_byte\" must be more than 0");
  refuse_machine(spoilt("\"copy_per_byte\"", "\"copies\""), "\"copy_per_byte\" is missing");
  refuse_machine(file_with(R"("topology": "torus", "extents": [])"), "\"extents\" must be a list");
  refuse_machine(file_with(R"("topology": "torus", "extents": 4)"), "\"extents\" must be a list");
  refuse_machine(file_with(R"("topology": "torus", "extents": [4096, 4096, 2])"),
                 "more than 16777216");
  refuse_machine(file_with(R"("topology": "flat", "nodes": 1048576)", "17"), "more than 16777216");
  refuse_machine(file_with(R"("topology": "fat-tree", "levels": [4])"),
                 "\"levels\" must be made of");
  refuse_machine(file_with(R"("topology": "fat-tree", "levels": [{"children": 4}])"),
                 "\"parents\" is missing");
  refuse_machine(file_with(R"("topology": "dragonfly", "groups": 3)"),
                 "\"groups\" must be made of");
  const std::string two = R"({"members": 2, "cables": 1})";
  refuse_machine(
      file_with(R"("topology": "dragonfly", "groups": {"members": 3, "cables": 1}, "chassis": )" +
                two + R"(, "routers": )" + two + R"(, "nodes": 7)"),
      "no more groups than routers in a chassis");
  expect_error(ErrorKind::file, "/nowhere.json", [] { (void)read_machine_file("/nowhere.json"); });
}

}  // namespace
}  // namespace shunt
