// The simulator against closed forms.
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/registry.hpp"
#include "lab/flow/allgather_flow.hpp"
#include "lab/flow/link_flow.hpp"
#include "lab/proof/torus_cost.hpp"
#include "lab/simulation/simulate.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/source_patterns.hpp"
#include "lab/traffic/traffic_sparse.hpp"
#include "pure/function_traffic.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::expect_error;

constexpr LinkCost kFlatCost{40e-6, 1e-9, 0};

double near(double seconds) { return seconds * 1e-12; }

TEST(Simulation, OfLinearOnAFlatMachineIsItsStepsInTurn) {
  for (const Rank ranks : {1, 2, 5, 16, 61}) {
    const auto linear = make_algorithm("linear", ranks, 512);
    const SimulatedExchange simulation =
        simulate(*linear, uniform_traffic(ranks, 1000), 1, {{}, kFlatCost});
    const double seconds = (ranks - 1) * (40e-6 + 1000e-9);
    EXPECT_NEAR(simulation.seconds, seconds, near(seconds));
    EXPECT_EQ(simulation.stages[0].messages, ranks * (ranks - 1));
    EXPECT_EQ(simulation.stages[0].longest_message, ranks > 1 ? 1000 : 0);
    EXPECT_EQ(simulation.stages[0].largest_load, ranks * 1000);
  }
}

TEST(Simulation, ChargesCopies) {
  const PortMachine machine{{}, {0, 0, 1e-9}};
  auto seconds = [&](const char* name) {
    return simulate(*make_algorithm(name, 16, 512), uniform_traffic(16, 100), 1, machine).seconds;
  };
  // One's own block; what leaves in several pieces, and what comes, in each of two stages.
  EXPECT_NEAR(seconds("linear"), 100e-9, 1e-18);
  EXPECT_NEAR(seconds("row-column"), 3 * 1600e-9, 1e-18);
}

/// Liu 2002's flat model against the simulated time, with T3D's and SP2's constants.
TEST(Simulation, OfFourStageIsWhatItsModelPredicts) {
  for (const auto& [cost, element] :
       {std::pair{LinkCost{38e-6, 0.043e-6, 0}, 48}, {LinkCost{44e-6, 0.035e-6, 0}, 22}}) {
    for (const Bytes maximum : {64, 256, 1024, 4096}) {
      for (const char* pattern : {"pattern1", "pattern2"}) {
        const auto four_stage = make_algorithm("four-stage", 64, 1);
        const auto traffic = make_traffic(pattern, {64, maximum, 1, 1});
        const double simulated = simulate(*four_stage, *traffic, element, {{}, cost}).seconds;
        // The model counts a step for the message to oneself too.
        const double predicted = four_stage->predict(loads_of(*traffic, element), cost) -
                                 four_stage->stages() * cost.start_up;
        EXPECT_GT(simulated / predicted, 0.80) << pattern << " " << maximum;
        EXPECT_LT(simulated / predicted, 1.02) << pattern << " " << maximum;
      }
    }
  }
}

/// The steps of Sanders and Traff's improved schedule, as long as one message each. Nodes of equal
/// sizes take just these; others may run ahead of the steps, but not of the port that all messages
/// of the largest node go through.
TEST(Simulation, OfTheHierarchicalFactorIsItsStepsOnNodePorts) {
  struct Row {
    std::vector<Rank> sizes;
    int steps;
    int bound;
  };
  for (const Row& row : {Row{{1, 2, 3}, 12, 9},
                         {{4, 4, 4, 4, 4, 4}, 80, 80},
                         {std::vector<Rank>(9, 8), 576, 512},
                         {{2, 4, 8, 16}, 256, 224}}) {
    const Machine nodes = Machine::of_sizes(row.sizes);
    const auto algorithm = make_algorithm("node-pairwise", nodes, 512);
    const PortMachine machine{NodePorts{nodes, 0, 0}, kFlatCost};
    const double step = 40e-6 + 1000e-9;
    const double steps =
        simulate(*algorithm, uniform_traffic(nodes.ranks(), 1000), 1, machine).seconds / step;
    EXPECT_LE(steps, row.steps * (1 + 1e-12));
    EXPECT_GE(steps, row.bound * (1 - 1e-12));
  }
}

