#include "learning/learner.hpp"

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "pure/learning_program.hpp"

namespace shunt {
namespace {

TEST(Learner, SettlesOnTheFastest) {
  for (const std::string fastest : {"a", "b", "c", "d"}) {
    std::map<std::string, double> seconds{{"a", 1e-3}, {"b", 1.1e-3}, {"c", 1.2e-3}, {"d", 1e-2}};
    seconds[fastest] = 0.9e-3;
    LearningProgram program({"a", "b", "c", "d"}, takes(seconds));
    EXPECT_EQ(program.call(), "a");
    program.call_often(80);
    EXPECT_TRUE(program.learner.is_settled());
    EXPECT_EQ(program.leader(), fastest);
    const int before = program.calls[fastest];
    program.call_often(1000);
    EXPECT_EQ(program.calls[fastest], before + 1000);
  }
}

/// Who takes the same again and asks nobody changes nothing, even where another one wins later.
TEST(Learner, TakesTheSameAgain) {
  const std::map<std::string, double> first{{"a", 1e-6}, {"b", 2e-6}};
  const std::map<std::string, double> later{{"a", 3e-6}, {"b", 2e-6}};
  for (const TimedCalls timed : {TimedCalls::warm, TimedCalls::all}) {
    LearningProgram asking({"a", "b"}, takes(first), timed);
    LearningProgram silent({"a", "b"}, takes(first), timed);
    int again = 0;
    for (int made = 0; made < 60000; ++made) {
      if (made > 20000) {
        asking.change(takes(later));
        silent.change(takes(later));
      }
      const std::string way = silent.call();
      EXPECT_EQ(asking.call(), way);
      for (; silent.learner.take_again(); ++made, ++again) EXPECT_EQ(asking.call(), way);
      EXPECT_EQ(asking.learner.is_due(), silent.learner.is_due());
      EXPECT_EQ(asking.agreements, silent.agreements);
    }
    EXPECT_EQ(asking.leader(), "b");
    EXPECT_EQ(asking.news, silent.news);
    EXPECT_GT(again, 20000);
  }
}

TEST(Learner, TakesNothingAgainWhereThereIsNoChoice) {
  Learner learner(1);
  EXPECT_EQ(learner.take(), 0U);
  EXPECT_FALSE(learner.take_again());
}

TEST(Learner, StaysWithTheFirstOfEquals) {
  LearningProgram program({"a", "b"}, takes({{"a", 1.01e-3}, {"b", 1e-3}}));
  program.call_often(120);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.leader(), "a");
}

TEST(Learner, FallsBackWhereNothingIsClearlyFaster) {
  for (const auto& [seconds, leader] :
       {std::pair{1.0e-3, "mpi"}, {0.98e-3, "mpi"}, {0.95e-3, "b"}, {1.1e-3, "mpi"}}) {
    LearningProgram program({"a", "b", "mpi"},
                            takes({{"a", 0.99e-3}, {"b", seconds}, {"mpi", 1e-3}}),
                            TimedCalls::warm, "mpi");
    program.call_often(200);
    EXPECT_TRUE(program.learner.is_settled());
    EXPECT_EQ(program.leader(), leader) << seconds;
  }
}

TEST(Learner, TriesThoseLongerThatAreNear) {
  for (const double second : {1.04e-3, 1.3e-3}) {
    // Now and then as fast as "a".
    int calls_of_b = 0;
    LearningProgram program({"a", "b"}, [&](const std::string& name) {
      if (name == "a") return 1e-3;
      return calls_of_b++ % 8 < 4 ? 1e-3 : second;
    });
    program.call_often(2 * (3 + 5 * Race::kTurn) + 1);
    EXPECT_EQ(program.learner.is_settled(), second > 1.2e-3);
    program.call_often(2 * 8 * Race::kTurn);
    EXPECT_TRUE(program.learner.is_settled());
  }
}

/// As the scheduler will, most of its first turns take half as long again as those of the other
/// one.
TEST(Learner, TriesThoseLongerThatWereTheFastestAtTimes) {
  for (const double fast : {1.5e-5, 3e-5, 3.35e-5}) {
    int calls_of_a = 0;
    LearningProgram program({"a", "b"}, [&](const std::string& name) {
      if (name == "b") return 3.3e-5;
      const int turn = (calls_of_a++ - 3) / Race::kTurn;
      return turn == 0 || turn > 3 ? fast : 5e-5;
    });
    program.call_often(400);
    EXPECT_EQ(program.leader(), fast < 3.3e-5 ? "a" : "b") << fast;
    EXPECT_EQ(program.calls["a"] > 60, fast < 3.3e-5) << fast;
  }
}

TEST(Learner, MakesThreeCallsWithTheHopeless) {
  LearningProgram program({"a", "b"}, takes({{"a", 1e-3}, {"b", 1e-2}}));
  program.call_often(1000);
  EXPECT_EQ(program.calls["b"], 3);
}

/// One call that something else held up does not make it hopeless.
TEST(Learner, ForgivesAnUnluckyCall) {
  for (const int unlucky : {0, 1, 2}) {
    int calls_of_b = 0;
    LearningProgram program({"a", "b"}, [&](const std::string& name) {
      if (name == "a") return 1e-3;
      const int call = calls_of_b++;
      return call == 0 || call == unlucky ? 2e-2 : 0.5e-3;
    });
    program.call_often(80);
    EXPECT_EQ(program.leader(), "b") << unlucky;
  }
}

/// Everything is made in the first call, which says little of the others.
TEST(Learner, ForgivesASlowFirstCall) {
  int calls_of_b = 0;
  LearningProgram program({"a", "b"}, [&](const std::string& name) {
    if (name == "a") return 1e-3;
    return calls_of_b++ == 0 ? 2e-2 : 0.5e-3;
  });
  program.call_often(80);
  EXPECT_EQ(program.leader(), "b");
}

/// A lost packet is worth thousands of calls, which learning could never earn.
TEST(Learner, IsNotHeldUpByAStallOfTheMachine) {
  constexpr double kStall = 0.2;
  for (const int stalled : {1, 3, 4, 6, 9}) {
    int calls_of_b = 0;
    LearningProgram in_a_call({"a", "b"}, [&](const std::string& name) {
      if (name == "a") return 4e-4;
      return calls_of_b++ == stalled ? kStall : 3e-4;
    });
    in_a_call.call_often(200);
    EXPECT_TRUE(in_a_call.learner.is_settled()) << stalled;
    EXPECT_EQ(in_a_call.leader(), "b") << stalled;

    for (const TimedCalls timed : {TimedCalls::warm, TimedCalls::all}) {
      LearningProgram in_an_agreement({"a", "b"}, takes({{"a", 4e-4}, {"b", 3e-4}}), timed);
      for (int call = 0; call < 200; ++call) {
        const bool stalls = in_an_agreement.agreements == stalled;
        in_an_agreement.agreement = stalls ? kStall : kAgreementSeconds;
        (void)in_an_agreement.call();
      }
      EXPECT_TRUE(in_an_agreement.learner.is_settled()) << stalled;
      EXPECT_EQ(in_an_agreement.leader(), "b") << stalled;
    }
  }
}

/// What takes long each time is no stall.
TEST(Learner, PaysForWhatBecomesSlow) {
  int calls_of_b = 0;
  LearningProgram program({"a", "b"}, [&](const std::string& name) {
    if (name == "a") return 1e-3;
    return calls_of_b++ < 3 ? 1e-3 : 0.1;
  });
  program.call_often(200);
  EXPECT_FALSE(program.learner.is_settled());
  EXPECT_LE(program.calls["b"], 3 + 2 * Race::kTurn);
}

/// The first calls of a turn find in the caches what another way left there.
TEST(Learner, TimesWhatIsLeftOfATurn) {
  std::string last;
  int in_a_row = 0;
  LearningProgram program({"a", "b"}, [&](const std::string& name) {
    in_a_row = name == last ? in_a_row + 1 : 1;
    last = name;
    if (name == "a") return 1e-3;
    return in_a_row <= 2 ? 3e-3 : 0.9e-3;
  });
  program.call_often(80);
  EXPECT_EQ(program.leader(), "b");
  EXPECT_NEAR(program.learner.seconds(), 0.9e-3, 1e-9);
}

/// Where trials cost more than they may, what is known so far has to do for long.
TEST(Learner, DoesNotBelieveFirstCalls) {
  std::map<std::string, int> calls;
  LearningProgram program({"a", "b", "c"}, [&](const std::string& name) {
    if (name == "a") return calls[name]++ == 0 ? 3e-3 : 1e-3;
    return name == "b" ? 2e-3 : 1.0;
  });
  // The first call of "c" takes as long as a thousand others.
  program.call_often(100);
  EXPECT_FALSE(program.learner.is_settled());
  EXPECT_EQ(program.calls["c"], 1);
  EXPECT_GE(program.calls["a"], 98);
}

/// One slow call of the first candidate, and no more trials to make up for it.
TEST(Learner, IsNotMisledByOneSlowCall) {
  int calls_of_a = 0;
  LearningProgram program({"a", "b", "c"}, [&](const std::string& name) {
    if (name == "a") return ++calls_of_a == 2 ? 9e-3 : 2e-3;
    return name == "b" ? 6e-3 : 0.15;
  });
  program.call_often(100);
  EXPECT_FALSE(program.learner.is_settled());
  EXPECT_EQ(program.calls["c"], 2);
  EXPECT_EQ(program.calls["b"], 2);
}

TEST(Learner, IsNotMisledByNoise) {
  std::mt19937 random(1);
  std::lognormal_distribution<double> noise(0, 0.3);
  int right = 0;
  for (int k = 0; k < 100; ++k) {
    LearningProgram program({"a", "b", "c"}, [&](const std::string& name) {
      return noise(random) * (name == "b" ? 1e-3 : name == "a" ? 2e-3 : 3e-3);
    });
    program.call_often(200);
    right += program.leader() == "b" ? 1 : 0;
  }
  EXPECT_GE(right, 97);
}

/// What begins together may be fast in the first call after an agreement, and slow in all others.
TEST(Learner, TimesCallsAsTheyFollowEachOther) {
  std::string last;
  LearningProgram program({"a", "b"}, [&](const std::string& name) {
    const bool first = name != last;
    last = name;
    return name == "a" ? 1e-3 : first ? 0.5e-3 : 1.5e-3;
  });
  program.call_often(80);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.leader(), "a");
}

