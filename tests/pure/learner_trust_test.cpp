// Whom a learner believes: MPI's own function where that is trusted, what other calls have learned,
// and nothing that fails.
#include <cstddef>
#include <set>

#include <gtest/gtest.h>

#include "learning/learner.hpp"
#include "pure/learning_program.hpp"

namespace shunt {
namespace {

TEST(Learner, LeavesCallsToWhoIsTrusted) {
  Learner learner(2);
  EXPECT_TRUE(learner.settle_on(1, 1e-3));
  EXPECT_TRUE(learner.is_due());
  learner.trust(10);
  for (int call = 0; call < 10; ++call) {
    EXPECT_FALSE(learner.is_due()) << call;
    EXPECT_EQ(learner.take(), 1U);
    EXPECT_EQ(learner.is_timed(), call >= 10 - (Race::kTurn - Race::kWarmUps)) << call;
  }
  EXPECT_TRUE(learner.is_due());
}

/// Less than a surprise, as where the program writes its blocks less often than the trials did.
TEST(Learner, TriesForItselfAfterThat) {
  LearningProgram program({"a", "b"}, takes({{"a", 1.0e-3}, {"b", 1.2e-3}}));
  EXPECT_TRUE(program.settle_on("b", 1e-3));
  constexpr int kTrusted = 10;
  program.learner.trust(kTrusted);
  program.call_often(kTrusted);
  EXPECT_EQ(program.calls["a"], 0);
  program.call_often(60);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.leader(), "a");
  // From then on as rarely as ever.
  program.call_often(static_cast<int>(Learner::kFirstReview) - Learner::kMostCalls);
  EXPECT_LT(program.calls["b"], 60);
}

TEST(Learner, TakesAWordForIt) {
  LearningProgram program({"a", "b"}, takes({{"a", 1e-3}, {"b", 2e-3}}));
  EXPECT_TRUE(program.settle_on("b", 2e-3));
  for (int k = 0; k < 100; ++k) EXPECT_EQ(program.call(), "b");
}

/// What was found on another day need not hold today.
TEST(Learner, DoubtsAWordThatDoesNotHold) {
  LearningProgram program({"a", "b"}, takes({{"a", 1e-3}, {"b", 2e-3}}));
  EXPECT_TRUE(program.settle_on("b", 0.5e-3));
  program.call_often(200);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.leader(), "a");
}

/// What fails is taken no more, and the race goes on among the others.
TEST(Learner, LeavesOutWhatFails) {
  Learner learner(3, TimedCalls::warm, 2);
  TuningBudget budget;
  learner.assign({}, budget);
  EXPECT_EQ(learner.take(), 0U);
  learner.leave_out_current();
  EXPECT_TRUE(learner.is_due());
  for (int k = 0; k < 100; ++k) {
    if (learner.is_due()) learner.assign({}, budget);
    EXPECT_NE(learner.take(), 0U);
    if (learner.is_due()) learner.note(1e-3, budget);
  }
}

/// Where another one fails as well, it is the calls that do: each may be taken again.
TEST(Learner, LeavesOutNothingWhereAllFail) {
  Learner learner(2);
  TuningBudget budget;
  learner.assign({}, budget);
  learner.leave_out_current();
  EXPECT_FALSE(learner.has_choice());
  EXPECT_EQ(learner.take(), 1U);
  learner.leave_out_current();
  EXPECT_TRUE(learner.has_choice());
  std::set<std::size_t> taken;
  for (int k = 0; k < 20; ++k) {
    if (learner.is_due()) learner.assign({}, budget);
    taken.insert(learner.take());
    if (learner.is_due()) learner.note(1e-3, budget);
  }
  EXPECT_EQ(taken, (std::set<std::size_t>{0, 1}));
}

TEST(Learner, LeavesOutAllButOne) {
  Learner learner(3);
  EXPECT_TRUE(learner.leave_out(0));
  EXPECT_FALSE(learner.leave_out(0)) << "it is left out";
  EXPECT_FALSE(learner.settle_on(0, 1e-3)) << "it is left out";
  EXPECT_EQ(learner.leader(), 1U);
  EXPECT_TRUE(learner.settle_on(2, 1e-3));
  EXPECT_EQ(learner.leader(), 2U);
  EXPECT_TRUE(learner.leave_out(1));
  EXPECT_EQ(learner.leader(), 2U);
  EXPECT_FALSE(learner.leave_out(2)) << "there is no other";
}

/// Where the fallback failed first, and another one after it, it is a fallback again.
TEST(Learner, KeepsItsFallback) {
  LearningProgram program({"mpi", "b"}, takes({{"mpi", 1e-3}, {"b", 0.99e-3}}), TimedCalls::warm,
                          "mpi");
  EXPECT_EQ(program.call(), "mpi");
  program.learner.leave_out_current();
  EXPECT_EQ(program.call(), "b");
  program.learner.leave_out_current();
  program.call_often(200);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.leader(), "mpi");
}

}  // namespace
}  // namespace shunt