/// Nothing takes less than the port of a node needs for all messages of its ranks.
TEST(Simulation, OnNodePortsTakesNoLessThanTheBusiestPort) {
  const Machine nodes = Machine::blocked(24, 4);
  const PortMachine machine{NodePorts{nodes, 0, 0}, {0, 1e-9, 0}};
  for (const char* name : {"linear", "node-pairwise", "pairwise"}) {
    const double seconds =
        simulate(*make_algorithm(name, nodes, 512), uniform_traffic(24, 1000), 1, machine).seconds;
    EXPECT_GE(seconds, 4 * 20 * 1000e-9 * (1 - 1e-12)) << name;
  }
}

PortMachine torus_machine(const char* extents, const LinkCost& cost) {
  return {ArrayLinks{Extents::parse(extents)}, cost};
}

/// Liu 2005: start-ups of the stages, and what the busiest links carry.
TEST(Simulation, OfTorusExchangesIsTheirCostFunction) {
  struct Row {
    const char* extents;
    std::string algorithm;
    TorusCost cost;
  };
  const Extents square({8, 8});
  for (const Row& row : {Row{"8x8", "torus-pipeline", torus_pipeline_cost(8, 8)},
                         {"4x12", "torus-pipeline:4x12", torus_pipeline_cost(4, 12)},
                         {"4x12", "torus:4x12", torus_cost(4, 12)},
                         {"8x8", "torus", torus_cost(8, 8)},
                         {"8x8", "torus-split:8x8", split_cost(square)},
                         {"3x5", "torus-split:3x5", split_cost(Extents({3, 5}))},
                         {"4x3x5", "torus-split:4x3x5", split_cost(Extents({4, 3, 5}))},
                         {"9", "torus-ring-pipeline", split_cost(Extents({9}))},
                         {"12", "torus-ring", ring_cost(12)}}) {
    const PortMachine machine = torus_machine(row.extents, kFlatCost);
    const Rank ranks = Extents::parse(row.extents).ranks();
    const auto algorithm = make_algorithm(row.algorithm, ranks, 1);
    const Bytes block = 3 * 5 * 1024;
    const double seconds = row.cost.seconds(kFlatCost, block);
    EXPECT_NEAR(simulate(*algorithm, uniform_traffic(ranks, block), 1, machine).seconds, seconds,
                near(seconds))
        << row.algorithm << " on " << row.extents;
    EXPECT_NEAR(simulate_even(*algorithm, block, machine).seconds, seconds, near(seconds))
        << row.algorithm << " on " << row.extents;
  }
}

TEST(Simulation, OfLinearOnATorusIsNoShorterThanItsBound) {
  const auto linear = make_algorithm("linear", 64, 512);
  const PortMachine machine = torus_machine("8x8", {0, 1e-9, 0});
  const double bound = least_transmission(Extents({8, 8})) * 1000e-9;
  EXPECT_GE(simulate(*linear, uniform_traffic(64, 1000), 1, machine).seconds, bound * (1 - 1e-12));
}

TEST(Simulation, BySymmetryIsThatOfAllRanks) {
  const Bytes block = Bytes{1} << 20;
  for (const char* name :
       {"linear", "two-stage", "four-stage", "stages:3", "bruck", "torus", "torus-split:8x8"}) {
    const auto algorithm = make_algorithm(name, 64, 1);
    const PortMachine machine{{}, {40e-6, 1e-9, 1e-10}};
    const SimulatedExchange all = simulate(*algorithm, uniform_traffic(64, block), 1, machine);
    const SimulatedExchange one = simulate_even(*algorithm, block, machine);
    ASSERT_EQ(all.stages.size(), one.stages.size());
    EXPECT_NEAR(all.seconds, one.seconds, near(all.seconds)) << name;
    for (std::size_t stage = 0; stage < all.stages.size(); ++stage) {
      EXPECT_EQ(all.stages[stage].messages, one.stages[stage].messages) << name;
      EXPECT_EQ(all.stages[stage].longest_message, one.stages[stage].longest_message) << name;
      EXPECT_EQ(all.stages[stage].largest_load, one.stages[stage].largest_load) << name;
    }
  }
}

/// Where cuts are rounded, ranks differ, and one of them stands for all no more: so much for that.
TEST(Simulation, BySymmetryIsNearThatOfAllRanksWhereCutsAreRounded) {
  const std::set<std::string> cutting{"two-stage", "four-stage", "stages:3", "torus-split:8x8"};
  for (const char* name :
       {"two-stage", "row-column", "four-stage", "stages:3", "bruck", "torus", "torus-split:8x8"}) {
    for (const LinkCost& cost : {LinkCost{0, 1e-9, 0}, LinkCost{1.5e-6, 0.08e-9, 0}}) {
      const auto algorithm = make_algorithm(name, 64, 512);
      PortMachine machine{{}, cost};
      if (const Extents* const torus = algorithm->link_contention_free_on()) {
        machine.network = ArrayLinks{*torus};
      }
      auto ratio = [&](Bytes block) {
        return simulate_even(*algorithm, block, machine).seconds /
               simulate(*algorithm, uniform_traffic(64, block), 1, machine).seconds;
      };
      const bool cuts = cutting.contains(name);
      for (const Bytes block : {8, 64, 1000}) EXPECT_NEAR(ratio(block), 1, cuts ? 0.25 : 1e-9);
      EXPECT_NEAR(ratio(5000), 1, cuts ? 0.04 : 1e-9) << name;
      EXPECT_NEAR(ratio(65536), 1, 1e-3) << name;
    }
  }
}

