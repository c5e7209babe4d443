#include <memory>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/flow/flow.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"
#include "pure/function_traffic.hpp"

namespace shunt {
namespace {

struct Platform {
  const char* name;
  LinkCost cost;
  Bytes element;
};

constexpr Platform kT3D{"T3D", {38e-6, 0.043e-6, 0}, 48};
constexpr Platform kSP2{"SP2", {44e-6, 0.035e-6, 0}, 22};

/// What 64 ranks need, relative to four-stage: by the model, and when followed step by step.
class Comparison {
 public:
  Comparison(const Platform& platform, const char* pattern, Bytes maximum)
      : platform_(platform), traffic_(make_traffic(pattern, {64, maximum, 1, 1})) {}

  [[nodiscard]] double predicted(const char* name) const {
    return model(name) / model("four-stage");
  }
  [[nodiscard]] double followed(const char* name) const {
    return steps(name) / model("four-stage");
  }

 private:
  [[nodiscard]] double model(const char* name) const {
    return make_algorithm(name, 64, 1)
        ->predict(loads_of(*traffic_, platform_.element), platform_.cost);
  }

  [[nodiscard]] double steps(const char* name) const {
    const auto algorithm = make_algorithm(name, 64, 1);
    const auto flows = follow_traffic(*algorithm, *traffic_, platform_.element);
    double seconds = 0;
    for (int stage = 0; stage < algorithm->stages(); ++stage) {
      seconds += flows[static_cast<std::size_t>(stage)].seconds(platform_.cost,
                                                                algorithm->step_count(stage));
    }
    return seconds;
  }

  Platform platform_;
  std::unique_ptr<Traffic> traffic_;
};

struct Row {
  Platform platform;
  Bytes maximum;
  double linear;
  double two_stage;
  double row_column;
};

/// Times relative to four-stage's that a prototype simulated, blocking and on a single port: the
/// transpose.
constexpr Row kPattern2[] = {
    {kT3D, 64, 1.70, 2.37, 1.30},   {kT3D, 256, 2.03, 1.60, 2.41},  {kT3D, 1024, 2.32, 0.92, 3.40},
    {kT3D, 4096, 2.45, 0.62, 3.83}, {kSP2, 64, 1.86, 3.24, 0.88},   {kSP2, 256, 2.02, 2.56, 1.65},
    {kSP2, 1024, 2.26, 1.54, 2.82}, {kSP2, 4096, 2.42, 0.85, 3.60},
};

/// The same for one spike per rank at a random place; another random draw than ours.
constexpr Row kPattern1[] = {
    {kT3D, 64, 1.73, 2.12, 0.88},   {kT3D, 256, 1.99, 1.35, 1.25},  {kT3D, 1024, 2.15, 0.87, 1.48},
    {kT3D, 4096, 2.21, 0.70, 1.56}, {kSP2, 64, 1.86, 3.03, 0.70},   {kSP2, 256, 1.99, 2.18, 1.02},
    {kSP2, 1024, 2.13, 1.27, 1.35}, {kSP2, 4096, 2.20, 0.83, 1.52},
};

TEST(Predict, ComparesTwoAndFourStageAsThePrototypeForPattern2) {
  for (const Row& row : kPattern2) {
    const Comparison comparison(row.platform, "pattern2", row.maximum);
    EXPECT_NEAR(comparison.predicted("two-stage"), row.two_stage, 0.01 * row.two_stage)
        << row.platform.name << " " << row.maximum;
    EXPECT_NEAR(comparison.followed("two-stage"), row.two_stage, 0.01 * row.two_stage)
        << row.platform.name << " " << row.maximum;
  }
}

TEST(Predict, FollowsRowColumnAsThePrototypeForPattern2) {
  for (const Row& row : kPattern2) {
    const Comparison comparison(row.platform, "pattern2", row.maximum);
    EXPECT_NEAR(comparison.followed("row-column"), row.row_column, 0.01 * row.row_column)
        << row.platform.name << " " << row.maximum;
  }
}

/// The contention of linear lies between none and every step waiting for its longest message.
TEST(Predict, EnclosesLinearForPattern2) {
  for (const Row& row : kPattern2) {
    const Comparison comparison(row.platform, "pattern2", row.maximum);
    EXPECT_LT(comparison.predicted("linear"), row.linear)
        << row.platform.name << " " << row.maximum;
    EXPECT_GT(comparison.followed("linear"), row.linear) << row.platform.name << " " << row.maximum;
  }
}

TEST(Predict, FollowsTwoStageAsThePrototypeForPattern1) {
  for (const Row& row : kPattern1) {
    const Comparison comparison(row.platform, "pattern1", row.maximum);
    EXPECT_NEAR(comparison.followed("two-stage"), row.two_stage, 0.05 * row.two_stage)
        << row.platform.name << " " << row.maximum;
  }
}

/// Followed over predicted; the prototype found 0.87 to 1.02.
TEST(Predict, IsNearWhatFourStageNeeds) {
  for (const Rank ranks : {16, 23, 61, 64, 90, 100}) {
    const auto algorithm = make_algorithm("four-stage", ranks, 1);
    for (const FunctionTraffic& traffic : hard_traffics(ranks)) {
      const auto flows = follow_traffic(*algorithm, traffic, 8);
      double followed = 0;
      for (int stage = 0; stage < algorithm->stages(); ++stage) {
        followed +=
            flows[static_cast<std::size_t>(stage)].seconds(kT3D.cost, algorithm->step_count(stage));
      }
      const double ratio = followed / algorithm->predict(loads_of(traffic, 8), kT3D.cost);
      EXPECT_GT(ratio, 0.80) << ranks << " ranks, " << traffic.name();
      EXPECT_LT(ratio, 1.05) << ranks << " ranks, " << traffic.name();
    }
  }
}

TEST(Predict, IsStartUpsAloneWithoutData) {
  const FunctionTraffic traffic("nothing", 30, [](Rank, Rank) { return Bytes{0}; });
  const Loads loads = loads_of(traffic, 1);
  for (const std::string& name : algorithm_names(30)) {
    const auto algorithm = make_algorithm(name, 30, 1);
    EXPECT_DOUBLE_EQ(algorithm->predict(loads, {1.0, 1.0, 1.0}), algorithm->start_ups()) << name;
  }
}

TEST(Predict, GrowsWithTheDataForEveryAlgorithm) {
  for (const Rank ranks : {1, 7, 30, 64}) {
    const FunctionTraffic small("small", ranks, [](Rank, Rank) { return Bytes{1000}; });
    const FunctionTraffic large("large", ranks, [](Rank, Rank) { return Bytes{2000}; });
    for (const std::string& name : algorithm_names(ranks)) {
      const auto algorithm = make_algorithm(name, ranks, 1);
      EXPECT_LT(algorithm->predict(loads_of(small, 1), kSP2.cost),
                algorithm->predict(loads_of(large, 1), kSP2.cost))
          << name << " on " << ranks;
    }
  }
}

}  // namespace
}  // namespace shunt
