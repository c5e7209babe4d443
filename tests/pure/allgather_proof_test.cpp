#include "lab/proof/allgather_proof.hpp"

#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/allgather_registry.hpp"
#include "lab/simulation/random_machine.hpp"
#include "lab/traffic/random_sources.hpp"
#include "pure/sentences.hpp"

namespace shunt {
namespace {

TEST(AllgatherProof, HoldsForAllAtEveryNumberOfRanks) {
  for (Rank ranks = 1; ranks <= 40; ++ranks) {
    for (const std::string& name : allgather_names(ranks)) {
      for (const Sources& sources : source_cases(1, ranks)) {
        const auto allgather = make_allgather(name, sources);
        EXPECT_EQ(allgather->name(), name);
        const Proof proof = prove(*allgather);
        ASSERT_EQ(proof.violations, kNothing);
        ASSERT_EQ(proof.schedules, allgather->stages());
      }
    }
  }
}

TEST(AllgatherProof, HoldsOnRandomNodes) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Machine machine = random_machine(seed, 9, 6);
    for (const std::string& name : node_allgather_names()) {
      for (const Sources& sources : source_cases(seed, machine.ranks())) {
        const auto allgather = make_allgather(name, sources, Surroundings::known(machine));
        // The lanes between the nodes are used at the same time; in a star and in a ring a node
        // sends to one other and hears from another.
        const bool spares_none =
            name == "node-lanes" || name == "node-star" || name.starts_with("node-ring");
        ASSERT_EQ(allgather->port_contention_free_on() == nullptr, spares_none);
        ASSERT_EQ(prove(*allgather, &machine).violations, kNothing);
      }
    }
  }
}

TEST(AllgatherProof, HoldsOnArraysOfAnyShape) {
  for (const char* shape : {"1x1", "1x5", "5x1", "2x3", "3x2", "4x7", "5x3x2", "2x2x2x3"}) {
    const Extents array = Extents::parse(shape);
    for (const char* family : {"recursive-halving", "halving-by-source", "halving-by-shape",
                               "reposition", "reposition-by-source", "reposition-by-shape",
                               "partition", "partition-by-source", "partition-by-shape"}) {
      const std::string name = std::string(family) + ":" + shape;
      for (const Sources& sources : source_cases(1, array.ranks())) {
        const auto allgather = make_allgather(name, sources);
        ASSERT_EQ(allgather->name(), name);
        ASSERT_EQ(prove(*allgather).violations, kNothing);
      }
    }
  }
}

/// A sound all-gather with a defect planted in its steps, its shares or its statements.
class SpoiledAllgather : public Allgather {
 public:
  explicit SpoiledAllgather(const Sources& sources, const std::string& sound = "recursive-halving")
      : Allgather(sources), sound_(make_allgather(sound, sources)) {}

  std::function<void(int stage, Rank rank, std::vector<Step>&)> spoil_steps;
  std::function<void(int stage, Rank from, Rank to, std::vector<Share>&)> spoil_shares;
  int fewer_steps = 0;
  int fewer_stages = 0;
  const Machine* spared = nullptr;
  bool spreads = false;

  [[nodiscard]] std::string name() const override { return "spoiled"; }
  [[nodiscard]] int stages() const override { return sound_->stages() - fewer_stages; }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return sound_->stage_name(stage);
  }
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    std::vector<Step> steps = sound_->steps(stage, rank);
    if (spoil_steps) spoil_steps(stage, rank, steps);
    return steps;
  }
  [[nodiscard]] int step_count(int stage) const override {
    return sound_->step_count(stage) - fewer_steps;
  }
  void shares(int stage, Rank from, Rank to, std::vector<Share>& shares) const override {
    sound_->shares(stage, from, to, shares);
    if (spoil_shares) spoil_shares(stage, from, to, shares);
  }
  [[nodiscard]] const Machine* port_contention_free_on() const override { return spared; }
  [[nodiscard]] bool spreads_in_nodes(int /*stage*/) const override { return spreads; }
  [[nodiscard]] double predict(const LinkCost& cost) const override {
    return sound_->predict(cost);
  }

 private:
  std::unique_ptr<Allgather> sound_;
};

/// What is found where every one of four ranks has 10 bytes.
std::string found(const std::function<void(SpoiledAllgather&)>& spoil,
                  const Machine* machine = nullptr) {
  SpoiledAllgather spoiled(Sources({10, 10, 10, 10}));
  spoil(spoiled);
  return fmt::format("{}", fmt::join(prove(spoiled, machine).violations, "\n"));
}

