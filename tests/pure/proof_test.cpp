#include "lab/proof/proof.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/simulation/random_machine.hpp"
#include "pure/sentences.hpp"

namespace shunt {
namespace {

/// A sound algorithm with a defect planted in its steps, its routes or its statements.
class SpoiledAlgorithm : public Algorithm {
 public:
  explicit SpoiledAlgorithm(Rank ranks, const char* name = "four-stage")
      : sound_(make_algorithm(name, ranks, 1)) {}

  std::function<void(int stage, Rank rank, std::vector<Step>&)> spoil_steps;
  std::function<void(int stage, Rank at, Rank destination, std::vector<Piece>&)> spoil_route;
  int fewer_steps = 0;
  int fewer_messages = 0;
  const Machine* spared = nullptr;
  std::optional<Extents> links;

  [[nodiscard]] std::string name() const override { return "spoiled"; }
  [[nodiscard]] Rank ranks() const override { return sound_->ranks(); }
  [[nodiscard]] int stages() const override { return sound_->stages(); }
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
  void route(int stage, Rank at, Rank destination, Bytes length,
             std::vector<Piece>& pieces) const override {
    sound_->route(stage, at, destination, length, pieces);
    if (spoil_route) spoil_route(stage, at, destination, pieces);
  }
  [[nodiscard]] RecordRule record_rule(int stage, Rank at) const override {
    return sound_->record_rule(stage, at);
  }
  [[nodiscard]] const Machine* port_contention_free_on() const override { return spared; }
  [[nodiscard]] const Extents* link_contention_free_on() const override {
    return links ? &*links : sound_->link_contention_free_on();
  }
  [[nodiscard]] Way way_round(int stage, Rank from, Rank to) const override {
    return sound_->way_round(stage, from, to);
  }
  [[nodiscard]] StageBound bound(int stage, Rank rank, const TrafficBound& traffic) const override {
    StageBound bound = sound_->bound(stage, rank, traffic);
    bound.messages -= fewer_messages;
    return bound;
  }
  [[nodiscard]] double predict(const Loads& loads, const LinkCost& cost) const override {
    return sound_->predict(loads, cost);
  }

 private:
  std::unique_ptr<Algorithm> sound_;
};

Sentences violations(const Algorithm& algorithm) {
  return prove(algorithm, algorithm.ranks()).violations;
}

TEST(Proof, HoldsForAllAlgorithmsUpTo64Ranks) {
  for (Rank ranks = 1; ranks <= 64; ++ranks) {
    for (const std::string& name : algorithm_names(ranks)) {
      const auto algorithm = make_algorithm(name, ranks, 1);
      const Proof proof = prove(*algorithm, ranks);
      ASSERT_EQ(proof.schedules, algorithm->stages());
      ASSERT_EQ(proof.violations, kNothing);
    }
  }
}

TEST(Proof, HoldsForEveryParameter) {
  for (Rank ranks = 1; ranks <= 33; ++ranks) {
    for (const char* family : {"stages", "grid"}) {
      for (const char* parameter : {"1", "2", "4", "6", "1x", "2x2x2x2", "5x3", "100x", "7x1x2"}) {
        const auto algorithm = make_algorithm(std::string(family) + ":" + parameter, ranks, 1);
        ASSERT_EQ(violations(*algorithm), kNothing);
      }
    }
    for (Rank senders = 1; senders < ranks; ++senders) {
      const auto algorithm = make_algorithm("groups:" + std::to_string(senders), ranks, 1);
      ASSERT_EQ(violations(*algorithm), kNothing);
    }
  }
}

TEST(Proof, HoldsOnNodesOfAnySizesAndRanksInAnyOrder) {
  std::vector<std::string> names = node_algorithm_names();
  for (const char* name : {"leaders:3", "leaders:100", "bruck-in-nodes:3", "bruck-in-nodes:100",
                           "bruck-among-nodes:3", "bruck-among-nodes:100"}) {
    names.emplace_back(name);
  }
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Machine machine = random_machine(seed, 9, 6);
    for (const std::string& name : names) {
      ASSERT_EQ(violations(*make_algorithm(name, machine, 1)), kNothing) << "machine " << seed;
    }
  }
}

TEST(Proof, HoldsForASampleOfDestinations) {
  EXPECT_EQ(prove(*make_algorithm("four-stage", 257, 1), 5).violations, kNothing);
  EXPECT_EQ(prove(*make_algorithm("four-stage", 257, 1), 0).violations, kNothing);
}

TEST(Proof, OfASpoiledAlgorithmThatIsNotSpoiledHolds) {
  EXPECT_EQ(violations(SpoiledAlgorithm(23)), kNothing);
}

TEST(Proof, FindsAWrongStall) {
  // As printed in Liu 2002, every stall of the rows with additional messages one step later.
  for (const Rank ranks : {13, 18, 23, 61}) {
    SpoiledAlgorithm spoiled(ranks);
    spoiled.spoil_steps = [](int stage, Rank rank, std::vector<Step>& steps) {
      if (stage != 0 || rank != 0) return;
      for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        if (steps[i].to == kNoRank) {
          std::swap(steps[i].to, steps[i + 1].to);
          return;
        }
      }
    };
    EXPECT_TRUE(contains(violations(spoiled), "does not expect it then")) << ranks;
  }
}