TEST(Simulation, KeepsTransfersOnDemand) {
  const auto row_column = make_algorithm("row-column", 9, 512);
  const PortMachine machine{{}, {40e-6, 1e-9, 1e-10}};
  const FunctionTraffic traffic = uniform_traffic(9, 1000);
  EXPECT_TRUE(simulate(*row_column, traffic, 1, machine).timeline.transfers.empty());
  const SimulatedExchange simulation = simulate(*row_column, traffic, 1, machine, Transfers::keep);
  EXPECT_EQ(simulation.timeline.ranks, 9);
  EXPECT_EQ(simulation.timeline.stages, 2);
  EXPECT_EQ(simulation.timeline.seconds, simulation.seconds);
  ASSERT_EQ(simulation.timeline.transfers.size(), 2U * 9 * 2);
  for (const Transfer& transfer : simulation.timeline.transfers) {
    EXPECT_NE(transfer.from, transfer.to);
    EXPECT_EQ(transfer.bytes, 3000);
    EXPECT_NEAR(transfer.end - transfer.begin, 43e-6, 1e-15);
    EXPECT_LT(transfer.end, simulation.seconds);
    const double earliest = transfer.stage == 0 ? 0 : simulation.stages[0].seconds;
    EXPECT_GE(transfer.begin, earliest - 1e-15);
  }
}

/// Only the blocks that there are cost anything.
TEST(Simulation, FollowsFewBlocksOfManyRanks) {
  constexpr Rank kRanks = 46656;
  std::vector<SparseRow> rows;
  for (Rank rank = 0; rank < kRanks; ++rank) {
    rows.push_back({{(rank + 1) % kRanks, 100}});
  }
  const SparseTraffic traffic("ring", std::move(rows));
  const auto bruck = make_algorithm("bruck", kRanks, 512);
  // Everything moves by digit 1 of the first stage alone.
  const SimulatedExchange simulation = simulate(*bruck, traffic, 1, {{}, kFlatCost});
  EXPECT_NEAR(simulation.seconds, 40e-6 + 100e-9, 1e-15);
  EXPECT_EQ(simulation.stages[0].messages, kRanks);
}

/// Each rank in turn: where all send to all there is a step for each distance; the ring's stages
/// have one step each. And what has to be gathered at one rank comes one by one.
TEST(Simulation, OfAllgathersIsTheirStepsInTurn) {
  const PortMachine machine{{}, {40e-6, 1e-9, 1e-6}};  // copies would cost much
  std::vector<Rank> all(16);
  std::iota(all.begin(), all.end(), 0);
  const Sources sources = with_equal_blocks(16, all, 1000);
  const double message = 40e-6 + 1000e-9;
  for (const auto& [name, messages] : {std::pair{"direct", 15}, {"ring", 15}}) {
    const auto allgather = make_allgather(name, sources);
    const SimulatedExchange simulation = simulate(*allgather, machine);
    EXPECT_NEAR(simulation.seconds, messages * message, near(messages * message)) << name;
    EXPECT_EQ(std::ssize(simulation.stages), allgather->stages()) << name;
  }
  // Of one source a halved line of 16 ranks makes four stages.
  const auto line =
      make_allgather("recursive-halving", with_equal_blocks(16, std::vector<Rank>{0}, 1000));
  EXPECT_NEAR(simulate(*line, machine).seconds, 4 * message, near(4 * message));
}

TEST(Simulation, OfAllgathersOnATorusWaitsForTheBusiestLink) {
  const auto direct = make_allgather("direct", with_equal_blocks(5, std::vector<Rank>{0}, 1000));
  const LinkFlow flow = follow_links(*direct, Extents({5}));
  const SimulatedExchange simulation = simulate(*direct, {ArrayLinks{Extents({5})}, {0, 1e-9, 0}});
  const auto seconds = static_cast<double>(flow.transmission()) * 1e-9;
  EXPECT_NEAR(simulation.seconds, seconds, near(seconds));
}

