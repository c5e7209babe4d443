// Every pattern: the property that defines it, at awkward numbers of ranks.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/traffic/draws.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"
#include "pure/function_traffic.hpp"

namespace shunt {
namespace {

constexpr Rank kRankCounts[] = {1, 2, 3, 5, 7, 11, 13, 31, 64};
constexpr Bytes kMaximum = 1000;
constexpr Bytes kBackground = 3;

std::unique_ptr<Traffic> make(std::string_view specification, Rank ranks, std::uint64_t seed = 1) {
  return make_traffic(
      specification,
      {.ranks = ranks, .maximum = kMaximum, .background = kBackground, .seed = seed});
}

std::vector<Bytes> row_of(const Traffic& traffic, Rank source) {
  std::vector<Bytes> counts(static_cast<std::size_t>(traffic.ranks()), -1);
  traffic.row(source, counts);
  return counts;
}

std::vector<Bytes> blocks_of(const Traffic& traffic) {
  std::vector<Bytes> blocks;
  for (Rank source = 0; source < traffic.ranks(); ++source) {
    const auto row = row_of(traffic, source);
    blocks.insert(blocks.end(), row.begin(), row.end());
  }
  return blocks;
}

/// Expects block (i, j) to have length `expected(i, j)`, at every number of ranks.
template <class Expected>
void expect_blocks(std::string_view specification, Expected expected) {
  for (const Rank ranks : kRankCounts) {
    const auto traffic = make(specification, ranks);
    for (Rank source = 0; source < ranks; ++source) {
      for (Rank destination = 0; destination < ranks; ++destination) {
        ASSERT_EQ(traffic->count(source, destination), expected(ranks, source, destination))
            << traffic->name() << " at " << ranks << ": " << source << " to " << destination;
      }
    }
  }
}

TEST(Generators, RowsColumnsAndCountsAgree) {
  for (const TrafficPattern& pattern : traffic_patterns()) {
    for (const Rank ranks : kRankCounts) {
      const auto traffic = make(pattern.name, ranks);
      ASSERT_EQ(traffic->ranks(), ranks);
      for (Rank i = 0; i < ranks; ++i) {
        const auto row = row_of(*traffic, i);
        const auto column = column_of(*traffic, i);
        for (Rank j = 0; j < ranks; ++j) {
          const auto at = static_cast<std::size_t>(j);
          ASSERT_EQ(row[at], traffic->count(i, j)) << pattern.name;
          ASSERT_EQ(column[at], traffic->count(j, i)) << pattern.name;
          ASSERT_TRUE(row[at] >= 0 && row[at] <= kMaximum) << pattern.name;
        }
      }
    }
  }
}

TEST(Generators, ANameMakesTheSameTrafficAgain) {
  for (const TrafficPattern& pattern : traffic_patterns()) {
    const auto first = make(pattern.name, 13);
    const auto again = make(first->name(), 13);
    EXPECT_EQ(again->name(), first->name());
    EXPECT_EQ(blocks_of(*again), blocks_of(*first)) << pattern.name;
  }
  for (const char* name : {"zipf:1.2", "sparse:0.25", "neighbours:3", "banded:2"}) {
    EXPECT_EQ(make(name, 13)->name(), name);
  }
}

TEST(Generators, TheSeedDecidesRandomPatternsAlone) {
  const std::set<std::string_view> random{"random",     "sparse",       "zipf",      "pattern1",
                                          "neighbours", "hot-receiver", "hot-sender"};
  for (const TrafficPattern& pattern : traffic_patterns()) {
    const auto one = blocks_of(*make(pattern.name, 31, 1));
    EXPECT_EQ(one, blocks_of(*make(pattern.name, 31, 1))) << pattern.name;
    EXPECT_EQ(one != blocks_of(*make(pattern.name, 31, 2)), random.contains(pattern.name))
        << pattern.name;
  }
}

TEST(Generators, ABackgroundAboveTheMaximumIsTheMaximum) {
  for (const TrafficPattern& pattern : traffic_patterns()) {
    const auto traffic =
        make_traffic(pattern.name, {.ranks = 7, .maximum = 0, .background = 5, .seed = 1});
    EXPECT_EQ(blocks_of(*traffic), std::vector<Bytes>(49, 0)) << pattern.name;
  }
}

TEST(Generators, TheLargestMaximumIsNoTrouble) {
  constexpr Bytes kMost = std::numeric_limits<Bytes>::max();
  for (const char* name : {"random", "zipf:0", "zipf:1", "zipf:1e-16", "pattern1", "zipf:1000"}) {
    for (const Bytes block : blocks_of(*make_traffic(name, {.ranks = 31, .maximum = kMost}))) {
      ASSERT_TRUE(block >= 0) << name;
    }
  }
}

TEST(Generators, Uniform) {
  expect_blocks("uniform", [](Rank, Rank, Rank) { return kMaximum; });
}

TEST(Generators, Zero) {
  expect_blocks("zero", [](Rank, Rank, Rank) { return 0; });
}

TEST(Generators, Pattern1HasOneSpikeInEachRow) {
  for (const Rank ranks : kRankCounts) {
    const auto traffic = make("pattern1", ranks);
    for (Rank source = 0; source < ranks; ++source) {
      const auto row = row_of(*traffic, source);
      EXPECT_EQ(std::ranges::count(row, kMaximum), 1);
      EXPECT_EQ(std::ranges::count(row, kBackground), ranks - 1);
    }
  }
  // The spikes of 64 rows fall on about 64 (1 - 1/e) = 40 columns.
  std::set<std::ptrdiff_t> columns;
  for (Rank source = 0; source < 64; ++source) {
    const auto row = row_of(*make("pattern1", 64), source);
    columns.insert(std::ranges::find(row, kMaximum) - row.begin());
  }
  EXPECT_GT(columns.size(), 30u);
  EXPECT_LT(columns.size(), 52u);
}

TEST(Generators, Pattern2TransposesASquare) {
  for (const Rank side : {1, 2, 3, 8}) {
    const auto traffic = make("pattern2", side * side);
    for (Rank row = 0; row < side; ++row) {
      for (Rank column = 0; column < side; ++column) {
        const auto counts = row_of(*traffic, row * side + column);
        EXPECT_EQ(counts[static_cast<std::size_t>(column * side + row)], kMaximum);
        EXPECT_EQ(std::ranges::count(counts, kMaximum), 1);
      }
    }
  }
}

TEST(Generators, Pattern2PairsRanksAtAnyNumberOfRanks) {
  for (const Rank ranks : kRankCounts) {
    const auto traffic = make("pattern2", ranks);
    for (Rank i = 0; i < ranks; ++i) {
      EXPECT_EQ(std::ranges::count(row_of(*traffic, i), kMaximum), 1);
      EXPECT_EQ(std::ranges::count(row_of(*traffic, i), kBackground), ranks - 1);
      EXPECT_EQ(row_of(*traffic, i), column_of(*traffic, i));
    }
  }
  // 5 ranks in a 3 x 3 array: 1 and 3 are mirror images, 2 has its own at 6, which is missing.
  EXPECT_EQ(make("pattern2", 5)->count(1, 3), kMaximum);
  EXPECT_EQ(make("pattern2", 5)->count(2, 2), kMaximum);
}

TEST(Generators, ZipfLengthsAreTheMaximumOverAPower) {
  for (const double exponent : {0.0, 1.0, 1.2}) {
    const auto traffic = make("zipf:" + std::to_string(exponent), 64);
    std::set<Bytes> lengths;
    for (int r = 1; r <= 64; ++r) {
      lengths.insert(static_cast<Bytes>(static_cast<double>(kMaximum) / std::pow(r, exponent)));
    }
    for (const Bytes block : blocks_of(*traffic)) ASSERT_TRUE(lengths.contains(block)) << block;
  }
  // Each length but the shortest few is distinct at exponent 1, and is drawn for about one block
  // in 64, which is 64 of 4096.
  const auto blocks = blocks_of(*make("zipf", 64));
  for (const Bytes length : {1000, 500, 333, 250, 200}) {
    EXPECT_NEAR(static_cast<double>(std::ranges::count(blocks, length)), 64, 32) << length;
  }
}

TEST(Generators, NeighboursAreDistinctOthers) {
  for (const Rank ranks : kRankCounts) {
    for (const Rank k : {0, 1, 3, 200}) {
      const auto traffic = make("neighbours:" + std::to_string(k), ranks);
      for (Rank source = 0; source < ranks; ++source) {
        const auto row = row_of(*traffic, source);
        EXPECT_EQ(std::ranges::count(row, kMaximum), std::min(k, ranks - 1));
        EXPECT_EQ(std::ranges::count(row, 0), ranks - std::min(k, ranks - 1));
        EXPECT_EQ(row[static_cast<std::size_t>(source)], 0);
      }
    }
  }
}

TEST(Generators, NeighboursAreSpreadOverAllRanks) {
  const auto traffic = make("neighbours:8", 64);
  for (Rank destination = 0; destination < 64; ++destination) {
    const auto column = column_of(*traffic, destination);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(column, kMaximum)), 8, 8);
  }
}