/// What the first call after an agreement leaves undone may be what the others find done.
TEST(Learner, TimesAllCallsWhereSomeWaitForNobody) {
  for (const TimedCalls timed : {TimedCalls::warm, TimedCalls::all}) {
    int in_a_row = 0;
    std::string last;
    LearningProgram program(
        {"a", "b"},
        [&](const std::string& name) {
          in_a_row = name == last ? in_a_row % Race::kTurn + 1 : 1;
          last = name;
          return name == "a" ? 1e-3 : in_a_row == 1 ? 3.9e-3 : 0.1e-3;
        },
        timed);
    program.call_often(80);
    EXPECT_EQ(program.leader(), timed == TimedCalls::all ? "a" : "b");
  }
}

/// Trials are paid for by a share of the calls, and so are the agreements before them.
TEST(Learner, EndsItsRaceWhereAgreementsCostMuch) {
  LearningProgram program(
      {"a", "b", "c", "d", "e"},
      takes({{"a", 1.3e-4}, {"b", 1.2e-4}, {"c", 1.1e-4}, {"d", 1e-4}, {"e", 1.4e-4}}));
  program.agreement = 1e-3;
  program.call_often(20000);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.leader(), "d");
}

TEST(Learner, HasNothingToAgreeOnWithoutAChoice) {
  LearningProgram program({"a"}, takes({{"a", 1e-3}}));
  program.call_often(1000);
  EXPECT_EQ(program.agreements, 0);
  EXPECT_EQ(program.calls["a"], 1000);
}

