#include "learning/learner.hpp"

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace shunt {
namespace {

/// Seconds of the next call of the candidate of this name.
using CallSeconds = std::function<double(const std::string& name)>;

constexpr double kAgreement = 1e-6;

/// Calls that all take as long as the machine says.
class Program {
 public:
  Program(std::vector<std::string> candidates, CallSeconds machine)
      : learner(std::move(candidates)), machine_(std::move(machine)) {}

  /// Makes a call, and returns what it was made with.
  std::string call() {
    const bool agrees = learner.is_due();
    if (agrees) {
      if (told_ > 0) learner.note(told_, allowance);
      told_ = 0;
      learner.assign({agreement, agreement}, allowance);
      total += agreement;
      ++agreements;
    }
    const std::string name = learner.take();
    const double seconds = machine_(name);
    if (learner.is_timed()) told_ += seconds;
    total += seconds;
    ++calls[name];
    return name;
  }

  void call_often(int times) {
    for (int k = 0; k < times; ++k) (void)call();
  }

  void change(CallSeconds machine) { machine_ = std::move(machine); }

  Learner learner;
  Allowance allowance;
  double agreement = kAgreement;
  double total = 0;
  int agreements = 0;
  std::map<std::string, int> calls;

 private:
  CallSeconds machine_;
  double told_ = 0;
};

CallSeconds takes(std::map<std::string, double> seconds) {
  return [seconds = std::move(seconds)](const std::string& name) { return seconds.at(name); };
}

TEST(Learner, SettlesOnTheFastest) {
  for (const std::string fastest : {"a", "b", "c", "d"}) {
    std::map<std::string, double> seconds{{"a", 1e-3}, {"b", 1.1e-3}, {"c", 1.2e-3}, {"d", 1e-2}};
    seconds[fastest] = 0.9e-3;
    Program program({"a", "b", "c", "d"}, takes(seconds));
    EXPECT_EQ(program.call(), "a");
    program.call_often(80);
    EXPECT_TRUE(program.learner.is_settled());
    EXPECT_EQ(program.learner.leader(), fastest);
    const int before = program.calls[fastest];
    program.call_often(1000);
    EXPECT_EQ(program.calls[fastest], before + 1000);
  }
}

TEST(Learner, StaysWithTheFirstOfEquals) {
  Program program({"a", "b"}, takes({{"a", 1.01e-3}, {"b", 1e-3}}));
  program.call_often(80);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.learner.leader(), "a");
}

TEST(Learner, MakesThreeCallsWithTheHopeless) {
  Program program({"a", "b"}, takes({{"a", 1e-3}, {"b", 1e-2}}));
  program.call_often(1000);
  EXPECT_EQ(program.calls["b"], 3);
}

/// One call that something else held up does not make it hopeless.
TEST(Learner, ForgivesAnUnluckyCall) {
  for (const int unlucky : {0, 1, 2}) {
    int calls_of_b = 0;
    Program program({"a", "b"}, [&](const std::string& name) {
      if (name == "a") return 1e-3;
      const int call = calls_of_b++;
      return call == 0 || call == unlucky ? 2e-2 : 0.5e-3;
    });
    program.call_often(80);
    EXPECT_EQ(program.learner.leader(), "b") << unlucky;
  }
}

/// Everything is made in the first call, which says little of the others.
TEST(Learner, ForgivesASlowFirstCall) {
  int calls_of_b = 0;
  Program program({"a", "b"}, [&](const std::string& name) {
    if (name == "a") return 1e-3;
    return calls_of_b++ == 0 ? 2e-2 : 0.5e-3;
  });
  program.call_often(80);
  EXPECT_EQ(program.learner.leader(), "b");
}

/// The first calls of a turn find in the caches what another way left there.
TEST(Learner, TimesWhatIsLeftOfATurn) {
  std::string last;
  int in_a_row = 0;
  Program program({"a", "b"}, [&](const std::string& name) {
    in_a_row = name == last ? in_a_row + 1 : 1;
    last = name;
    if (name == "a") return 1e-3;
    return in_a_row <= 2 ? 3e-3 : 0.9e-3;
  });
  program.call_often(80);
  EXPECT_EQ(program.learner.leader(), "b");
  EXPECT_NEAR(program.learner.seconds(), 0.9e-3, 1e-9);
}

/// Where trials cost more than they may, what is known so far has to do for long.
TEST(Learner, DoesNotBelieveFirstCalls) {
  std::map<std::string, int> calls;
  Program program({"a", "b", "c"}, [&](const std::string& name) {
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
  Program program({"a", "b", "c"}, [&](const std::string& name) {
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
    Program program({"a", "b", "c"}, [&](const std::string& name) {
      return noise(random) * (name == "b" ? 1e-3 : name == "a" ? 2e-3 : 3e-3);
    });
    program.call_often(200);
    right += program.learner.leader() == "b" ? 1 : 0;
  }
  EXPECT_GE(right, 97);
}

/// What begins together may be fast in the first call after an agreement, and slow in all others.
TEST(Learner, TimesCallsAsTheyFollowEachOther) {
  std::string last;
  Program program({"a", "b"}, [&](const std::string& name) {
    const bool first = name != last;
    last = name;
    return name == "a" ? 1e-3 : first ? 0.5e-3 : 1.5e-3;
  });
  program.call_often(80);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.learner.leader(), "a");
}

TEST(Learner, LeavesCallsToWhoIsTrusted) {
  Learner learner({"a", "b"});
  EXPECT_TRUE(learner.settle_on("b", 1e-3));
  EXPECT_TRUE(learner.is_due());
  learner.trust(10);
  for (int call = 0; call < 10; ++call) {
    EXPECT_FALSE(learner.is_due()) << call;
    EXPECT_EQ(learner.take(), "b");
  }
  EXPECT_TRUE(learner.is_due());
}

/// Less than a surprise, as where the program writes its blocks less often than the trials did.
TEST(Learner, TriesForItselfAfterThat) {
  Program program({"a", "b"}, takes({{"a", 1.0e-3}, {"b", 1.2e-3}}));
  EXPECT_TRUE(program.learner.settle_on("b", 1e-3));
  constexpr int kTrusted = 10;
  program.learner.trust(kTrusted);
  program.call_often(kTrusted);
  EXPECT_EQ(program.calls["a"], 0);
  program.call_often(60);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.learner.leader(), "a");
  // From then on as rarely as ever.
  program.call_often(static_cast<int>(Learner::kFirstReview) - Learner::kMostCalls);
  EXPECT_LT(program.calls["b"], 60);
}

TEST(Learner, AgreesRarelyOnceItIsSettled) {
  Program program({"a", "b"}, takes({{"a", 1e-5}, {"b", 2e-5}}));
  program.call_often(2000);
  const int before = program.agreements;
  const double begin = program.total;
  program.call_often(10000);
  // Agreements take a tenth of a call here, and may take a fiftieth of the time.
  EXPECT_LE((program.agreements - before) * kAgreement, 0.021 * (program.total - begin));
  EXPECT_GE(program.agreements - before, 10000 / Learner::kMostCalls);
}

/// What learning adds to the calls is bounded, whatever they take.
TEST(Learner, CostsAShareOfTheCalls) {
  for (const double seconds : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
    for (const double agreement : {1e-6, 1e-4}) {
      Program program(
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
  Program program({"a", "b"}, takes({{"a", 1e-3}, {"b", 2e-3}}));
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
  Program program({"a", "b"}, takes({{"a", 1e-5}, {"b", 2e-5}}));
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
  Program program({"a", "b"}, takes({{"a", 1e-5}, {"b", 2e-5}}));
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
  Program program({"a", "b"}, [&calls](const std::string& name) {
    return (name == "a" ? 1e-6 : 1e-5) * ((++calls / Race::kTurn) % 2 == 0 ? 1 : 5);
  });
  program.agreement = 6e-5;
  program.call_often(2000);
  const int before = program.agreements;
  const double begin = program.total;
  program.call_often(20000);
  EXPECT_LE((program.agreements - before) * program.agreement, 0.1 * (program.total - begin));
}

/// What won in a bad moment of the others takes as long as ever when that is over.
TEST(Learner, TriesAgainWhatLost) {
  Program program({"a", "b"}, takes({{"a", 3e-3}, {"b", 2e-3}}));
  program.call_often(200);
  EXPECT_EQ(program.learner.leader(), "b");
  program.change(takes({{"a", 1e-3}, {"b", 2e-3}}));
  program.call_often(static_cast<int>(Learner::kFirstReview + Learner::kMostCalls));
  EXPECT_EQ(program.learner.leader(), "a");
}

TEST(Learner, TriesAgainMoreAndMoreRarely) {
  Program program({"a", "b"}, takes({{"a", 1e-3}, {"b", 1.5e-3}}));
  program.call_often(100);
  const int calls_of_a_race = program.calls["b"];
  constexpr int kReviews = 5;
  program.call_often(static_cast<int>(Learner::kFirstReview << kReviews));
  EXPECT_EQ(program.calls["b"], (kReviews + 1) * calls_of_a_race);
}

TEST(Learner, TakesAWordForIt) {
  Program program({"a", "b"}, takes({{"a", 1e-3}, {"b", 2e-3}}));
  EXPECT_FALSE(program.learner.settle_on("c", 1e-3));
  EXPECT_FALSE(program.learner.is_settled());
  EXPECT_TRUE(program.learner.settle_on("b", 2e-3));
  for (int k = 0; k < 100; ++k) EXPECT_EQ(program.call(), "b");
}

/// What was found on another day need not hold today.
TEST(Learner, DoubtsAWordThatDoesNotHold) {
  Program program({"a", "b"}, takes({{"a", 1e-3}, {"b", 2e-3}}));
  EXPECT_TRUE(program.learner.settle_on("b", 0.5e-3));
  program.call_often(200);
  EXPECT_TRUE(program.learner.is_settled());
  EXPECT_EQ(program.learner.leader(), "a");
}

TEST(Learner, HasNothingToAgreeOnWithoutAChoice) {
  Program program({"a"}, takes({{"a", 1e-3}}));
  program.call_often(1000);
  EXPECT_EQ(program.agreements, 0);
  EXPECT_EQ(program.calls["a"], 1000);
}

TEST(Learner, SaysWhatItTried) {
  Program program({"a", "b", "c"}, takes({{"a", 2e-3}, {"b", 1e-3}, {"c", 1e-2}}));
  program.call_often(100);
  const std::vector<Learner::Tried> tried = program.learner.tried();
  ASSERT_EQ(tried.size(), 3U);
  EXPECT_EQ(tried[0].name, "b");
  EXPECT_EQ(tried[0].seconds, 1e-3);
  EXPECT_EQ(tried[1].name, "a");
  EXPECT_EQ(tried[2].name, "c");
  EXPECT_EQ(tried[2].seconds, 1e-2);
  EXPECT_EQ(tried[2].turns, 3U);
}

/// What all ranks are told alike they decide alike, whatever they are told.
TEST(Learner, DependsOnNothingElse) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> seconds(1e-6, 1e-3);
  Program one({"a", "b", "n", "c"}, nullptr);
  std::vector<std::string> names;
  std::vector<double> times;
  one.change([&](const std::string&) { return times.emplace_back(seconds(random)); });
  for (int k = 0; k < 3000; ++k) names.push_back(one.call());
  Program other({"a", "b", "n", "c"}, nullptr);
  std::size_t next = 0;
  other.change([&](const std::string&) { return times[next++]; });
  for (int k = 0; k < 3000; ++k) ASSERT_EQ(other.call(), names[static_cast<std::size_t>(k)]);
}

}  // namespace
}  // namespace shunt