TEST(Generators, BandedReachesACyclicDistance) {
  for (const Rank width : {0, 1, 3}) {
    expect_blocks("banded:" + std::to_string(width), [width](Rank ranks, Rank i, Rank j) {
      for (Rank step = -width; step <= width; ++step) {
        if (((i + step) % ranks + ranks) % ranks == j) return kMaximum;
      }
      return Bytes{0};
    });
  }
}

TEST(Generators, HotReceiverIsOneColumn) {
  for (const Rank ranks : kRankCounts) {
    const auto traffic = make("hot-receiver", ranks);
    const auto first = row_of(*traffic, 0);
    EXPECT_EQ(std::ranges::count(first, kMaximum), 1);
    EXPECT_EQ(std::ranges::count(first, kBackground), ranks - 1);
    for (Rank source = 1; source < ranks; ++source) EXPECT_EQ(row_of(*traffic, source), first);
  }
}

TEST(Generators, HotSenderIsOneRow) {
  for (const Rank ranks : kRankCounts) {
    const auto traffic = make("hot-sender", ranks);
    const auto first = column_of(*traffic, 0);
    EXPECT_EQ(std::ranges::count(first, kMaximum), 1);
    EXPECT_EQ(std::ranges::count(first, kBackground), ranks - 1);
    for (Rank destination = 1; destination < ranks; ++destination) {
      EXPECT_EQ(column_of(*traffic, destination), first);
    }
  }
}

