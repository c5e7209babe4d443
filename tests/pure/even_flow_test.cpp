#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/flow/flow.hpp"
#include "lab/flow/traffic_flow.hpp"
#include "pure/function_traffic.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::expect_error;

std::vector<StageMessage> without_empty(const StageFlow& flow) {
  std::vector<StageMessage> messages;
  for (const FlowMessage& message : flow.messages) {
    if (message.bytes > 0) {
      messages.push_back({message.step, message.from, message.to, message.bytes, 0});
    }
  }
  std::ranges::stable_sort(messages, {}, &StageMessage::step);
  return messages;
}

TEST(TrafficFlow, YieldsTheMessagesOfTheWholeFlow) {
  for (const Rank ranks : {1, 2, 7, 12, 16, 19}) {
    for (const std::string& name : algorithm_names(ranks)) {
      const auto algorithm = make_algorithm(name, ranks, 16);
      for (const FunctionTraffic& all : hard_traffics(ranks)) {
        const FunctionTraffic traffic(all.name(), ranks, [&](Rank i, Rank j) {
          return algorithm->supports_pair(i, j) ? all.count(i, j) : 0;
        });
        TrafficFlow flow(*algorithm, traffic, 3);
        for (const StageFlow& whole : follow_traffic(*algorithm, traffic, 3)) {
          std::vector<StageMessage> messages = flow.next_stage();
          for (StageMessage& message : messages) message.pieces = 0;
          ASSERT_EQ(messages, without_empty(whole)) << name << " " << ranks << " " << all.name();
        }
      }
    }
  }
}

TEST(TrafficFlow, CountsThePiecesOfAMessage) {
  const FunctionTraffic ones("ones", 16, [](Rank, Rank) { return Bytes{1}; });
  const auto row_column = make_algorithm("row-column", 16, 512);
  TrafficFlow flow(*row_column, ones, 1);
  for (const StageMessage& message : flow.next_stage()) EXPECT_EQ(message.pieces, 4);
  for (const StageMessage& message : flow.next_stage()) EXPECT_EQ(message.pieces, 1);
}

TEST(TrafficFlow, RefusesWhatItCannotFollow) {
  const auto linear = make_algorithm("linear", 4, 512);
  const FunctionTraffic five("five", 5, [](Rank, Rank) { return Bytes{1}; });
  expect_error(ErrorKind::argument, "the traffic has 5 ranks, but linear is made for 4",
               [&] { TrafficFlow(*linear, five, 1); });
  const FunctionTraffic long_blocks("long", 4, [](Rank, Rank) { return Bytes{1} << 62; });
  expect_error(ErrorKind::count, "exceeds 64 bits", [&] { TrafficFlow(*linear, long_blocks, 2); });
  expect_error(ErrorKind::argument, "-1 bytes", [&] { TrafficFlow(*linear, long_blocks, -1); });
  const FunctionTraffic ones("ones", 4, [](Rank, Rank) { return Bytes{1}; });
  expect_error(ErrorKind::argument, "the traffic ones has more than 15 blocks on 4 ranks",
               [&] { TrafficFlow(*linear, ones, 1, 15); });
  MessageSums sums(*linear, 1);
  sums.add(0, 1, 1);
  expect_error(ErrorKind::argument, "more than 1 pieces of blocks", [&] { sums.add(0, 2, 1); });
  const auto groups = make_algorithm("groups:2", 4, 512);
  const FunctionTraffic all("all", 4, [](Rank, Rank) { return Bytes{1}; });
  expect_error(ErrorKind::argument, "carries no block from rank",
               [&] { TrafficFlow(*groups, all, 1); });
}

/// Shifts all ranks of the algorithm's array by so many periods along one dimension.
class Shift {
 public:
  Shift(const Symmetry& symmetry, int dimension, Rank periods)
      : symmetry_(symmetry), dimension_(dimension), distance_(periods * symmetry.period) {}

  [[nodiscard]] Rank operator()(Rank rank) const {
    return rank == kNoRank ? kNoRank : symmetry_.array.neighbour(rank, dimension_, distance_);
  }

 private:
  const Symmetry& symmetry_;
  int dimension_;
  Rank distance_;
};

void expect_symmetric(const Algorithm& algorithm, const Shift& shift) {
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    for (Rank rank = 0; rank < algorithm.ranks(); ++rank) {
      std::vector<Step> shifted = algorithm.steps(stage, rank);
      for (Step& step : shifted) step = {step.number, shift(step.to), shift(step.from)};
      ASSERT_EQ(algorithm.steps(stage, shift(rank)), shifted);
    }
  }
}

TEST(Symmetry, HoldsForSchedules) {
  int with = 0;
  for (const Rank ranks : {1, 2, 7, 12, 16, 24, 30, 64}) {
    for (const std::string& name : algorithm_names(ranks)) {
      const auto algorithm = make_algorithm(name, ranks, 1);
      const auto symmetry = algorithm->symmetry();
      if (!symmetry) continue;
      ++with;
      ASSERT_EQ(symmetry->array.ranks(), ranks) << name;
      for (int d = 0; d < symmetry->array.dimensions(); ++d) {
        ASSERT_EQ(symmetry->array.extent(d) % symmetry->period, 0) << name;
        SCOPED_TRACE(name);
        expect_symmetric(*algorithm, Shift(*symmetry, d, 1));
      }
    }
  }
  EXPECT_GT(with, 40);
}

/// A length that every cut of these exchanges divides evenly.
constexpr Bytes kEven = Bytes{27} << 18;

std::vector<StageMessage> of_representatives(std::vector<StageMessage> messages,
                                             const RankClasses& classes) {
  std::erase_if(messages, [&](const StageMessage& message) {
    return classes.representative(classes.class_of(message.from)) != message.from;
  });
  return messages;
}

TEST(EvenFlow, IsTheWholeFlowWhereNothingIsRounded) {
  for (const char* name :
       {"linear", "two-stage", "row-column", "four-stage", "stages:3", "bruck", "bruck:5", "grid:3",
        "torus-ring", "torus-ring-pipeline", "torus:4x16", "torus:8x8", "torus-pipeline",
        "torus-split:8x8", "torus-split:4x4x4", "torus-split:2x32"}) {
    const auto algorithm = make_algorithm(name, 64, 1);
    const FunctionTraffic uniform("uniform", 64, [](Rank, Rank) { return kEven; });
    TrafficFlow whole(*algorithm, uniform, 1);
    EvenFlow even(*algorithm, kEven);
    EXPECT_LT(even.classes().count(), 64);
    for (int stage = 0; stage < algorithm->stages(); ++stage) {
      ASSERT_EQ(even.next_stage(), of_representatives(whole.next_stage(), even.classes()))
          << name << ", stage " << stage;
    }
  }
}

TEST(EvenFlow, RefusesAlgorithmsWithoutSymmetry) {
  expect_error(ErrorKind::argument, "four-stage on 61 ranks has no symmetry",
               [] { EvenFlow(*make_algorithm("four-stage", 61, 512), 1); });
  expect_error(ErrorKind::argument, "a block has -1 bytes",
               [] { EvenFlow(*make_algorithm("linear", 4, 512), -1); });
}

}  // namespace
}  // namespace shunt
