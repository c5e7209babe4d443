#include "algorithms/registry.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

/// The sentence with which a name is refused; empty if it is accepted.
std::string refusal(const std::string& name, Rank ranks, Bytes grain = 1) {
  try {
    (void)make_algorithm(name, ranks, grain);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::argument) << name;
    return error.what();
  }
}

TEST(Registry, NamesRoundTrip) {
  for (Rank ranks = 1; ranks <= 300; ++ranks) {
    std::set<std::string> names;
    for (const std::string& name : algorithm_names(ranks)) {
      const auto algorithm = make_algorithm(name, ranks, 1);
      ASSERT_EQ(algorithm->name(), name) << ranks;
      ASSERT_EQ(algorithm->ranks(), ranks) << name;
      ASSERT_EQ(make_algorithm(algorithm->name(), ranks, 1)->start_ups(), algorithm->start_ups());
      names.insert(name);
    }
    ASSERT_GE(names.size(), 9U) << ranks;
  }
}

TEST(Registry, EveryEntryHasExamplesThatRun) {
  for (const AlgorithmEntry& entry : algorithm_registry()) {
    bool found = false;
    for (const std::string& name : algorithm_names(16)) {
      found = found || name.substr(0, name.find(':')) == entry.name;
    }
    EXPECT_TRUE(found) << entry.name;
    EXPECT_FALSE(entry.source.empty());
    EXPECT_FALSE(entry.restriction.empty());
    EXPECT_FALSE(entry.start_ups.empty());
    EXPECT_FALSE(entry.buffer.empty());
  }
}

TEST(Registry, RefusesWhatItDoesNotUnderstand) {
  EXPECT_EQ(refusal("a5", 4), "there is no algorithm \"a5\"; `shunt algorithms` lists them");
  EXPECT_EQ(refusal("", 4), "there is no algorithm \"\"; `shunt algorithms` lists them");
  EXPECT_EQ(refusal("Four-stage", 4),
            "there is no algorithm \"Four-stage\"; `shunt algorithms` lists them");
  EXPECT_EQ(refusal("four-stage:3", 4), "\"3\" follows the name of an algorithm without parameter");
  EXPECT_EQ(refusal("stages:x", 4), "the dimension is \"\", not a positive number");
  EXPECT_EQ(refusal("stages:0", 4), "the number of levels is \"0\", not a positive number");
  EXPECT_EQ(refusal("stages:-3", 4), "the number of levels is \"-3\", not a positive number");
  EXPECT_EQ(refusal("stages:3.5", 4), "the number of levels is \"3.5\", not a positive number");
  EXPECT_EQ(refusal("stages:31", 4), "the number of levels is 31, not between 1 and 30");
  EXPECT_EQ(refusal("stages:4x0", 4), "the dimension is \"0\", not a positive number");
  EXPECT_EQ(refusal("stages:99999999999", 4),
            "the number of levels is \"99999999999\", not a positive number");
  EXPECT_EQ(refusal("grid:two", 4), "the number of levels is \"two\", not a positive number");
  EXPECT_EQ(refusal("groups:4", 4), "groups:4 leaves no receiver among 4 ranks");
  EXPECT_EQ(refusal("groups:5", 4), "groups:5 leaves no receiver among 4 ranks");
  EXPECT_EQ(refusal("groups:0", 4), "the number of senders is \"0\", not a positive number");
  EXPECT_EQ(refusal("row-column-square", 12),
            "row-column-square runs on a perfect square of ranks, not on 12; row-column runs on "
            "any number");
  EXPECT_EQ(refusal("pairwise", 0), "the number of ranks is 0, not positive");
  EXPECT_EQ(refusal("pairwise:2", 4), "\"2\" follows the name of an algorithm without parameter");
  EXPECT_EQ(refusal("bruck:1", 4), "the radix is 1, but must be 2 or more");
  EXPECT_EQ(refusal("bruck-in-nodes:1", 4), "the radix is 1, but must be 2 or more");
  EXPECT_EQ(refusal("bruck-among-nodes:1", 4), "the radix is 1, but must be 2 or more");
  EXPECT_EQ(refusal("bruck:two", 4), "the radix is \"two\", not a positive number");
  EXPECT_EQ(refusal("bruck", 0), "the number of ranks is 0, not positive");
  EXPECT_EQ(refusal("leaders:0", 4), "the number of leaders is \"0\", not a positive number");
  EXPECT_EQ(refusal("node-pairwise:fast", 4),
            "the form of node-pairwise is \"fast\", but must be \"printed\" or left out");
  EXPECT_EQ(refusal("four-stage", 0), "the number of ranks is 0, not positive");
  EXPECT_EQ(refusal("four-stage", 4, 0), "the grain is 0, not positive");
}

TEST(Registry, StatesTheStartUpsOfLiu2002) {
  for (Rank ranks = 1; ranks <= 2000; ++ranks) {
    EXPECT_EQ(make_algorithm("linear", ranks, 1)->start_ups(), ranks);
    EXPECT_EQ(make_algorithm("two-stage", ranks, 1)->start_ups(), 2 * ranks);
    const int root = static_cast<int>(std::ceil(std::sqrt(ranks)));
    EXPECT_LE(make_algorithm("four-stage", ranks, 1)->start_ups(), 4 * root + 2) << ranks;
    if (root * root != ranks) continue;
    EXPECT_EQ(make_algorithm("row-column-square", ranks, 1)->start_ups(), 2 * root);
    EXPECT_EQ(make_algorithm("four-stage", ranks, 1)->start_ups(), 4 * root);
  }
  for (int root = 2; root <= 6; ++root) {
    EXPECT_EQ(make_algorithm("stages:3", root * root * root, 1)->start_ups(), 6 * root);
    EXPECT_EQ(make_algorithm("grid:3", root * root * root, 1)->start_ups(), 3 * root);
  }
}

