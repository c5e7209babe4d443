#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "learning/learner.hpp"
#include "pure/learning_program.hpp"

namespace shunt {
namespace {

TEST(Learner, AgreesRarelyOnceItIsSettled) {
  LearningProgram program({"a", "b"}, takes({{"a", 1e-5}, {"b", 2e-5}}));
  program.call_often(2000);
  const int before = program.agreements;
  const double begin = program.total;
  program.call_often(10000);
  // Agreements take a tenth of a call here, and may take a fiftieth of the time.
  EXPECT_LE((program.agreements - before) * kAgreementSeconds, 0.021 * (program.total - begin));
  EXPECT_GE(program.agreements - before, 10000 / Learner::kMostCalls);
}

/// What learning adds to the calls is bounded, whatever they take.
TEST(Learner, CostsAShareOfTheCalls) {
  for (const double seconds : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
    for (const double agreement : {1e-6, 1e-4}) {
      LearningProgram program(
          {"a", "b", "c", "d"},
          takes({{"a", seconds}, {"b", 3.9 * seconds}, {"c", 3.5 * seconds}, {"d", 3 * seconds}}));
      program.agreement = agreement;
      constexpr int kCalls = 5000;
      program.call_often(kCalls);
      const double extra = program.total - kCalls * seconds;
      // Beyond the budget goes what the last turn takes; and a run has a limit.
      const double advance = (66 + 2.9 * Race::kTurn) * seconds + 2 * agreement;
      const double runs = agreement * kCalls / Learner::kMostCalls;
      EXPECT_LE(extra, 0.055 * kCalls * seconds + advance + runs) << seconds << " " << agreement;
    }
  }
}

TEST(Learner, FollowsTheMachineWithoutFlipping) {
  LearningProgram program({"a", "b"}, takes({{"a", 1e-3}, {"b", 2e-3}}));
  program.call_often(200);
  EXPECT_EQ(program.leader(), "a");
  program.change(takes({{"a", 4e-3}, {"b", 2e-3}}));
  program.call_often(200);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.leader(), "b");

  // A machine that changes all the time is followed more and more rarely.
  int changes = 0;
  std::string leader = "b";
  for (int k = 0; k < 200; ++k) {
    program.change(k % 2 == 0 ? takes({{"a", 1e-3}, {"b", 8e-3}})
                              : takes({{"a", 8e-3}, {"b", 1e-3}}));
    program.call_often(100);
    changes += program.leader() != leader ? 1 : 0;
    leader = program.leader();
  }
  EXPECT_LE(changes, 10);
}

/// A run is as long as it may be when the machine changes, and those after it are short.
TEST(Learner, FollowsTheMachineSoon) {
  LearningProgram program({"a", "b"}, takes({{"a", 1e-5}, {"b", 2e-5}}));
  program.agreement = 6e-5;
  program.call_often(20 * Learner::kMostCalls);
  EXPECT_EQ(program.leader(), "a");
  while (!program.learner.is_due()) (void)program.call();
  program.change(takes({{"a", 4e-5}, {"b", 2e-5}}));
  constexpr int kSurprises = 8 * Race::kTurn;
  constexpr int kRace = 2 * (3 + 5 * Race::kTurn);
  program.call_often(Learner::kMostCalls + kSurprises + kRace);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.leader(), "b");
}

/// That a call was held up is found out at once, and changes nothing.
TEST(Learner, TakesASurpriseForAChanceIfItWasOne) {
  LearningProgram program({"a", "b"}, takes({{"a", 1e-5}, {"b", 2e-5}}));
  program.agreement = 6e-5;
  program.call_often(20 * Learner::kMostCalls);
  while (!program.learner.is_due()) (void)program.call();
  const int before = program.agreements;
  program.change(takes({{"a", 1e-4}, {"b", 2e-5}}));
  program.call_often(Race::kTurn);
  program.change(takes({{"a", 1e-5}, {"b", 2e-5}}));
  program.call_often(3 * Learner::kMostCalls);
  // Before the run with the surprise, the short one, and two that are as long as ever.
  EXPECT_EQ(program.agreements - before, 1 + 1 + 2);
}

/// Calls that wait for nobody take another time each time; what they were is asked no more often
/// than others are.
TEST(Learner, AgreesRarelyOnCallsThatAlwaysSurprise) {
  int calls = 0;
  LearningProgram program({"a", "b"}, [&calls](const std::string& name) {
    return (name == "a" ? 1e-6 : 1e-5) * ((++calls / Race::kTurn) % 2 == 0 ? 1 : 5);
  });
  program.agreement = 6e-5;
  program.call_often(2000);
  const int before = program.agreements;
  const double begin = program.total;
  program.call_often(20000);
  EXPECT_LE((program.agreements - before) * program.agreement, 0.1 * (program.total - begin));
}

/// Where surprises were chances again and again, they are soon no reason to agree.
TEST(Learner, GetsUsedToSurprises) {
  std::mt19937 random(1);
  int calls = 0;
  bool slow = false;
  const CallSeconds machine = [&](const std::string& name) {
    if (calls++ % Race::kTurn == 0) slow = random() % 2 == 0;
    return (name == "a" ? 1e-6 : 1e-5) * (slow ? 5 : 1);
  };
  LearningProgram program({"a", "b"}, machine, TimedCalls::all);
  program.agreement = 6e-5;
  program.call_often(20000);
  const int before = program.agreements;
  const double begin = program.total;
  program.call_often(50 * Learner::kMostTimedCalls);
  EXPECT_LE((program.agreements - before) * program.agreement, 0.03 * (program.total - begin));
}