TEST(Simulation, OnAMeshGoesOverNoRim) {
  const auto direct = make_allgather("direct", with_equal_blocks(5, std::vector<Rank>{0}, 1000));
  const SimulatedExchange line =
      simulate(*direct, {ArrayLinks{Extents({5}), Rim::open}, {1e-6, 1e-9, 0}});
  // All four messages leave by one link.
  EXPECT_NEAR(line.seconds, 4 * 2e-6, near(8e-6));
  expect_error(ErrorKind::argument, "the mesh of the machine has 6 ranks, but 5 ranks are to be",
               [&] {
                 (void)simulate(*direct, {ArrayLinks{Extents({6}), Rim::open}, {}});
               });
  expect_error(ErrorKind::argument, "on a mesh no rank can stand for all", [] {
    (void)simulate_even(*make_algorithm("torus-ring", 8, 1), 8,
                        {ArrayLinks{Extents({8}), Rim::open}, {}});
  });
}

TEST(Simulation, KeepsTheTransfersOfAAllgather) {
  const auto allgather =
      make_allgather("recursive-halving", with_equal_blocks(23, std::vector<Rank>{2, 3, 22}, 100));
  const SimulatedExchange simulation = simulate(*allgather, {{}, kFlatCost}, Transfers::keep);
  std::size_t messages = 0;
  for (const auto& stage : follow_allgather(*allgather)) messages += stage.size();
  EXPECT_EQ(simulation.timeline.transfers.size(), messages);
  EXPECT_EQ(simulation.timeline.seconds, simulation.seconds);
  EXPECT_EQ(simulation.timeline.stages, allgather->stages());
  EXPECT_EQ(simulate(*allgather, {{}, kFlatCost}).timeline.transfers.size(), 0u);
  const auto nothing = make_allgather("recursive-halving", Sources(std::vector<Bytes>{0}));
  EXPECT_EQ(simulate(*nothing, {{}, kFlatCost}, Transfers::keep).timeline.stages, 1);
}

TEST(Simulation, RefusesMachinesThatAreNone) {
  const auto linear = make_algorithm("linear", 4, 512);
  const auto simulate_on = [&](const PortMachine& machine) {
    return [&, machine] { (void)simulate(*linear, uniform_traffic(4, 1), 1, machine); };
  };
  expect_error(ErrorKind::argument, "the start-up of the machine is -1 seconds",
               simulate_on({{}, {-1, 0, 0}}));
  expect_error(ErrorKind::argument, "time of a byte of the machine is nan",
               simulate_on({{}, {0, std::numeric_limits<double>::quiet_NaN(), 0}}));
  expect_error(ErrorKind::argument, "time of a copied byte of the machine is inf",
               simulate_on({{}, {0, 0, std::numeric_limits<double>::infinity()}}));
  expect_error(ErrorKind::argument, "start-up inside nodes of the machine is -2",
               simulate_on({NodePorts{Machine::blocked(4, 2), -2, 0}, {}}));
  expect_error(ErrorKind::argument, "time of a byte inside nodes of the machine is -3",
               simulate_on({NodePorts{Machine::blocked(4, 2), 0, -3}, {}}));
  expect_error(ErrorKind::argument, "set of nodes of the machine has 6 ranks, but 4",
               simulate_on({NodePorts{Machine::blocked(6, 2), 0, 0}, {}}));
  expect_error(ErrorKind::argument, "torus of the machine has 6 ranks, but 4",
               simulate_on(torus_machine("2x3", {})));
  expect_error(ErrorKind::argument, "no rank can stand for all", [&] {
    (void)simulate_even(*linear, 1, {NodePorts{Machine::blocked(4, 2), 0, 0}, {}});
  });
  expect_error(ErrorKind::argument, "a torus of 2x2, but the algorithm is alike for the ranks",
               [&] { (void)simulate_even(*linear, 1, torus_machine("2x2", {})); });
}

TEST(Simulation, RefusesWhatTakesTooLong) {
  constexpr Rank kRanks = 200'000;
  std::vector<SparseRow> rows;
  for (Rank rank = 0; rank < kRanks; ++rank) rows.push_back({{kRanks - 1 - rank, 1}});
  const SparseTraffic mirror("mirror", std::move(rows));
  expect_error(ErrorKind::argument, "more than the 10000000000 that can be looked through", [&] {
    (void)simulate(*make_algorithm("linear", kRanks, 512), mirror, 1, {{}, kFlatCost});
  });
}

}  // namespace
}  // namespace shunt