TEST(Proof, FindsEveryDroppedReceive) {
  const Rank ranks = 18;
  for (int stage = 0; stage < 4; ++stage) {
    for (Rank rank = 0; rank < ranks; ++rank) {
      SpoiledAlgorithm spoiled(ranks);
      spoiled.spoil_steps = [=](int at_stage, Rank at, std::vector<Step>& steps) {
        if (at_stage == stage && at == rank) steps.front().from = kNoRank;
      };
      if (SpoiledAlgorithm(ranks).steps(stage, rank).front().from == kNoRank) continue;
      EXPECT_NE(violations(spoiled), kNothing) << "stage " << stage << ", rank " << rank;
    }
  }
}

TEST(Proof, FindsADuplicateMessage) {
  SpoiledAlgorithm spoiled(18);
  spoiled.spoil_steps = [](int stage, Rank rank, std::vector<Step>& steps) {
    if (stage == 1 && rank == 0) steps.push_back({steps.back().number + 1, 5, kNoRank});
    if (stage == 1 && rank == 5) steps.push_back({steps.back().number + 1, kNoRank, 0});
  };
  const auto found = violations(spoiled);
  EXPECT_TRUE(contains(found, "stage 2: rank 0 sends to rank 5 twice"));
  EXPECT_TRUE(contains(found, "rank 5 receives 5 messages, more than the stated 4"));
}

TEST(Proof, FindsAnOverstatedSchedule) {
  SpoiledAlgorithm spoiled(18);
  spoiled.fewer_steps = 1;
  EXPECT_TRUE(contains(violations(spoiled), "outside 1.."));
  spoiled.fewer_steps = -1;
  EXPECT_TRUE(contains(violations(spoiled), "the last step used is"));
}

TEST(Proof, FindsAnOverstatedBound) {
  SpoiledAlgorithm spoiled(18);
  spoiled.fewer_messages = 1;
  EXPECT_TRUE(contains(violations(spoiled), "more than the stated"));
}

TEST(Proof, FindsAPortThatIsNotSpared) {
  SpoiledAlgorithm spoiled(4, "pairwise");
  EXPECT_EQ(violations(spoiled), kNothing);
  const Machine machine = Machine::blocked(4, 2);
  spoiled.spared = &machine;
  EXPECT_TRUE(contains(violations(spoiled),
                       "spoiled on 4 ranks, stage 1: node 0 is at work twice "
                       "in step"));
}

TEST(Proof, FindsALinkThatIsNotSpared) {
  SpoiledAlgorithm spoiled(5, "linear");
  EXPECT_EQ(violations(spoiled), kNothing);
  spoiled.links = Extents({5});
  EXPECT_TRUE(contains(violations(spoiled),
                       "spoiled on 5 ranks, stage 1: the link from rank 1 to rank 2 is used by the "
                       "message from rank 0 to rank 2 and by that from rank 1 to rank 2"));
}

TEST(Proof, FindsADetour) {
  SpoiledAlgorithm spoiled(7, "torus-ring-pipeline");
  EXPECT_EQ(violations(spoiled), kNothing);
  spoiled.spoil_route = [](int stage, Rank at, Rank destination, std::vector<Piece>& pieces) {
    if (stage == 0 && at == 3 && destination == 4) pieces.front().to = 2;
  };
  EXPECT_TRUE(contains(violations(spoiled),
                       "stage 1: rank 3 has data for rank 4 and hands it to rank 2, which is not "
                       "on a shortest path"));
}

TEST(Proof, FindsLostData) {
  SpoiledAlgorithm spoiled(18);
  spoiled.spoil_route = [](int stage, Rank at, Rank destination, std::vector<Piece>& pieces) {
    if (stage == 1 && at == 7 && destination == 3) pieces.pop_back();
  };
  EXPECT_TRUE(contains(violations(spoiled),
                       "spoiled on 18 ranks, stage 2: rank 7 loses data for "
                       "rank 3"));
}

TEST(Proof, FindsAGapBetweenPieces) {
  SpoiledAlgorithm spoiled(18);
  spoiled.spoil_route = [](int stage, Rank at, Rank destination, std::vector<Piece>& pieces) {
    if (stage == 0 && at == 7 && destination == 3) ++pieces[1].begin;
  };
  EXPECT_TRUE(contains(violations(spoiled), "rank 7 cuts its stream for rank 3"));
}

TEST(Proof, FindsDataThatIsNotSent) {
  SpoiledAlgorithm spoiled(18);
  spoiled.spoil_route = [](int stage, Rank at, Rank, std::vector<Piece>& pieces) {
    if (stage == 2 && at == 0) pieces.front().to = 17;  // in another row
  };
  EXPECT_TRUE(contains(violations(spoiled), "hands it to rank 17, to which it does not send"));
}

TEST(Proof, FindsDataThatArrivesElsewhere) {
  SpoiledAlgorithm spoiled(16);
  spoiled.spoil_route = [](int stage, Rank at, Rank destination, std::vector<Piece>& pieces) {
    if (stage == 3 && at == 0 && destination == 4) pieces.front().to = 8;  // in the same column
  };
  EXPECT_TRUE(contains(violations(spoiled),
                       "spoiled on 16 ranks, stage 4: data for rank 4 ends at "
                       "rank 8"));
}

TEST(Proof, NamesTheAlgorithm) {
  SpoiledAlgorithm spoiled(18);
  spoiled.fewer_messages = 1;
  const Sentences found = violations(spoiled);
  ASSERT_NE(found, kNothing);
  for (const std::string& sentence : found) {
    EXPECT_TRUE(sentence.starts_with("spoiled on 18 ranks, stage ")) << sentence;
  }
}

}  // namespace
}  // namespace shunt
