#include "algorithms/allgather_registry.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/flow/torus_links.hpp"
#include "lab/traffic/source_patterns.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::expect_error;

constexpr LinkCost kParagonCost{75e-6, 0.011e-6, 0};

Sources all(Rank ranks) { return Sources(std::vector<Bytes>(static_cast<std::size_t>(ranks), 1)); }

TEST(AllgatherRegistry, NamesRoundTrip) {
  for (Rank ranks = 1; ranks <= 100; ++ranks) {
    std::set<std::string> names;
    for (const std::string& name : allgather_names(ranks)) {
      const auto allgather = make_allgather(name, all(ranks));
      ASSERT_EQ(allgather->name(), name);
      ASSERT_EQ(allgather->ranks(), ranks);
      ASSERT_TRUE(names.insert(name).second) << name;
    }
    ASSERT_GE(names.size(), 18U) << ranks;
  }
}

TEST(AllgatherRegistry, SharesNoNameWithTheAlgorithms) {
  for (const AllgatherEntry& entry : allgather_registry()) {
    for (const AlgorithmEntry& other : algorithm_registry()) EXPECT_NE(entry.name, other.name);
    EXPECT_FALSE(entry.source.empty());
    EXPECT_FALSE(entry.restriction.empty());
    EXPECT_FALSE(entry.start_ups.empty());
    EXPECT_FALSE(entry.examples.empty());
  }
}

TEST(AllgatherRegistry, RefusesWhatItDoesNotUnderstand) {
  const auto refuse = [](const char* words, const char* name, Rank ranks) {
    expect_error(ErrorKind::argument, words, [&] { (void)make_allgather(name, all(ranks)); });
  };
  refuse(
      "there is no all-gather algorithm \"four-stage\"; `shunt algorithms --allgather` lists them",
      "four-stage", 4);
  refuse("there is no all-gather algorithm \"\"", "", 4);
  refuse("\"3\" follows the name of an algorithm without parameter", "gather-broadcast:3", 4);
  refuse("3x4 is an array of 12 ranks, not of 13", "recursive-halving:3x4", 13);
  refuse("\"y\" in \"y\" is not understood", "halving-by-shape:y", 4);
  refuse("\"never\" in \"never\" is not understood", "reposition:never", 4);
  refuse("neighbour-exchange runs on an even number of ranks, not on 5", "neighbour-exchange", 5);
  refuse("an all-gather is among 1 or more ranks, not among 0", "recursive-halving", 0);
}

TEST(AllgatherRegistry, AsksForTheMachineOnlyWhereItIsNeeded) {
  int asked = 0;
  const Surroundings surroundings{[&] {
    ++asked;
    return std::make_shared<const Machine>(Machine::blocked(6, 3));
  }};
  for (const AllgatherEntry& entry : allgather_registry()) {
    asked = 0;
    (void)make_allgather(entry.name, all(6), surroundings);
    EXPECT_EQ(asked, entry.by_nodes ? 1 : 0) << entry.name;
  }
}

TEST(AllgatherRegistry, TakesTheArrayOfTheSurroundings) {
  Surroundings surroundings = Surroundings::flat(12);
  surroundings.torus = [] { return Extents::parse("2x6"); };
  EXPECT_EQ(make_allgather("halving-by-shape", all(12), surroundings)->name(),
            "halving-by-shape:2x6");
  EXPECT_EQ(make_allgather("halving-by-shape", all(12))->name(), "halving-by-shape:3x4");
  EXPECT_EQ(make_allgather("recursive-halving", all(12), surroundings)->name(),
            "recursive-halving");
  EXPECT_EQ(make_allgather("recursive-halving:12", all(12))->name(), "recursive-halving");
}

TEST(AllgatherRegistry, HasTheStartUpsThatItStates) {
  for (Rank ranks = 1; ranks <= 100; ++ranks) {
    const int doublings = static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)));
    const auto start_ups = [&](const char* name) {
      return make_allgather(name, all(ranks))->start_ups();
    };
    EXPECT_EQ(make_allgather("recursive-halving", all(ranks))->stages(), doublings);
    EXPECT_LE(start_ups("recursive-halving"), 2 * doublings);
    EXPECT_LE(start_ups("gather-broadcast"), ranks - 1 + 2 * doublings);
    EXPECT_EQ(start_ups("direct"), ranks - 1);
    EXPECT_EQ(start_ups("dissemination"), doublings);
    EXPECT_EQ(start_ups("ring"), ranks - 1);
    if (ranks % 2 == 0) {
      EXPECT_EQ(start_ups("neighbour-exchange"), ranks / 2);
    }
  }
}

