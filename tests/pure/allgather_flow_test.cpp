#include "lab/flow/allgather_flow.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "algorithms/allgather_registry.hpp"
#include "lab/traffic/source_patterns.hpp"

namespace shunt {
namespace {

Sources placed(const char* pattern, Rank count, const Extents& array, Bytes length) {
  return with_equal_blocks(array.ranks(), place_sources(pattern, {.array = array, .count = count}),
                           length);
}

Sources equal_sources(Rank ranks, Rank count) {
  return placed("equal", count, Extents({ranks}), 1);
}

// Hambrusch 1998, Fig. 2, with the sums of Section 4 written out: E(s), s = 2^l, p = 2^k, L = 1.
TEST(AllgatherMetrics, OfRecursiveHalvingEqualTheFormulasForPowersOfTwo) {
  for (int k = 1; k <= 9; ++k) {
    const Rank ranks = 1 << k;
    for (int l = 0; l <= k; ++l) {
      const Rank s = 1 << l;
      const auto metrics = metrics_of(*make_allgather("recursive-halving", equal_sources(ranks, s)),
                                      Iteration::stage);
      EXPECT_EQ(metrics.average_length, ((s - 1.0) + s * (k - l)) / k) << ranks << " " << s;
      EXPECT_EQ(metrics.average_active, (s * l + 2.0 * ranks - 2.0 * s) / k) << ranks << " " << s;
      EXPECT_EQ(metrics.congestion, l > 0 ? 2 : 1) << ranks << " " << s;
      EXPECT_LE(metrics.wait, k - 1);
      EXPECT_LE(metrics.messages, 2 * k);
    }
  }
}

// For other s, with v the largest power of two that divides s. The rank with most comes within a
// quarter of it.
TEST(AllgatherMetrics, OfRecursiveHalvingAreNearTheFormulaForOtherNumbers) {
  for (int k = 3; k <= 7; ++k) {
    const Rank ranks = 1 << k;
    for (Rank s = 1; s <= ranks; ++s) {
      const int v = s & -s;
      const double doublings = std::ceil(std::log2(static_cast<double>(ranks) / s));
      const double expected = (s - 1 + v * doublings) / k;
      const auto metrics = metrics_of(*make_allgather("recursive-halving", equal_sources(ranks, s)),
                                      Iteration::stage);
      EXPECT_NEAR(metrics.average_length / expected, 1, 0.25) << ranks << " " << s;
    }
  }
}

TEST(AllgatherMetrics, OfTheOtherTwoGrowAsFig2Says) {
  for (int k = 2; k <= 8; ++k) {
    const Rank ranks = 1 << k;
    for (Rank s = 2; s <= ranks; s *= 2) {
      const Sources sources = equal_sources(ranks, s);
      // Rank 0 is a source itself.
      const auto two_step =
          metrics_of(*make_allgather("gather-broadcast", sources), Iteration::stage);
      EXPECT_EQ(two_step.congestion, std::max(s - 1, 1));
      EXPECT_EQ(two_step.wait, 1);
      const auto direct = metrics_of(*make_allgather("direct", sources), Iteration::step);
      EXPECT_EQ(direct.congestion, 2);
      EXPECT_EQ(direct.wait, 0);
      EXPECT_EQ(direct.messages, ranks - 1 + s - 1);
      EXPECT_LE(direct.average_length, 1);
      EXPECT_LE(direct.average_active, ranks);
    }
  }
}

// 8 ranks in a line, one source: 1 reaches 5 in the first stage, then 3 and 7, then 0, 2, 4 and 6.
TEST(AllgatherFlow, IsThatOfTheHandDrawnExample) {
  const auto allgather = make_allgather("recursive-halving", Sources({0, 7, 0, 0, 0, 0, 0, 0}));
  const AllgatherFlow flow = follow_allgather(*allgather);
  std::vector<std::vector<std::pair<Rank, Rank>>> pairs;
  for (const auto& messages : flow) {
    auto& stage = pairs.emplace_back();
    for (const SizedMessage& message : messages) {
      EXPECT_EQ(message.bytes, 7);
      EXPECT_EQ(message.step, 1);
      stage.emplace_back(message.from, message.to);
    }
  }
  EXPECT_EQ(pairs, (decltype(pairs){{{1, 5}}, {{1, 3}, {5, 7}}, {{1, 0}, {3, 2}, {5, 4}, {7, 6}}}));
  EXPECT_DOUBLE_EQ(seconds_of(flow, 8, {10, 1, 0}), 3 * 17.0);
}

/// The model of the phases against the messages themselves. It knows nothing of what is left out
/// because the receiver has it, and its phases do not overlap.
TEST(AllgatherFlow, TakesAsLongAsPredicted) {
  const LinkCost cost{1e-6, 1e-9, 0};
  for (const Rank ranks : {2, 8, 15, 16, 64, 100}) {
    for (const std::string& name : allgather_names(ranks)) {
      for (const Rank count : {1, ranks / 3, ranks}) {
        const Sources sources = placed("equal", count, Extents({ranks}), 4096);
        const auto allgather = make_allgather(name, sources);
        const double seconds = seconds_of(follow_allgather(*allgather), ranks, cost);
        const double predicted = allgather->predict(cost);
        EXPECT_LE(seconds, predicted * (1 + 1e-9)) << name << " " << ranks << " " << count;
        EXPECT_GE(seconds, predicted * 0.6) << name << " " << ranks << " " << count;
        if (allgather->stages() > 0 && count > 0 && name == "recursive-halving") {
          EXPECT_DOUBLE_EQ(seconds, predicted) << ranks;
        }
      }
    }
  }
}

}  // namespace
}  // namespace shunt