testing::AssertionResult says(const std::string& text, const std::string& words) {
  if (text.find(words) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << text << "\" does not say \"" << words << "\"";
}

TEST(AllgatherProof, FindsNothingInASoundOne) {
  EXPECT_EQ(found([](SpoiledAllgather&) {}), "");
}

TEST(AllgatherProof, FindsWhatIsSentButNotHeld) {
  const std::string text = found([](SpoiledAllgather& spoiled) {
    spoiled.spoil_shares = [](int stage, Rank from, Rank, std::vector<Share>& shares) {
      if (stage == 0 && from == 0) shares = {{1, 0, 10}};
    };
  });
  EXPECT_TRUE(says(text,
                   "spoiled of 4 sources on 4 ranks, stage 1: rank 0 sends rank 2 data of "
                   "rank 1 that it does not hold"));
}

TEST(AllgatherProof, FindsBytesThatArriveTwiceOrNever) {
  const auto cut = [](Bytes begin, Bytes end) {
    return [=](SpoiledAllgather& spoiled) {
      spoiled.spoil_shares = [=](int stage, Rank from, Rank, std::vector<Share>& shares) {
        if (stage == 1 && from == 0) shares.front() = {0, begin, end};
      };
    };
  };
  EXPECT_EQ(found(cut(0, 10)), "");
  EXPECT_TRUE(says(found(cut(0, 9)), "rank 1 lacks data of rank 0 in the end"));
  EXPECT_TRUE(says(found([](SpoiledAllgather& spoiled) { spoiled.fewer_stages = 1; }),
                   "rank 3 lacks data of rank 0 in the end"));
  const std::string text = found([](SpoiledAllgather& spoiled) {
    spoiled.spoil_shares = [](int stage, Rank from, Rank to, std::vector<Share>& shares) {
      if (stage == 1 && from == 0) shares.insert(shares.begin() + 1, {to, 0, 10});
    };
  });
  EXPECT_TRUE(says(text, "rank 0 sends rank 1 data of rank 1 that it does not hold"));
  EXPECT_TRUE(says(text, "rank 1 receives data of rank 1 again"));
}

TEST(AllgatherProof, FindsSharesOutOfOrderAndOutOfBounds) {
  const auto shares_of_rank_0 = [](std::vector<Share> wrong) {
    return found([&](SpoiledAllgather& spoiled) {
      spoiled.spoil_shares = [=](int stage, Rank from, Rank, std::vector<Share>& shares) {
        if (stage == 0 && from == 0) shares = wrong;
      };
    });
  };
  EXPECT_EQ(shares_of_rank_0({{0, 0, 10}}), "");
  EXPECT_TRUE(says(shares_of_rank_0({}), "rank 0 sends nothing to rank 2"));
  EXPECT_TRUE(says(shares_of_rank_0({{0, 0, 11}}), "the bytes 0 to 11 of rank 0 where they"));
  EXPECT_TRUE(says(shares_of_rank_0({{0, -1, 10}}), "the bytes -1 to 10 of rank 0 where they"));
  EXPECT_TRUE(says(shares_of_rank_0({{0, 0, 0}}), "the bytes 0 to 0 of rank 0 where they"));
  EXPECT_TRUE(says(shares_of_rank_0({{4, 0, 10}}), "the bytes 0 to 10 of rank 4 where they"));
  EXPECT_TRUE(says(shares_of_rank_0({{0, 5, 10}, {0, 0, 5}}), "the bytes 0 to 5 of rank 0 where"));
  EXPECT_TRUE(says(shares_of_rank_0({{0, 0, 5}, {0, 5, 10}}), "the bytes 5 to 10 of rank 0 where"));
}

TEST(AllgatherProof, FindsUnsoundSchedules) {
  EXPECT_TRUE(says(found([](SpoiledAllgather& spoiled) { spoiled.fewer_steps = 1; }),
                   "stage 1: step 1 is beyond the stated 0"));
  EXPECT_TRUE(says(found([](SpoiledAllgather& spoiled) {
                     spoiled.spoil_steps = [](int stage, Rank rank, std::vector<Step>& steps) {
                       if (stage == 1 && rank == 2) steps.clear();
                     };
                   }),
                   "stage 2: rank 3 sends to rank 2 in step 1, which does not expect it then"));
  const Machine machine = Machine::blocked(4, 2);
  EXPECT_TRUE(says(found([&](SpoiledAllgather& spoiled) { spoiled.spared = &machine; }),
                   "stage 1: node 0 is at work twice in step 1"));
}

/// Ranks 0 and 2 exchange in the first stage, 0 and 1 as well as 2 and 3 in the second.
TEST(AllgatherProof, FindsWhatIsNotSpreadInNodes) {
  const auto spreads = [](SpoiledAllgather& spoiled) { spoiled.spreads = true; };
  const Machine pairs = Machine::blocked(4, 2);
  EXPECT_EQ(found(spreads, &pairs), "");
  EXPECT_EQ(found(spreads), "") << "every rank is a node";
  const Machine one_node = Machine::blocked(4, 4);
  EXPECT_TRUE(
      says(found(spreads, &one_node), "stage 1: rank 0 does not send the same to all of its node"));
  EXPECT_EQ(found([](SpoiledAllgather&) {}, &one_node), "");
}

/// All of a node have a message, but not the same.
TEST(AllgatherProof, FindsDifferentMessagesInANode) {
  SpoiledAllgather spoiled(Sources({10, 0, 0}), "direct");
  spoiled.spreads = true;
  const Machine one_node = Machine::blocked(3, 3);
  EXPECT_EQ(prove(spoiled, &one_node).violations, kNothing);
  spoiled.spoil_shares = [](int, Rank, Rank to, std::vector<Share>& shares) {
    if (to == 2) shares = {{0, 0, 9}};
  };
  const std::string text = fmt::format("{}", fmt::join(prove(spoiled, &one_node).violations, "\n"));
  EXPECT_TRUE(says(text, "rank 0 does not send the same to all of its node"));
}

}  // namespace
}  // namespace shunt
