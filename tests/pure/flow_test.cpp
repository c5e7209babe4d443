#include "lab/flow/flow.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/traffic/patterns.hpp"
#include "pure/function_traffic.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

bool supports_all_pairs(const Algorithm& algorithm) {
  for (Rank i = 0; i < algorithm.ranks(); ++i) {
    for (Rank j = 0; j < algorithm.ranks(); ++j) {
      if (!algorithm.supports_pair(i, j)) return false;
    }
  }
  return true;
}

TEST(Flow, EndsWithEveryRanksOwnData) {
  for (const Rank ranks : {1, 2, 3, 5, 7, 11, 16, 19, 23, 36, 61}) {
    for (const std::string& name : algorithm_names(ranks)) {
      for (const Bytes grain : {1, 16, 512}) {
        const auto algorithm = make_algorithm(name, ranks, grain);
        for (const FunctionTraffic& all : hard_traffics(ranks)) {
          const FunctionTraffic traffic(all.name(), ranks, [&](Rank i, Rank j) {
            return algorithm->supports_pair(i, j) ? all.count(i, j) : 0;
          });
          const Loads loads = loads_of(traffic, 3);
          const auto flows = follow_traffic(*algorithm, traffic, 3);
          ASSERT_EQ(std::ssize(flows), algorithm->stages());
          ASSERT_EQ(flows.back().load, loads.in) << name << " " << ranks << " " << traffic.name();
          const Bytes total = std::accumulate(loads.in.begin(), loads.in.end(), Bytes{0});
          for (const StageFlow& flow : flows) {
            ASSERT_EQ(std::accumulate(flow.load.begin(), flow.load.end(), Bytes{0}), total);
          }
        }
      }
    }
  }
}

TEST(Flow, ListsTheMessagesOfTheScheduleWithLoadsThatFit) {
  const Rank ranks = 23;
  const FunctionTraffic traffic("random", ranks,
                                [](Rank i, Rank j) { return scrambled(i, j, 5, 4000); });
  for (const std::string& name : algorithm_names(ranks)) {
    const auto algorithm = make_algorithm(name, ranks, 8);
    if (!supports_all_pairs(*algorithm)) continue;
    const auto flows = follow_traffic(*algorithm, traffic, 1);
    for (int stage = 0; stage < algorithm->stages(); ++stage) {
      const StageFlow& flow = flows[static_cast<std::size_t>(stage)];
      std::size_t next = 0;
      std::vector<Bytes> load(static_cast<std::size_t>(ranks), 0);
      std::vector<Bytes> longest(static_cast<std::size_t>(ranks), 0);
      for (Rank rank = 0; rank < ranks; ++rank) {
        for (const Step& step : algorithm->steps(stage, rank)) {
          if (step.to == kNoRank) continue;
          ASSERT_LT(next, flow.messages.size());
          const FlowMessage& message = flow.messages[next++];
          ASSERT_EQ(message.from, rank);
          ASSERT_EQ(message.to, step.to);
          ASSERT_EQ(message.step, step.number);
          const auto to = static_cast<std::size_t>(message.to);
          load[to] += message.bytes;
          longest[to] = std::max(longest[to], message.bytes);
        }
      }
      ASSERT_EQ(next, flow.messages.size());
      EXPECT_EQ(flow.load, load);
      EXPECT_EQ(flow.longest_message, longest);
      EXPECT_EQ(flow.largest_load(), std::ranges::max(load));
      EXPECT_EQ(flow.longest(), std::ranges::max(longest));
    }
  }
}

