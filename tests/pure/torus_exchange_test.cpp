// The exchanges on rings and tori: proofs, links, and what is transmitted.
#include <algorithm>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/flow/link_flow.hpp"
#include "lab/proof/proof.hpp"
#include "lab/proof/torus_cost.hpp"
#include "pure/function_traffic.hpp"
#include "pure/sentences.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

/// `transmitted` is in blocks; every cut of blocks of so many bytes is exact.
void expect_transmission(const Algorithm& algorithm, double transmitted) {
  const auto parts = static_cast<Bytes>(algorithm.link_contention_free_on()->dimensions());
  const Bytes block = 16 * parts;
  const FunctionTraffic traffic("uniform", algorithm.ranks(), [](Rank, Rank) { return Bytes{1}; });
  const LinkFlow flow = follow_links(algorithm, traffic, block);
  EXPECT_EQ(static_cast<double>(flow.transmission()), transmitted * static_cast<double>(block))
      << algorithm.name() << " on " << algorithm.ranks();
  EXPECT_EQ(flow.travelled, flow.least) << algorithm.name() << " on " << algorithm.ranks();
}

/// Proves everything, and that equal blocks cost what `cost` says.
void expect_proven(const std::string& name, Rank ranks, const TorusCost& cost) {
  const auto algorithm = make_algorithm(name, ranks, 1);
  EXPECT_EQ(prove(*algorithm, ranks).violations, kNothing);
  EXPECT_EQ(algorithm->stages(), std::max(cost.start_ups, 1.0)) << name;
  expect_transmission(*algorithm, cost.transmission);
}

std::string on(const char* family, const Extents& extents) {
  return std::string(family) + ":" + extents.name();
}

TEST(RingExchange, TransmitsWhatIsPublished) {
  for (Rank ranks = 4; ranks <= 64; ranks += 2) {
    expect_proven("torus-ring", ranks, ring_cost(ranks));
  }
}

TEST(RingExchange, ByPipelineTransmitsTheLeast) {
  for (Rank ranks = 1; ranks <= 64; ++ranks) {
    expect_proven("torus-ring-pipeline", ranks, split_cost(Extents({ranks})));
  }
}

/// Golden numbers of Lemma 2 and of the bound.
TEST(RingExchange, TransmitsTheseNumbersOfBlocks) {
  expect_transmission(*make_algorithm("torus-ring", 4, 1), 2);
  expect_transmission(*make_algorithm("torus-ring", 6, 1), 5);
  expect_transmission(*make_algorithm("torus-ring", 8, 1), 8);
  expect_transmission(*make_algorithm("torus-ring", 40, 1), 200);
  expect_transmission(*make_algorithm("torus-ring-pipeline", 3, 1), 1);
  expect_transmission(*make_algorithm("torus-ring-pipeline", 6, 1), 4.5);
  expect_transmission(*make_algorithm("torus-ring-pipeline", 33, 1), 136);
}

TEST(RingExchange, IsASplitOfOneDimension) {
  for (Rank ranks = 1; ranks <= 24; ++ranks) {
    const auto ring = make_algorithm("torus-ring-pipeline", ranks, 1);
    const auto split = make_algorithm("torus-split:1x" + std::to_string(ranks), ranks, 1);
    ASSERT_EQ(ring->stages(), split->stages());
    for (int stage = 0; stage < ring->stages(); ++stage) {
      for (Rank rank = 0; rank < ranks; ++rank) {
        ASSERT_EQ(ring->steps(stage, rank), split->steps(stage, rank)) << ranks;
      }
    }
  }
}

TEST(TorusExchange, TransmitsWhatAT2Does) {
  for (const Rank rows : {4, 8, 12, 16}) {
    for (const Rank columns : {4, 8, 12, 16}) {
      const Extents extents({rows, columns});
      expect_proven(on("torus", extents), extents.ranks(), torus_cost(rows, columns));
    }
  }
}

/// Lemma 4 has 72 and 384 here.
TEST(TorusExchange, TransmitsTheseNumbersOfBlocks) {
  expect_transmission(*make_algorithm("torus:8x8", 64, 1), 64);
  expect_transmission(*make_algorithm("torus:4x12", 48, 1), 76);
  expect_transmission(*make_algorithm("torus:12x16", 192, 1), 424);
  expect_transmission(*make_algorithm("torus-pipeline:4x12", 48, 1), 72);
  expect_transmission(*make_algorithm("torus-pipeline:12x16", 192, 1), 384);
  expect_transmission(*make_algorithm("torus-split:4x12", 48, 1), 72);
  expect_transmission(*make_algorithm("torus-split:5x6x7", 210, 1), 180);
}

TEST(TorusExchange, ByPipelinesTransmitsTheLeast) {
  for (Rank rows = 2; rows <= 16; rows += 2) {
    for (Rank columns = 2; columns <= 16; columns += 2) {
      const Extents extents({rows, columns});
      expect_proven(on("torus-pipeline", extents), extents.ranks(),
                    torus_pipeline_cost(rows, columns));
    }
  }
}

TEST(SplitExchange, TransmitsTheLeastOnEveryTorus) {
  for (Rank rows = 1; rows <= 16; ++rows) {
    for (Rank columns = rows; columns <= 16; ++columns) {
      const Extents extents({rows, columns});
      expect_proven(on("torus-split", extents), extents.ranks(), split_cost(extents));
    }
  }
}