/// Without the messages to oneself.
TEST(Registry, FourStageStartsFewerMessagesThanLinearFromEighteenRanksOn) {
  for (Rank ranks = 2; ranks <= 3000; ++ranks) {
    const auto algorithm = make_algorithm("four-stage", ranks, 1);
    // Each stage has one message to oneself, which takes no start-up.
    const bool fewer = algorithm->start_ups() - 4 < ranks - 1;
    ASSERT_EQ(fewer, ranks >= 18 || ranks == 12 || ranks == 16) << ranks;
  }
}

TEST(Registry, MakesTheFamiliarOnesOfTheirGeneralisations) {
  for (const Rank ranks : {1, 2, 7, 16, 23}) {
    for (const auto& [special, general] : {std::pair{"two-stage", "stages:1"},
                                           {"four-stage", "stages:2"},
                                           {"linear", "grid:1"},
                                           {"row-column", "grid:2"}}) {
      const auto a = make_algorithm(special, ranks, 1);
      const auto b = make_algorithm(general, ranks, 1);
      ASSERT_EQ(a->stages(), b->stages());
      for (int stage = 0; stage < a->stages(); ++stage) {
        for (Rank rank = 0; rank < ranks; ++rank) {
          ASSERT_EQ(a->steps(stage, rank), b->steps(stage, rank)) << special << " " << ranks;
        }
      }
    }
  }
}

TEST(Registry, AsksForTheMachineOnlyWhereItIsNeeded) {
  for (const AlgorithmEntry& entry : algorithm_registry()) {
    int asked = 0;
    const Surroundings surroundings{[&] {
      ++asked;
      return std::make_shared<const Machine>(Machine::blocked(16, 6));
    }};
    const std::string name(entry.examples.substr(0, entry.examples.find(' ')));
    EXPECT_EQ(make_algorithm(name, 16, 1, surroundings)->ranks(), 16) << name;
    EXPECT_EQ(asked, entry.by_nodes ? 1 : 0) << name;
  }
}

TEST(Registry, AsksForTheTorusOnlyWhereNoShapeIsGiven) {
  int asked = 0;
  const Surroundings surroundings{
      [] { return std::make_shared<const Machine>(Machine::blocked(32, 1)); },
      [&] {
        ++asked;
        return std::optional(Extents({8, 4}));
      }};
  EXPECT_EQ(make_algorithm("torus", 32, 1, surroundings)->name(), "torus:8x4");
  EXPECT_EQ(make_algorithm("torus-split", 32, 1, surroundings)->name(), "torus-split:8x4");
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(make_algorithm("torus-pipeline:2x16", 32, 1, surroundings)->name(),
            "torus-pipeline:2x16");
  EXPECT_EQ(make_algorithm("four-stage", 32, 1, surroundings)->ranks(), 32);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(make_algorithm("torus-split", 32, 1)->name(), "torus-split:4x8");
}

TEST(Registry, MakesTheFlatAlgorithmsOfSingleNodes) {
  // Where every rank is a node, and where one node has them all.
  const auto pairwise = make_algorithm("pairwise", 12, 1);
  const auto flat = make_algorithm("node-pairwise", 12, 1);
  const auto alone = make_algorithm("node-pairwise", Machine::blocked(12, 12), 1);
  const auto bruck = make_algorithm("bruck:3", 12, 1);
  const auto inside = make_algorithm("bruck-in-nodes:3", Machine::blocked(12, 12), 1);
  const auto between = make_algorithm("bruck-among-nodes:3", 12, 1);
  for (Rank rank = 0; rank < 12; ++rank) {
    EXPECT_EQ(pairwise->steps(0, rank), flat->steps(0, rank)) << rank;
    EXPECT_EQ(pairwise->steps(0, rank), alone->steps(0, rank)) << rank;
    for (int stage = 0; stage < bruck->stages(); ++stage) {
      EXPECT_EQ(bruck->steps(stage, rank), inside->steps(stage, rank)) << rank;
      EXPECT_EQ(bruck->steps(stage, rank), between->steps(stage, rank)) << rank;
    }
  }
  for (const auto& algorithm : {&bruck, &inside, &between}) EXPECT_EQ((*algorithm)->stages(), 3);
}

TEST(Registry, GroupsRefuseWhatIsNoGroup) {
  auto kind_of = [](std::vector<Rank> senders, std::vector<Rank> receivers) {
    try {
      (void)make_groups(4, std::move(senders), std::move(receivers), 1);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  EXPECT_EQ(kind_of({}, {1}), ErrorKind::argument);
  EXPECT_EQ(kind_of({0}, {}), ErrorKind::argument);
  EXPECT_EQ(kind_of({0, 4}, {1}), ErrorKind::rank);
  EXPECT_EQ(kind_of({0, -1}, {1}), ErrorKind::rank);
  EXPECT_EQ(kind_of({0, 0}, {1}), ErrorKind::rank);
  EXPECT_EQ(kind_of({0}, {1, 2, 1}), ErrorKind::rank);
}

}  // namespace
}  // namespace shunt
