#include "lab/simulation/machine_bound.hpp"

#include <gtest/gtest.h>

#include "function_traffic.hpp"
#include "lab/proof/torus_cost.hpp"

namespace shunt {
namespace {

/// Links and memory of a second a byte and of a thousandth of that.
SimulatedMachine machine_of(NetworkTopology topology, Rank nodes, Rank ranks_per_node = 1) {
  SimulatedMachine machine;
  machine.topology = topology;
  machine.nodes = nodes;
  machine.ranks_per_node = ranks_per_node;
  machine.per_byte = 1;
  machine.memory_per_byte = 0.001;
  return machine;
}

/// Where the ranks fill the nodes in order.
double least(const SimulatedMachine& machine, const Traffic& traffic, Bytes element) {
  const Machine layout = Machine::blocked(traffic.ranks(), machine.ranks_per_node);
  return least_seconds(machine, layout, traffic, element);
}

FunctionTraffic one_pair(Rank ranks, Rank from, Rank to) {
  return {"one pair", ranks, [=](Rank i, Rank j) { return Bytes{i == from && j == to ? 60 : 0}; }};
}

TEST(MachineBound, OfAFlatMachineIsTheBusiestLinkOfANode) {
  const SimulatedMachine machine = machine_of(NetworkTopology::flat, 3, 2);
  // Each of 2 ranks of a node to each of 4 ranks elsewhere, in elements of 8 bytes.
  EXPECT_DOUBLE_EQ(least(machine, uniform_traffic(6, 5), 8), 2 * 4 * 5 * 8);
  EXPECT_DOUBLE_EQ(least(machine, one_pair(6, 5, 0), 1), 60);
  // Inside a node, and to oneself.
  EXPECT_DOUBLE_EQ(least(machine, one_pair(6, 5, 4), 1), 0.06);
  EXPECT_DOUBLE_EQ(least(machine, one_pair(6, 5, 5), 1), 0);
  const FunctionTraffic to_one("to one", 6, [](Rank, Rank j) { return Bytes{j == 0 ? 7 : 0}; });
  EXPECT_DOUBLE_EQ(least(machine, to_one, 1), 4 * 7);
  // Fewer ranks than the machine has.
  EXPECT_DOUBLE_EQ(least(machine, uniform_traffic(3), 1), 2);
}

TEST(MachineBound, KnowsWhichRanksShareANode) {
  const SimulatedMachine machine = machine_of(NetworkTopology::flat, 3, 4);
  // From 3 of 6 ranks to the 3 others; from 4 to 4; all that meet share the first of two nodes.
  const auto least_on = [&](const char* nodes, Rank ranks) {
    return least_seconds(machine, Machine::parse(nodes, ranks), uniform_traffic(ranks), 1);
  };
  EXPECT_DOUBLE_EQ(least_on("3,2,1", 6), 3 * 3);
  EXPECT_DOUBLE_EQ(least_on("1,4,3", 8), 4 * 4);
  EXPECT_DOUBLE_EQ(least_on("round-robin:2", 6), 3 * 3);
  const Machine apart = Machine::parse("round-robin:2", 6);
  EXPECT_DOUBLE_EQ(least_seconds(machine, apart, one_pair(6, 0, 4), 1), 0.06);
  EXPECT_DOUBLE_EQ(least_seconds(machine, apart, one_pair(6, 0, 1), 1), 60);
}

TEST(MachineBound, OfATorusIsThatOfThePaper) {
  for (const std::vector<Rank>& extents :
       {std::vector<Rank>{4, 4}, {8, 4}, {16, 16}, {3, 5}, {4, 4, 4}, {2, 2}}) {
    const Extents torus(extents);
    SimulatedMachine machine = machine_of(NetworkTopology::torus, torus.ranks());
    machine.extents = extents;
    const double ports = (torus.ranks() - 1) / (2.0 * torus.dimensions());
    EXPECT_DOUBLE_EQ(least(machine, uniform_traffic(torus.ranks()), 1),
                     std::max(least_transmission(torus), ports))
        << torus.name();
  }
}

TEST(MachineBound, OfATorusSeesTheWayAndThePorts) {
  SimulatedMachine machine = machine_of(NetworkTopology::torus, 16);
  machine.extents = {4, 4};
  // A node sends all it has, 60 bytes on 4 links.
  EXPECT_DOUBLE_EQ(least(machine, one_pair(16, 0, 1), 1), 60 / 4.0);
  // All bytes go two links along the second dimension, which has 32.
  const FunctionTraffic across("across", 16,
                               [](Rank i, Rank j) { return Bytes{j == (i ^ 2) ? 60 : 0}; });
  EXPECT_DOUBLE_EQ(least(machine, across, 1), 16 * 60 * 2 / 32.0);
}

TEST(MachineBound, OfAMeshIsItsBusiestCut) {
  SimulatedMachine machine = machine_of(NetworkTopology::mesh, 15);
  machine.extents = {3, 5};
  // Between columns 1 and 2 go 2 * 3 by 3 * 3 blocks each way, over 3 links.
  EXPECT_DOUBLE_EQ(least(machine, uniform_traffic(15), 1), 2 * 3 * 3 * 3 / 3.0);
  // The rank at the corner sends by two links.
  EXPECT_DOUBLE_EQ(least(machine, one_pair(15, 0, 6), 1), 60 / 2.0);
  // From one end of each row to the other no link leads back, as it does on a torus.
  const FunctionTraffic over_rows(
      "over rows", 15, [](Rank i, Rank j) { return Bytes{i % 5 == 4 && j == i - 4 ? 60 : 0}; });
  EXPECT_DOUBLE_EQ(least(machine, over_rows, 1), 60);
  machine.topology = NetworkTopology::torus;
  EXPECT_LT(least(machine, over_rows, 1), 60);
}

TEST(MachineBound, OfATreeSeesItsBranches) {
  SimulatedMachine machine = machine_of(NetworkTopology::fat_tree, 12);
  machine.levels = {{4, 1, 1}, {3, 2, 1}};
  // 4 leaves below each of 3 switches, which have 2 links upwards.
  EXPECT_DOUBLE_EQ(least(machine, uniform_traffic(12), 1), 4 * 8 / 2.0);
  machine.levels = {{4, 1, 1}, {3, 4, 1}};
  EXPECT_DOUBLE_EQ(least(machine, uniform_traffic(12), 1), 11);
  machine.levels = {{4, 1, 3}, {3, 4, 1}};
  EXPECT_DOUBLE_EQ(least(machine, uniform_traffic(12), 1), 4 * 8 / 4.0);
}

TEST(MachineBound, OfADragonflySeesItsGroups) {
  SimulatedMachine machine = machine_of(NetworkTopology::dragonfly, 24);
  machine.dragonfly = {{3, 1}, {2, 1}, {2, 1}, 2};
  // 8 nodes of a group, 2 links to the other groups.
  EXPECT_DOUBLE_EQ(least(machine, uniform_traffic(24), 1), 8 * 16 / 2.0);
  machine.dragonfly.groups.cables = 100;
  EXPECT_DOUBLE_EQ(least(machine, uniform_traffic(24), 1), 23);
}

}  // namespace
}  // namespace shunt
