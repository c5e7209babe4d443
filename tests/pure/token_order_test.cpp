#include "schedule/token_order.hpp"

#include <algorithm>
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/simulation/random_machine.hpp"
#include "schedule/node_pairing.hpp"

namespace shunt {
namespace {

/// The ranks of a machine at a stage, each step by step, in an order drawn at random. A step begins
/// when the rank has the token, if it needs it, and ends when its partner has begun it too.
class Walk {
 public:
  Walk(const Machine& machine, const std::function<std::vector<Step>(Rank)>& steps_of,
       std::uint64_t seed, std::size_t tokens)
      : machine_(machine), random_(seed), at_work_(static_cast<std::size_t>(machine.nodes()), 0) {
    for (Rank rank = 0; rank < machine.ranks(); ++rank) {
      ranks_.push_back(
          {steps_of(rank), token_order(machine, rank, steps_of, tokens), 0, false, {}});
    }
  }

  /// The most ranks of a node that were at work with other nodes at once; fails if not all ends.
  int most_at_work() {
    std::vector<Rank> order;
    for (Rank rank = 0; rank < machine_.ranks(); ++rank) order.push_back(rank);
    for (bool moved = true; moved;) {
      moved = false;
      std::ranges::shuffle(order, random_);
      for (const Rank rank : order) moved = advance(rank) || moved;
    }
    for (const State& state : ranks_) EXPECT_EQ(state.next, state.steps.size());
    return most_;
  }

 private:
  struct State {
    std::vector<Step> steps;
    std::vector<TokenTurn> turns;
    std::size_t next = 0;
    bool begun = false;
    std::vector<Rank> tokens;  ///< from whom
  };

  State& state(Rank rank) { return ranks_[static_cast<std::size_t>(rank)]; }

  [[nodiscard]] static Rank partner(const Step& step) {
    return step.to != kNoRank ? step.to : step.from;
  }

  int& at_work(Rank rank) { return at_work_[static_cast<std::size_t>(machine_.node_of(rank))]; }

  [[nodiscard]] bool crosses(Rank rank, const Step& step) const {
    return machine_.node_of(partner(step)) != machine_.node_of(rank);
  }

  bool has_begun(Rank rank, int number) {
    const State& other = state(rank);
    if (other.next == other.steps.size()) return true;
    const int at = other.steps[other.next].number;
    return at > number || (at == number && other.begun);
  }

  bool advance(Rank rank) {
    State& own = state(rank);
    if (own.next == own.steps.size()) return false;
    return own.begun ? end(rank, own) : begin(rank, own);
  }

  bool begin(Rank rank, State& own) {
    const Rank after = own.turns[own.next].after;
    if (after != kNoRank) {
      const auto token = std::ranges::find(own.tokens, after);
      if (token == own.tokens.end()) return false;
      own.tokens.erase(token);
    }
    if (crosses(rank, own.steps[own.next])) most_ = std::max(most_, ++at_work(rank));
    own.begun = true;
    return true;
  }

  bool end(Rank rank, State& own) {
    const Step& step = own.steps[own.next];
    if (!has_begun(partner(step), step.number)) return false;
    if (crosses(rank, step)) --at_work(rank);
    const Rank then = own.turns[own.next].then;
    if (then != kNoRank) state(then).tokens.push_back(rank);
    ++own.next;
    own.begun = false;
    return true;
  }

  const Machine& machine_;
  std::mt19937_64 random_;
  std::vector<State> ranks_;
  std::vector<int> at_work_;  ///< by node
  int most_ = 0;
};

TEST(TokenOrder, LetAsManyRanksOfANodeWorkAsThereAreTokens) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Machine machine = random_machine(seed, 6, 5);
    for (const char* name :
         {"node-pairwise", "node-pairwise:printed", "leaders:1", "leaders:2", "leaders:3"}) {
      const auto algorithm = make_algorithm(name, machine, 1);
      for (int stage = 0; stage < algorithm->stages(); ++stage) {
        auto steps_of = [&](Rank rank) { return algorithm->steps(stage, rank); };
        for (const int tokens : {1, 2, 3, 8}) {
          EXPECT_LE(Walk(machine, steps_of, seed, static_cast<std::size_t>(tokens)).most_at_work(),
                    tokens)
              << name << ", seed " << seed;
        }
      }
    }
  }
}

TEST(TokenOrder, GoAsManyStepsOnAsThereAreTokens) {
  // Nodes {0}, {1, 2}: rank 0 meets 1 and then 2.
  const auto machine = std::make_shared<const Machine>(Machine::of_sizes(std::vector<Rank>{1, 2}));
  const NodePairing schedule(machine, NodePairing::Form::improved);
  auto turns_of = [&](Rank rank, std::size_t tokens) {
    std::vector<TokenTurn> met;
    const auto turns = token_order(
        *machine, rank, [&](Rank r) { return schedule.steps(r); }, tokens);
    const auto steps = schedule.steps(rank);
    EXPECT_EQ(turns.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (machine->node_of(steps[i].to) != machine->node_of(rank)) {
        met.push_back(turns[i]);
      } else {
        EXPECT_EQ(turns[i], TokenTurn{});
      }
    }
    return met;
  };
  EXPECT_EQ(turns_of(0, 1), (std::vector<TokenTurn>{{kNoRank, 0}, {0, kNoRank}}));
  EXPECT_EQ(turns_of(1, 1), (std::vector<TokenTurn>{{kNoRank, 2}}));
  EXPECT_EQ(turns_of(2, 1), (std::vector<TokenTurn>{{1, kNoRank}}));
  EXPECT_EQ(turns_of(0, 2), (std::vector<TokenTurn>{{}, {}}));
  EXPECT_EQ(turns_of(1, 2), (std::vector<TokenTurn>{{}}));
}

}  // namespace
}  // namespace shunt