TEST(Generators, LowerTriangular) {
  expect_blocks("lower-triangular",
                [](Rank, Rank i, Rank j) { return j <= i ? kMaximum : Bytes{0}; });
}

TEST(Generators, SparseHasItsShareOfEmptyBlocks) {
  for (const double share : {0.0, 0.25, 0.9, 1.0}) {
    const auto blocks = blocks_of(*make("sparse:" + std::to_string(share), 64));
    // A length is 0 by chance, too, once in kMaximum + 1 draws.
    const double zeros = share + (1 - share) / (kMaximum + 1);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(blocks, 0)), 4096 * zeros, 100) << share;
  }
  // A length does not show how narrowly its block escaped being empty.
  const TrafficShape longest{.ranks = 31, .maximum = std::numeric_limits<Bytes>::max()};
  auto lengths = blocks_of(*make_traffic("sparse:0.75", longest));
  std::erase(lengths, 0);
  EXPECT_LT(std::ranges::min(lengths), Bytes{1} << 60);
  EXPECT_EQ(blocks_of(*make("sparse:1", 64)), std::vector<Bytes>(4096, 0));
  EXPECT_EQ(blocks_of(*make("sparse:0", 31)), blocks_of(*make("random", 31)));
}

TEST(Generators, RandomLengthsAreSpreadEvenly) {
  for (const char* name : {"random", "sparse:0.5"}) {
    auto blocks = blocks_of(*make(name, 64));
    std::erase(blocks, 0);
    const auto sum = static_cast<double>(std::accumulate(blocks.begin(), blocks.end(), Bytes{0}));
    EXPECT_NEAR(sum / static_cast<double>(blocks.size()), 500, 25) << name;
    EXPECT_LE(std::ranges::min(blocks), 10) << name;
    EXPECT_GE(std::ranges::max(blocks), 990) << name;
  }
}

TEST(Hash, PermuteIsAPermutationThatTheSeedDecides) {
  for (const std::uint64_t size : {1u, 2u, 3u, 4u, 5u, 16u, 17u, 63u, 64u, 65u, 1000u}) {
    std::set<std::uint64_t> images;
    for (std::uint64_t value = 0; value < size; ++value) images.insert(permute(7, size, value));
    EXPECT_EQ(images.size(), size);
    EXPECT_EQ(*images.rbegin(), size - 1);
  }
  EXPECT_NE(permute(1, 1000, 0), permute(2, 1000, 0));
}

TEST(Hash, OrderAndEveryIndexMatter) {
  EXPECT_NE(hash(1, 2, 3), hash(1, 3, 2));
  EXPECT_NE(hash(1, 2), hash(2, 1));
  EXPECT_NE(hash(0), 0u);
  EXPECT_EQ(to_fraction(0), 0.0);
  EXPECT_LT(to_fraction(~std::uint64_t{0}), 1.0);
}

}  // namespace
}  // namespace shunt
