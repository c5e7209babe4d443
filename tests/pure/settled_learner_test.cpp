#include <algorithm>
#include <random>
#include <string>

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
      // Beyond the allowance goes what the last turn takes; and a run has a limit.
      const double advance = (66 + 2.9 * Race::kTurn) * seconds + 2 * agreement;
      const double runs = agreement * kCalls / Learner::kMostCalls;
      EXPECT_LE(extra, 0.055 * kCalls * seconds + advance + runs) << seconds << " " << agreement;
    }
  }
}

TEST(Learner, FollowsTheMachineWithoutFlipping) {
  LearningProgram program({"a", "b"}, takes({{"a", 1e-3}, {"b", 2e-3}}));
  program.call_often(200);
  EXPECT_EQ(program.learner.leader(), "a");
  program.change(takes({{"a", 4e-3}, {"b", 2e-3}}));
  program.call_often(200);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.learner.leader(), "b");

  // A machine that changes all the time is followed more and more rarely.
  int changes = 0;
  std::string leader = "b";
  for (int k = 0; k < 200; ++k) {
    program.change(k % 2 == 0 ? takes({{"a", 1e-3}, {"b", 8e-3}})
                              : takes({{"a", 8e-3}, {"b", 1e-3}}));
    program.call_often(100);
    changes += program.learner.leader() != leader ? 1 : 0;
    leader = program.learner.leader();
  }
  EXPECT_LE(changes, 10);
}

/// A run is as long as it may be when the machine changes, and those after it are short.
TEST(Learner, FollowsTheMachineSoon) {
  LearningProgram program({"a", "b"}, takes({{"a", 1e-5}, {"b", 2e-5}}));
  program.agreement = 6e-5;
  program.call_often(20 * Learner::kMostCalls);
  EXPECT_EQ(program.learner.leader(), "a");
  while (!program.learner.is_due()) (void)program.call();
  program.change(takes({{"a", 4e-5}, {"b", 2e-5}}));
  constexpr int kSurprises = 8 * Race::kTurn;
  constexpr int kRace = 2 * (3 + 5 * Race::kTurn);
  program.call_often(Learner::kMostCalls + kSurprises + kRace);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.learner.leader(), "b");
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
  EXPECT_EQ(program.learner.leader(), "b");
  program.change(takes({{"a", 1e-3}, {"b", 2e-3}}));
  program.call_often(static_cast<int>(Learner::kFirstReview + Learner::kMostCalls));
  EXPECT_EQ(program.learner.leader(), "a");
}

TEST(Learner, TriesAgainMoreAndMoreRarely) {
  LearningProgram program({"a", "b"}, takes({{"a", 1e-3}, {"b", 1.5e-3}}));
  program.call_often(100);
  const int calls_of_a_race = program.calls["b"];
  constexpr int kReviews = 5;
  program.call_often(static_cast<int>(Learner::kFirstReview << kReviews));
  EXPECT_EQ(program.calls["b"], (kReviews + 1) * calls_of_a_race);
}

/// Of a turn, those after the first ones; of many calls as many.
TEST(Learner, TimesTheFirstWarmCalls) {
  for (const int calls : {1, 2, Race::kTurn, 100}) {
    Learner learner({"a", "b"});
    EXPECT_TRUE(learner.settle_on("a", 1e-3));
    // Worth it only once in so many calls.
    const double agreement = calls * 1e-5;
    Allowance allowance;
    int assigned = 0;
    while (assigned < calls) {
      learner.assign({agreement, agreement}, allowance);
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
      learner.note(timed * 1e-3, allowance);
    }
    EXPECT_EQ(assigned, calls);
  }
}

}  // namespace
}  // namespace shunt