// Section 2: rows first if and only if max_r < max_c, and if and only if r >= c.
TEST(AllgatherRegistry, TakesTheDimensionsInThePapersOrder) {
  const auto first_stage = [](const char* name, std::vector<Rank> sources) {
    return make_allgather(name, with_equal_blocks(12, sources, 1))->stage_name(0);
  };
  EXPECT_EQ(first_stage("halving-by-source:3x4", {0, 1, 2, 3}), "halve the columns, 1");
  EXPECT_EQ(first_stage("halving-by-source:3x4", {0, 4, 8}), "halve the rows, 1");
  EXPECT_EQ(first_stage("halving-by-source:3x4", {0, 5}), "halve the columns, 1");
  EXPECT_EQ(first_stage("halving-by-shape:3x4", {0, 1, 2, 3}), "halve the columns, 1");
  EXPECT_EQ(first_stage("halving-by-shape:4x3", {0, 1, 2, 3}), "halve the rows, 1");
  EXPECT_EQ(make_allgather("halving-by-shape:2x2", all(4))->stage_name(0), "halve the rows, 1");
}

TEST(AllgatherRegistry, SnakesLeadFromNeighbourToNeighbour) {
  // In the last stage of 2^k places neighbours on the line exchange.
  for (const char* shape : {"4x4", "2x8", "2x2x4", "4x2x2"}) {
    const Extents array = Extents::parse(shape);
    const auto allgather = make_allgather(std::string("recursive-halving:") + shape, all(16));
    for (Rank rank = 0; rank < 16; ++rank) {
      const Step step = allgather->steps(allgather->stages() - 1, rank).front();
      EXPECT_EQ(torus_distance(array, rank, step.to), 1) << shape << " " << rank;
    }
  }
  // To the right in the first row, to the left in the second: 0 and 7 are 7 places apart.
  EXPECT_EQ(make_allgather("recursive-halving:2x4", all(8))->steps(0, 0).front().to, 7);
}

/// The ranks that hold data after the first so many stages.
std::ptrdiff_t holders(const Allgather& allgather, int stages) {
  std::vector<bool> holds;
  for (const Bytes length : allgather.sources().lengths()) holds.push_back(length > 0);
  for (int stage = 0; stage < stages; ++stage) {
    for (Rank rank = 0; rank < allgather.ranks(); ++rank) {
      for (const Step& step : allgather.steps(stage, rank)) {
        if (step.from != kNoRank) holds[static_cast<std::size_t>(rank)] = true;
      }
    }
  }
  return std::ranges::count(holds, true);
}

// Section 3, and the exhaustive search over all sets of up to 9 places: no other sources than the
// first places of the line are active in more ranks, summed over the stages.
TEST(AllgatherRegistry, NoSourcesAreBetterForRecursiveHalvingThanTheFirstPlaces) {
  const auto activity = [](Rank ranks, unsigned set) {
    std::vector<Bytes> lengths;
    for (Rank rank = 0; rank < ranks; ++rank) lengths.push_back((set >> rank) & 1U);
    const auto allgather = make_allgather("recursive-halving", Sources(std::move(lengths)));
    std::ptrdiff_t sum = 0;
    for (int stage = 0; stage <= allgather->stages(); ++stage) sum += holders(*allgather, stage);
    return sum;
  };
  for (Rank ranks = 1; ranks <= 9; ++ranks) {
    for (unsigned set = 1; set < 1U << ranks; ++set) {
      const unsigned ideal = (1U << std::popcount(set)) - 1;
      ASSERT_LE(activity(ranks, set), activity(ranks, ideal)) << ranks << " " << set;
    }
  }
}

/// Who sends to whom in the first stage.
std::vector<std::pair<Rank, Rank>> first_moves(const char* name, Rank ranks,
                                               const std::vector<Rank>& sources) {
  const auto allgather = make_allgather(name, with_equal_blocks(ranks, sources, 1));
  std::vector<std::pair<Rank, Rank>> moves;
  for (Rank rank = 0; rank < ranks; ++rank) {
    for (const Step& step : allgather->steps(0, rank)) {
      if (step.to != kNoRank) moves.emplace_back(rank, step.to);
    }
  }
  return moves;
}

