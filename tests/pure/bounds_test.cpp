#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/flow/flow.hpp"
#include "lab/simulation/random_machine.hpp"
#include "pure/function_traffic.hpp"
#include "schedule/node_array.hpp"

namespace shunt {
namespace {

/// What exceeds its bound, or an empty string.
std::string excess(const Algorithm& algorithm, const Traffic& traffic) {
  const TrafficBound bound = loads_of(traffic, 1).bound();
  const auto flows = follow_traffic(algorithm, traffic, 1);
  std::vector<Bytes> buffers;
  for (Rank rank = 0; rank < algorithm.ranks(); ++rank) {
    buffers.push_back(algorithm.buffer_bound(rank, bound));
  }
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    const StageFlow& flow = flows[static_cast<std::size_t>(stage)];
    std::vector<int> received(static_cast<std::size_t>(algorithm.ranks()), 0);
    for (const FlowMessage& message : flow.messages) {
      ++received[static_cast<std::size_t>(message.to)];
    }
    for (Rank rank = 0; rank < algorithm.ranks(); ++rank) {
      const auto index = static_cast<std::size_t>(rank);
      const StageBound stated = algorithm.bound(stage, rank, bound);
      auto say = [&](const char* what, Bytes value, Bytes limit) {
        return testing::PrintToString(traffic.name()) + ", stage " + std::to_string(stage + 1) +
               ", rank " + std::to_string(rank) + ": " + what + " " + std::to_string(value) +
               " above " + std::to_string(limit);
      };
      if (received[index] > stated.messages) {
        return say("messages", received[index], stated.messages);
      }
      if (flow.longest_message[index] > stated.longest_message) {
        return say("longest message", flow.longest_message[index], stated.longest_message);
      }
      if (flow.load[index] > stated.load) return say("load", flow.load[index], stated.load);
      if (flow.load[index] > buffers[index]) {
        return say("buffer", flow.load[index], buffers[index]);
      }
    }
  }
  return "";
}

void expect_within_bounds(const Algorithm& algorithm) {
  for (const FunctionTraffic& all : hard_traffics(algorithm.ranks())) {
    const FunctionTraffic traffic(all.name(), algorithm.ranks(), [&](Rank i, Rank j) {
      return algorithm.supports_pair(i, j) ? all.count(i, j) : 0;
    });
    EXPECT_EQ(excess(algorithm, traffic), "") << algorithm.name() << " on " << algorithm.ranks();
  }
}

void expect_within_bounds(const std::string& name, Rank ranks, Bytes grain) {
  SCOPED_TRACE("grain " + std::to_string(grain));
  expect_within_bounds(*make_algorithm(name, ranks, grain));
}

TEST(Bounds, HoldForAllAlgorithmsOnFewRanks) {
  for (Rank ranks = 1; ranks <= 32; ++ranks) {
    for (const std::string& name : algorithm_names(ranks)) {
      for (const Bytes grain : {1, 7, 64, 512}) expect_within_bounds(name, ranks, grain);
    }
  }
}

TEST(Bounds, HoldForAllAlgorithmsOnMoreRanks) {
  for (const Rank ranks : {37, 41, 55, 61, 64, 71, 89, 99, 100, 109, 127, 128}) {
    for (const std::string& name : algorithm_names(ranks)) {
      for (const Bytes grain : {1, 64}) expect_within_bounds(name, ranks, grain);
    }
  }
}

TEST(Bounds, HoldOnTori) {
  for (const char* shape : {"5x7", "2x8", "6x6", "3x4x5", "2x2x2x2", "7x1x2"}) {
    const Rank ranks = Extents::parse(shape).ranks();
    for (const Bytes grain : {1, 64}) {
      expect_within_bounds(std::string("torus-split:") + shape, ranks, grain);
    }
  }
  for (const char* shape : {"2x2", "6x2", "4x6", "6x10", "8x4"}) {
    const Rank ranks = Extents::parse(shape).ranks();
    expect_within_bounds(std::string("torus-pipeline:") + shape, ranks, 1);
  }
  for (const char* shape : {"4x8", "8x4", "8x8"}) {
    expect_within_bounds(std::string("torus:") + shape, Extents::parse(shape).ranks(), 1);
  }
}

TEST(Bounds, HoldOnNodesOfAnySizes) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Machine machine = random_machine(seed, 8, 6);
    SCOPED_TRACE("machine " + std::to_string(seed));
    for (const std::string& name : node_algorithm_names()) {
      expect_within_bounds(*make_algorithm(name, machine, 1));
    }
  }
}

TEST(Bounds, HoldForFourStageOnManyRanks) {
  expect_within_bounds("four-stage", 256, 16);
  const auto algorithm = make_algorithm("four-stage", 600, 1);
  const FunctionTraffic traffic("random", 600,
                                [](Rank i, Rank j) { return scrambled(i, j, 9, 2000); });
  EXPECT_EQ(excess(*algorithm, traffic), "");
}

/// The most messages of a row exchange that end at one node of the column of `node`.
Rank largest_in_degree(const NodeArray& array, Rank node) {
  Rank largest = 0;
  for (Rank row = 0; row < array.height(array.column_of(node)); ++row) {
    largest = std::max(largest, array.contacted_by(array.node_at(row, array.column_of(node))));
  }
  return largest;
}