TEST(SplitExchange, TransmitsTheLeastInManyDimensions) {
  for (const char* shape : {"6x6x6", "4x4x4x4", "5x6x7", "3x4x5", "2x2x2", "2x3x2x5", "3x1x8",
                            "7x2", "2x2x2x2x2x2", "1x1"}) {
    const Extents extents = Extents::parse(shape);
    expect_proven(on("torus-split", extents), extents.ranks(), split_cost(extents));
  }
}

/// What is uneven makes links wait, but nothing makes a detour.
TEST(TorusExchange, TakesShortestPathsWhateverTheLengths) {
  const std::vector<std::pair<std::string, Rank>> names = {
      {"torus-ring", 30},      {"torus-ring-pipeline", 29}, {"torus:4x8", 32},
      {"torus:8x4", 32},       {"torus-pipeline:2x14", 28}, {"torus-pipeline:6x4", 24},
      {"torus-split:5x6", 30}, {"torus-split:2x3x5", 30},   {"torus-split:2x2x2x2", 16}};
  for (const auto& [name, ranks] : names) {
    const auto algorithm = make_algorithm(name, ranks, 1);
    for (const FunctionTraffic& traffic : hard_traffics(ranks)) {
      const LinkFlow flow = follow_links(*algorithm, traffic, 3);
      EXPECT_EQ(flow.travelled, flow.least) << name << ", " << traffic.name();
    }
  }
}

/// A single record follows its destination's rule from stage to stage.
TEST(TorusExchange, BringsEveryRecordToItsDestination) {
  const std::vector<std::pair<std::string, Rank>> names = {
      {"torus-ring", 12},         {"torus-ring-pipeline", 7}, {"torus:4x8", 32},
      {"torus-pipeline:6x4", 24}, {"torus-split:4x5", 20},    {"torus-split:3x4x2", 24},
      {"torus-split:6x6", 36}};
  for (const auto& [name, ranks] : names) {
    const auto algorithm = make_algorithm(name, ranks, 1);
    for (Rank source = 0; source < ranks; ++source) {
      for (Rank destination = 0; destination < ranks; ++destination) {
        Rank at = source;
        for (int stage = 0; stage < algorithm->stages(); ++stage) {
          at = algorithm->record_rule(stage, at).to[static_cast<std::size_t>(destination)];
          ASSERT_NE(at, kNoRank) << name;
        }
        ASSERT_EQ(at, destination) << name << " from " << source;
      }
    }
  }
}

TEST(LinkFlow, IsOfTorusExchangesOnly) {
  const FunctionTraffic traffic("ones", 4, [](Rank, Rank) { return Bytes{1}; });
  test::expect_error(ErrorKind::argument, "linear is not made for the links of a torus",
                     [&] { (void)follow_links(*make_algorithm("linear", 4, 1), traffic, 1); });
}

/// One block from rank 0 to rank 2 of five: alone on two links, one after the other.
TEST(LinkFlow, FollowsOneBlock) {
  const FunctionTraffic traffic("one", 5,
                                [](Rank i, Rank j) { return Bytes{i == 0 && j == 2 ? 10 : 0}; });
  const LinkFlow flow = follow_links(*make_algorithm("torus-ring-pipeline", 5, 1), traffic, 3);
  EXPECT_EQ(flow.busiest, (std::vector<Bytes>{30, 30}));
  EXPECT_EQ(flow.transmission(), 60);
  EXPECT_EQ(flow.travelled, 60);
  EXPECT_EQ(flow.least, 60);
}

TEST(TorusExchange, RefusesWhatIsNoSuchTorus) {
  auto refuses = [](const char* name, Rank ranks, const char* sentence) {
    test::expect_error(ErrorKind::argument, sentence,
                       [&] { (void)make_algorithm(name, ranks, 1); });
  };
  refuses("torus-ring", 2, "torus-ring runs on an even number of ranks from 4 on, not on 2");
  refuses("torus-ring", 7, "torus-ring-pipeline runs on any number");
  refuses("torus-ring:8", 6, "8 is a ring of 8 ranks, not of 6");
  refuses("torus:4x6", 24, "torus runs on R x C ranks, both multiples of 4, not on 4x6");
  refuses("torus:16", 16, "both multiples of 4, not on 16");
  refuses("torus", 24, "no array of two extents that are multiples of 4 has 24 ranks");
  refuses("torus-pipeline:4x5", 20, "torus-pipeline runs on R x C ranks, both even, not on 4x5");
  refuses("torus-pipeline:2x2x2", 8, "both even, not on 2x2x2");
  refuses("torus-split:4x4", 24, "4x4 is a torus of 16 ranks, not of 24");
  refuses("torus-split:4x", 4, "must be positive extents");
  refuses("torus-split", 0, "the number of ranks is 0, but must be 1 or more");
  refuses("torus-split:40000x40000", 1600000000,
          "torus-split runs on at most 536870912 ranks in 2 dimensions");
}

TEST(TorusExchange, FindsATorusWhereNoneIsGiven) {
  EXPECT_EQ(make_algorithm("torus", 32, 1)->name(), "torus:4x8");
  EXPECT_EQ(make_algorithm("torus", 256, 1)->name(), "torus:16x16");
  EXPECT_EQ(make_algorithm("torus-pipeline", 60, 1)->name(), "torus-pipeline:6x10");
  EXPECT_EQ(make_algorithm("torus-split", 30, 1)->name(), "torus-split:5x6");
  EXPECT_EQ(make_algorithm("torus-split", 31, 1)->name(), "torus-split:31");
  EXPECT_EQ(make_algorithm("torus-split", 1, 1)->name(), "torus-split:1");
}

}  // namespace
}  // namespace shunt