TEST(AllgatherRegistry, RepositionsToIdealPlaces) {
  using Moves = std::vector<std::pair<Rank, Rank>>;
  // The first places of the line; who is there stays.
  EXPECT_EQ(first_moves("reposition", 12, {1, 5, 9}), (Moves{{5, 0}, {9, 2}}));
  // Of a 2x6 array to and fro, 0 to 5 and 11 to 6.
  EXPECT_EQ(first_moves("reposition:2x6", 12, {0, 1, 2, 3, 4, 6, 7}), (Moves{{6, 5}, {7, 11}}));
  // Rows where columns are taken first, and the other way round.
  EXPECT_EQ(first_moves("reposition-by-source:3x4", 12, {3, 7, 8}),
            (Moves{{3, 0}, {7, 1}, {8, 2}}));
  EXPECT_EQ(first_moves("reposition-by-source:4x3", 12, {0, 1, 2, 5}),
            (Moves{{1, 3}, {2, 6}, {5, 9}}));
  EXPECT_EQ(first_moves("reposition-by-shape:3x4", 12, {8, 9}), (Moves{{8, 0}, {9, 1}}));
  EXPECT_EQ(first_moves("reposition-by-shape:4x3", 12, {1, 2}), (Moves{{1, 0}, {2, 3}}));
  // In proportion to 7 and 6 ranks: two to the first half.
  EXPECT_EQ(first_moves("partition", 13, {3, 4, 5}), (Moves{{3, 0}, {4, 1}, {5, 7}}));
  // Columns 0 and 1, and 2 and 3, of 2x4.
  EXPECT_EQ(first_moves("partition-by-shape:2x4", 8, {5, 6}), (Moves{{5, 0}, {6, 2}}));
}

TEST(AllgatherRegistry, RepositionsOnlyWhereThatPays) {
  int moved = 0;
  int kept = 0;
  const Extents array = Extents::parse("8x8");
  for (const SourcePattern& pattern : source_patterns()) {
    for (const Rank count : {4, 8, 20, 40}) {
      for (const auto& [stays, moves] : {std::pair{"recursive-halving", "reposition"},
                                         {"halving-by-source", "reposition-by-source"},
                                         {"halving-by-shape", "reposition-by-shape"}}) {
        const Sources sources = with_equal_blocks(
            64, place_sources(pattern.name, {.array = array, .count = count}), 4096);
        const Surroundings flat = Surroundings::flat(64);
        const auto seconds = [&](const std::string& name) {
          return make_allgather(name, sources, flat, kParagonCost)->predict(kParagonCost);
        };
        const std::string shape = "8x8";
        const double plain = seconds(fmt::format("{}:{}", stays, shape));
        const double always = seconds(fmt::format("{}:{}", moves, shape));
        EXPECT_EQ(seconds(fmt::format("{}:{},if-it-pays", moves, shape)), std::min(plain, always));
        ++(always < plain ? moved : kept);
      }
    }
  }
  EXPECT_GT(moved, 10);
  EXPECT_GT(kept, 10);
}

// A huge source among small ones costs about twice its length, not that times the stages.
TEST(AllgatherRegistry, ScatteringPaysForAHugeSource) {
  std::vector<Bytes> lengths(64, 100);
  lengths[5] = 1 << 24;
  const Sources sources(std::move(lengths));
  const LinkCost cost{1e-6, 1e-9, 0};
  const double once = (1 << 24) * cost.per_byte;
  EXPECT_LT(make_allgather("scatter-allgather", sources)->predict(cost), 2.1 * once);
  EXPECT_GT(make_allgather("dissemination", sources)->predict(cost), 5.9 * once);
}

// About twice as fast where all of 100 ranks are sources.
TEST(AllgatherRegistry, DisseminationIsAheadOfRecursiveHalvingOnAwkwardNumbers) {
  std::vector<Bytes> lengths(100, 4096);
  const Sources sources(std::move(lengths));
  const double lin = make_allgather("recursive-halving", sources)->predict(kParagonCost);
  const double other = make_allgather("dissemination", sources)->predict(kParagonCost);
  EXPECT_GT(lin, 1.8 * other);
}

TEST(Sources, KnowWhoHasWhat) {
  const Sources sources({0, 5, 0, 7, 7});
  EXPECT_EQ(sources.ranks(), 5);
  EXPECT_EQ(sources.count(), 3);
  EXPECT_EQ(sources.total(), 19);
  EXPECT_EQ(sources.longest(), 3);
  EXPECT_EQ(std::vector<Rank>(sources.list().begin(), sources.list().end()),
            (std::vector<Rank>{1, 3, 4}));
  EXPECT_EQ(Sources({0, 0}).longest(), kNoRank);
}

TEST(Sources, RefuseWhatIsNoLength) {
  expect_error(ErrorKind::count, "the block of rank 1 has the negative length -3", [] {
    (void)Sources({2, -3});
  });
  expect_error(ErrorKind::count, "the blocks of ranks 0 to 2 together exceed 64 bits", [] {
    (void)Sources({1, std::numeric_limits<Bytes>::max() - 1, 1});
  });
  const Rank outside = 4;
  expect_error(ErrorKind::rank, "source 4 is not a rank between 0 and 3", [&] {
    (void)with_equal_blocks(4, {&outside, 1}, 1);
  });
}

}  // namespace
}  // namespace shunt