/// Before the first stage it is the traffic, after the last one all is at its destination.
TEST(Flow, TellsWhatIsHeldBetweenStages) {
  const Rank ranks = 11;
  const FunctionTraffic traffic("random", ranks,
                                [](Rank i, Rank j) { return scrambled(i, j, 5, 4000); });
  const auto algorithm = make_algorithm("four-stage", ranks, 8);
  int calls = 0;
  const auto flows = follow_traffic(
      *algorithm, traffic, 2, [&](int over, Rank destination, std::span<const Bytes> held) {
        ++calls;
        Bytes sum = 0;
        for (Rank rank = 0; rank < ranks; ++rank) {
          const Bytes bytes = held[static_cast<std::size_t>(rank)];
          if (over == 0) {
            EXPECT_EQ(bytes, 2 * traffic.count(rank, destination));
          } else if (over == 4) {
            EXPECT_EQ(bytes > 0, rank == destination);
          }
          sum += bytes;
        }
        EXPECT_EQ(sum, loads_of(traffic, 2).in[static_cast<std::size_t>(destination)]);
      });
  EXPECT_EQ(calls, 5 * ranks);
}

TEST(Flow, OfLinearIsTheMatrix) {
  const Rank ranks = 9;
  const FunctionTraffic traffic("counted", ranks, [](Rank i, Rank j) { return Bytes{10 * i + j}; });
  const auto flows = follow_traffic(*make_algorithm("linear", ranks, 512), traffic, 4);
  ASSERT_EQ(flows.size(), 1U);
  ASSERT_EQ(flows[0].messages.size(), 81U);
  for (const FlowMessage& message : flows[0].messages) {
    EXPECT_EQ(message.bytes, 4 * traffic.count(message.from, message.to));
    EXPECT_EQ(message.step, (message.to - message.from + ranks - 1) % ranks + 1);
  }
}

TEST(Flow, RefusesABlockThatTheAlgorithmDoesNotCarry) {
  const auto groups = make_algorithm("groups:3", 5, 512);
  const FunctionTraffic forth("forth", 5, [](Rank i, Rank j) { return Bytes{i < 3 && j >= 3}; });
  EXPECT_EQ(follow_traffic(*groups, forth, 8).back().load, loads_of(forth, 8).in);
  const FunctionTraffic back("back", 5, [](Rank i, Rank j) { return Bytes{i == 4 && j == 2}; });
  test::expect_error(
      ErrorKind::argument,
      "groups:3 carries no block from rank 4 to rank 2, but the traffic back has one",
      [&] { (void)follow_traffic(*groups, back, 8); });
}

/// The transpose with spikes of 1024 elements: what four-stage is for.
TEST(Flow, OfFourStageHasShorterMessagesAndSmallerLoadsThanRowColumn) {
  struct Row {
    Rank ranks;
    Bytes row_column_longest, row_column_load, four_stage_longest, four_stage_load;
  };
  for (const Row& row : {Row{16, 1027, 4108, 260, 1040},
                         {64, 1031, 8248, 136, 1088},
                         {256, 1039, 16624, 80, 1280},
                         {1024, 1055, 33760, 64, 2048}}) {
    const auto traffic = make_traffic("pattern2", {row.ranks, 1024, 1, 1});
    auto most = [&](const char* name) {
      std::pair<Bytes, Bytes> largest{0, 0};
      for (const StageFlow& flow :
           follow_traffic(*make_algorithm(name, row.ranks, 1), *traffic, 1)) {
        largest.first = std::max(largest.first, flow.longest());
        largest.second = std::max(largest.second, flow.largest_load());
      }
      return largest;
    };
    EXPECT_EQ(most("row-column"), std::pair(row.row_column_longest, row.row_column_load))
        << row.ranks;
    EXPECT_EQ(most("four-stage"), std::pair(row.four_stage_longest, row.four_stage_load))
        << row.ranks;
  }
}

TEST(Flow, TakesTheTimeOfTheLongestMessageOfEachStep) {
  StageFlow flow;
  flow.messages = {{1, 0, 1, 100}, {2, 0, 0, 7}, {1, 1, 0, 30}, {2, 1, 1, 50}};
  flow.load = {37, 150};
  flow.longest_message = {30, 100};
  const LinkCost cost{1.0, 0.5, 0.25};
  EXPECT_DOUBLE_EQ(flow.seconds(cost, 3), 3 * 1.0 + 0.5 * (100 + 50) + 0.25 * 150);
}

}  // namespace
}  // namespace shunt