TEST(Learner, SaysWhatItTried) {
  LearningProgram program({"a", "b", "c"}, takes({{"a", 2e-3}, {"b", 1e-3}, {"c", 1e-2}}));
  program.call_often(100);
  const std::vector<Learner::Taken> tried = program.learner.tried();
  ASSERT_EQ(tried.size(), 3U);
  EXPECT_EQ(program.name_of(tried[0].candidate), "b");
  EXPECT_EQ(tried[0].seconds, 1e-3);
  EXPECT_EQ(program.name_of(tried[1].candidate), "a");
  EXPECT_EQ(program.name_of(tried[2].candidate), "c");
  EXPECT_EQ(tried[2].seconds, 1e-2);
  EXPECT_EQ(tried[2].turns, 3U);
}

/// What all ranks are told alike they decide alike, whatever they are told.
TEST(Learner, DependsOnNothingElse) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> seconds(1e-6, 1e-3);
  LearningProgram one({"a", "b", "n", "c"}, nullptr);
  std::vector<std::string> names;
  std::vector<double> times;
  one.change([&](const std::string&) { return times.emplace_back(seconds(random)); });
  for (int k = 0; k < 3000; ++k) names.push_back(one.call());
  LearningProgram other({"a", "b", "n", "c"}, nullptr);
  std::size_t next = 0;
  other.change([&](const std::string&) { return times[next++]; });
  for (int k = 0; k < 3000; ++k) ASSERT_EQ(other.call(), names[static_cast<std::size_t>(k)]);
}

}  // namespace
}  // namespace shunt