/// What won in a bad moment of the others takes as long as ever when that is over.
TEST(Learner, TriesAgainWhatLost) {
  LearningProgram program({"a", "b"}, takes({{"a", 3e-3}, {"b", 2e-3}}));
  program.call_often(200);
  EXPECT_EQ(program.leader(), "b");
  program.change(takes({{"a", 1e-3}, {"b", 2e-3}}));
  program.call_often(static_cast<int>(Learner::kFirstReview + Learner::kMostCalls));
  EXPECT_EQ(program.leader(), "a");
}

TEST(Learner, TriesAgainMoreAndMoreRarely) {
  LearningProgram program({"a", "b"}, takes({{"a", 1e-3}, {"b", 1.5e-3}}));
  program.call_often(100);
  const int calls_of_a_race = program.calls["b"];
  constexpr int kReviews = 5;
  program.call_often(static_cast<int>(Learner::kFirstReview << kReviews));
  EXPECT_EQ(program.calls["b"], (kReviews + 1) * calls_of_a_race);
}

/// In turns it seems faster than it is in the long run, and no call is a surprise.
CallSeconds flattered_in_turns(double in_turns, double later) {
  return [=, in_a_row = 0](const std::string& name) mutable {
    in_a_row = name == "b" ? in_a_row + 1 : 0;
    if (name != "b") return name == "a" ? 1.0e-3 : 1.05e-3;
    return in_a_row <= Race::kTurn ? in_turns : later;
  };
}

TEST(Learner, LeavesAWinnerThatDisappoints) {
  LearningProgram program({"a", "b", "c"}, flattered_in_turns(0.9e-3, 1.3e-3));
  program.call_often(60);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.leader(), "b");
  program.call_often(400);
  EXPECT_EQ(program.leader(), "a");
  const int before = program.calls["a"];
  program.call_often(2000);
  EXPECT_EQ(program.calls["a"], before + 2000);
  EXPECT_EQ(program.news, (std::vector<std::string>{"b", "a"}));
  const auto tried = program.learner.tried();
  EXPECT_EQ(program.name_of(tried.back().candidate), "b");
  EXPECT_EQ(tried.back().seconds, 1.3e-3);
}

TEST(Learner, StaysWithAWinnerThatIsNearlyAsGood) {
  LearningProgram program({"a", "b", "c"}, flattered_in_turns(0.9e-3, 1.1e-3));
  program.call_often(static_cast<int>(Learner::kFirstReview));
  EXPECT_EQ(program.leader(), "b");
}

/// What seemed much slower than a winner that was flattered dropped out soon. However long the
/// winner did well before, it is left soon.
TEST(Learner, LeavesItForOneThatDroppedOut) {
  LearningProgram program({"a", "b"}, flattered_in_turns(0.85e-3, 0.85e-3));
  program.call_often(40);
  EXPECT_TRUE(program.learner.is_settled());
  program.change(takes({{"a", 1.0e-3}, {"b", 1.12e-3}}));
  program.call_often(1000);
  EXPECT_EQ(program.leader(), "b");
  program.change(takes({{"a", 1.0e-3}, {"b", 1.2e-3}}));
  program.call_often(100);
  EXPECT_EQ(program.leader(), "a");
}

/// Where everything takes longer than it did, the next best is no better.
TEST(Learner, LeavesNothingElseWhereAllAreSlower) {
  LearningProgram program({"a", "b", "c"}, takes({{"a", 1e-3}, {"b", 1.05e-3}, {"c", 1.07e-3}}));
  program.call_often(300);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.leader(), "a");
  const int before = program.calls["c"];
  program.change(takes({{"a", 1.3e-3}, {"b", 1.37e-3}, {"c", 1.4e-3}}));
  program.call_often(1000);
  EXPECT_EQ(program.leader(), "b");
  program.change(takes({{"a", 1.3e-3}, {"b", 1.52e-3}, {"c", 1.4e-3}}));
  program.call_often(1000);
  EXPECT_EQ(program.leader(), "a");
  EXPECT_EQ(program.calls["c"], before);
}

/// As many as may be, where whatever it takes becomes slower than what it left.
TEST(Learner, LeavesFewWinnersOfARace) {
  double seconds = 1e-3;
  LearningProgram program({"a", "b"}, takes({{"a", 1e-3}, {"b", 1e-3}}));
  program.call_often(300);
  ASSERT_TRUE(program.learner.is_settled());
  int changes = 0;
  std::string leader = "a";
  for (int k = 0; k < 4; ++k) {
    seconds *= 1.2;
    program.change(takes({{"a", seconds}, {"b", seconds}}));
    program.call_often(300);
    changes += program.leader() != leader ? 1 : 0;
    leader = program.leader();
  }
  EXPECT_EQ(changes, 3);
}

/// Of a turn, those after the first ones; of many calls as many.
TEST(Learner, TimesTheFirstWarmCalls) {
  for (const int calls : {1, 2, Race::kTurn, 100}) {
    Learner learner(2);
    EXPECT_TRUE(learner.settle_on(0, 1e-3));
    // Worth it only once in so many calls.
    const double agreement = calls * 1e-5;
    TuningBudget budget;
    int assigned = 0;
    while (assigned < calls) {
      learner.assign({agreement, agreement}, budget);
      assigned = 0;
      int timed = 0;
      while (!learner.is_due()) {
        (void)learner.take();
        ++assigned;
        if (!learner.is_timed()) continue;
        ++timed;
        EXPECT_GT(assigned, std::min(calls - 1, Race::kWarmUps));
        EXPECT_LE(assigned, Race::kTurn);
      }
      EXPECT_GT(timed, 0);
      learner.note(timed * 1e-3, budget);
    }
    EXPECT_EQ(assigned, calls);
  }
}

}  // namespace
}  // namespace shunt