/// Liu 2002, Table 2, made sharp: the longest messages for a uniform traffic divisible by P.
TEST(Bounds, OfTable2AreReachedByAUniformDivisibleTraffic) {
  for (const Rank ranks : {1, 2, 3, 4, 5, 11, 16, 18, 23, 55, 61, 64, 99, 100, 128, 130}) {
    const NodeArray array = NodeArray::balanced(ranks, 2);
    const Bytes share = 6;  // L_max / P
    const FunctionTraffic traffic("uniform", ranks, [=](Rank, Rank) { return Bytes{share}; });
    // Every block has P shares' worth in elements of P bytes, so that all cuts are exact.
    const auto flows = follow_traffic(*make_algorithm("four-stage", ranks, 1), traffic, ranks);
    const Bytes L = share * ranks;
    for (Rank node = 0; node < ranks; ++node) {
      const auto index = static_cast<std::size_t>(node);
      const Bytes height = array.height(array.column_of(node));
      EXPECT_EQ(flows[0].longest_message[index], height * L) << ranks << " " << node;
      EXPECT_EQ(flows[0].load[index], array.contacted_by(node) * height * L);
      EXPECT_EQ(flows[1].longest_message[index], largest_in_degree(array, node) * L) << ranks;
      EXPECT_EQ(flows[1].load[index], ranks * L);
      EXPECT_EQ(flows[2].longest_message[index], height * L) << ranks << " " << node;
      EXPECT_EQ(flows[2].load[index], array.contacted_by(node) * height * L);
      EXPECT_EQ(flows[3].longest_message[index], largest_in_degree(array, node) * L) << ranks;
      EXPECT_EQ(flows[3].load[index], ranks * L);
    }
    const Bytes degree = array.columns() + (array.remainder() > 0 ? 1 : 0);
    EXPECT_EQ(flows[1].longest(), degree * L) << ranks;
    const Bytes buffer = Bytes{array.columns()} * array.rows() * L;
    for (const StageFlow& flow : flows) EXPECT_LE(flow.largest_load(), buffer) << ranks;
  }
}

/// Liu 2002, Theorem 1, with C*R in place of its rounded-up form.
TEST(Bounds, OfTheBufferIsTheoremOnesForExactProportions) {
  for (Rank ranks = 1; ranks <= 1000; ++ranks) {
    const NodeArray array = NodeArray::balanced(ranks, 2);
    const Bytes load = (Bytes{1} << 40) * ranks;
    const auto algorithm = make_algorithm("four-stage", ranks, 1);
    Bytes largest = 0;
    for (Rank rank = 0; rank < ranks; ++rank) {
      largest = std::max(largest, algorithm->buffer_bound(rank, {load, load}));
    }
    const double shares = static_cast<double>(largest) / static_cast<double>(Bytes{1} << 40);
    // For r > 0 this is also what the incomplete columns need: (C+1)(R-1) <= C*R.
    ASSERT_NEAR(shares, array.columns() * array.rows(), 1e-3) << ranks;
    ASSERT_LE(algorithm->start_ups(), 4 * std::ceil(std::sqrt(ranks)) + 2) << ranks;
  }
}

/// Liu 2002, Lemma 2.
TEST(Bounds, DataIsSpreadEvenlyAfterStageTwo) {
  for (const Rank ranks : {2, 3, 5, 11, 18, 23, 36, 61, 99}) {
    const NodeArray array = NodeArray::balanced(ranks, 2);
    for (const Bytes grain : {1, 16, 512}) {
      const auto algorithm = make_algorithm("four-stage", ranks, grain);
      for (const FunctionTraffic& traffic : hard_traffics(ranks)) {
        for (Rank destination = 0; destination < ranks; destination += 1 + ranks / 7) {
          std::vector<Bytes> held(static_cast<std::size_t>(ranks));
          traffic.column(destination, held);
          Bytes total = 0;
          for (const Bytes bytes : held) total += bytes;
          std::vector<Piece> pieces;
          for (const int stage : {0, 1}) {
            std::vector<Bytes> next(held.size(), 0);
            for (Rank rank = 0; rank < ranks; ++rank) {
              pieces.clear();
              algorithm->route(stage, rank, destination, held[static_cast<std::size_t>(rank)],
                               pieces);
              for (const Piece& piece : pieces) {
                next[static_cast<std::size_t>(piece.to)] += piece.end - piece.begin;
              }
            }
            held = std::move(next);
          }
          for (Rank rank = 0; rank < ranks; ++rank) {
            const double height = array.height(array.column_of(rank));
            const double even = static_cast<double>(total) / ranks;
            // Each of P streams in stage I and each of `height` in stage II is off by less than
            // two grains: the floor, and the incomplete last grain.
            const double off = 2 * static_cast<double>(grain) * (ranks / height + height);
            ASSERT_NEAR(static_cast<double>(held[static_cast<std::size_t>(rank)]), even, off)
                << traffic.name() << ", " << ranks << " ranks, grain " << grain;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace shunt
