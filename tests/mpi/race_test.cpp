// Races between plans whose times are given.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "engine/planned_exchange.hpp"
#include "mpi/own_clock.hpp"
#include "planner/patient.hpp"
#include "planner/trials.hpp"

namespace shunt::test {
namespace {

/// Preferred where nothing is clearly faster.
const Configuration kFirst{.algorithm = "a"};

/// What happened to the plans of a race.
struct Log {
  std::map<std::string, int> runs;
  std::map<std::string, int>
      first_run_more;  ///< so many microseconds its first run is to take more
  int alive = 0;
  int most_alive = 0;
};

/// Moves nothing, and takes a time.
class TimedPlan final : public PlannedExchange {
 public:
  TimedPlan(std::shared_ptr<Context> context, std::string name, int microseconds, Log& log)
      : PlannedExchange(std::move(context)),
        name_(std::move(name)),
        time_(microseconds),
        log_(log) {
    log_.most_alive = std::max(log_.most_alive, ++log_.alive);
  }
  ~TimedPlan() override { --log_.alive; }
  bool advance(bool /*wait*/) override { return true; }

 private:
  bool begin() override {
    const int more = log_.runs[name_]++ == 0 ? log_.first_run_more[name_] : 0;
    OwnClock::pass((time_ + more) * 1e-6);
    return false;
  }

  std::string name_;
  int time_;
  Log& log_;
};

TEST(Race, IsWonByTheFastestAndRunsTheOthersLessOften) {
  const OwnClock clock;
  const auto context = Context::of(MPI_COMM_SELF);
  Log log;
  std::vector<Configuration> candidates;
  for (char letter = 'a'; letter <= 'n'; ++letter) {
    candidates.push_back({.algorithm = std::string(1, letter)});
  }
  const auto make = [&](const Configuration& candidate) {
    const std::string& name = candidate.algorithm;
    const int microseconds = name == "k" ? 100 : name < "g" ? 200 : 3000;
    return std::make_unique<TimedPlan>(context, name, microseconds, log);
  };
  const PlanChoice choice = race_plans(*context, candidates, kFirst, {make, {}});
  EXPECT_EQ(choice.configuration.algorithm, "k");
  EXPECT_EQ(log.alive, 0);
  EXPECT_LE(log.most_alive, 6);
  ASSERT_EQ(choice.trials.size(), candidates.size());
  EXPECT_EQ(choice.trials.front().configuration.algorithm, "k");
  std::set<std::string> tried;
  for (const Tried& trial : choice.trials) tried.insert(trial.configuration.algorithm);
  EXPECT_EQ(tried.size(), candidates.size());
  EXPECT_TRUE(std::ranges::is_sorted(choice.trials, {}, &Tried::seconds));
  // The slow ones leave after a round to warm up and three more, with three calls each.
  EXPECT_EQ(log.runs["n"], 12);
  // The winner runs in the seven rounds after those too, and in all of the next few's.
  EXPECT_EQ(log.runs["k"], 2 * (12 + 24));
}

TEST(Race, MayHaveOneRunner) {
  const OwnClock clock;
  const auto context = Context::of(MPI_COMM_SELF);
  Log log;
  const auto make = [&](const Configuration& candidate) {
    return std::make_unique<TimedPlan>(context, candidate.algorithm, 10, log);
  };
  const PlanChoice choice = race_plans(*context, {{.algorithm = "b"}}, kFirst, {make, {}});
  EXPECT_EQ(choice.configuration.algorithm, "b");
  EXPECT_EQ(choice.trials.size(), 1U);
}

/// The first few take more than two seconds in all their rounds.
TEST(Race, EndsBetweenTheFewWhereExchangesAreLong) {
  const OwnClock clock;
  const auto context = Context::of(MPI_COMM_SELF);
  const std::vector<Configuration> candidates =
      with_algorithms({"a", "b", "c", "d", "e", "f", "g"}, {});
  for (const int microseconds : {9000, 10000}) {
    Log log;
    const auto make = [&](const Configuration& candidate) {
      return std::make_unique<TimedPlan>(context, candidate.algorithm, microseconds, log);
    };
    const PlanChoice choice = race_plans(*context, candidates, kFirst, {make, {}});
    EXPECT_EQ(choice.configuration.algorithm, "a");
    EXPECT_EQ(choice.trials.size(), microseconds == 9000 ? 7U : 6U);
  }
}

/// Tries plans on one rank that take so many microseconds.
PlanChoice try_timed(const std::map<std::string, int>& microseconds, const std::string& preferred,
                     Log& log) {
  const auto context = Context::of(MPI_COMM_SELF);
  std::vector<Configuration> candidates;
  for (const auto& [name, time] : microseconds) candidates.push_back({.algorithm = name});
  const auto make = [&](const Configuration& candidate) {
    const std::string& name = candidate.algorithm;
    return std::make_unique<TimedPlan>(context, name, microseconds.at(name), log);
  };
  return try_plans(*context, candidates, {.algorithm = preferred}, {make, {}});
}

TEST(Trials, GoOnWhereExchangesAreShort) {
  const OwnClock clock;
  Log log;
  (void)try_timed({{"a", 20}, {"b", 20}, {"c", 3000}}, "a", log);
  // Two calls; a round to warm up and seven more of three calls; then up to 21.
  EXPECT_EQ(log.runs["a"], 2 + (1 + 7 + 21) * 3);
  EXPECT_EQ(log.runs["b"], log.runs["a"]);
  EXPECT_EQ(log.runs["c"], 2 + (1 + 7) * 3);
  const PlanChoice choice = try_timed({{"c", 3000}, {"d", 5000}}, "d", log);
  EXPECT_EQ(log.runs["d"], 2 + (1 + 7) * 3);
  EXPECT_EQ(choice.configuration.algorithm, "c");
  EXPECT_EQ(choice.trials.size(), 2U);
}

TEST(Trials, SeeTwiceWhatTakesVeryLong) {
  const OwnClock clock;
  Log log;
  const PlanChoice choice = try_timed({{"a", 1000}, {"b", 2000}, {"c", 60000}}, "c", log);
  EXPECT_EQ(choice.configuration.algorithm, "a");
  EXPECT_EQ(choice.trials.size(), 3U);
  EXPECT_EQ(choice.trials.back().configuration.algorithm, "c");
  EXPECT_EQ(log.runs["c"], 2);
  EXPECT_EQ(log.runs["b"], 2 + (1 + 7) * 3);
}

/// A system may have to find the pages.
TEST(Trials, ForgiveSlowFirstCalls) {
  const OwnClock clock;
  Log log;
  log.first_run_more["b"] = 60000;
  const PlanChoice choice = try_timed({{"a", 2000}, {"b", 1000}}, "a", log);
  EXPECT_EQ(choice.configuration.algorithm, "b");
  EXPECT_EQ(log.runs["b"], 2 + (1 + 7) * 3);
}

TEST(Trials, AreFewWhereExchangesAreLong) {
  const OwnClock clock;
  Log log;
  (void)try_timed({{"a", 28000}, {"b", 29000}}, "a", log);
  // Five rounds of three calls take 0.86 s, six more than 1 s.
  EXPECT_EQ(log.runs["a"], 2 + 5 * 3);
  EXPECT_EQ(log.runs["b"], log.runs["a"]);
}

TEST(Patient, TriesEachAlgorithmOnce) {
  const Machine machine = Machine::blocked(16, 4);
  const Surroundings surroundings = Surroundings::known(machine);
  const TrafficBound traffic{1000, 100};
  std::vector<std::string> names =
      patient_algorithms(surroundings, 16, traffic, 512, Bytes{1} << 20);
  const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
  for (const char* name : {"linear", "four-stage", "stages:5", "grid:2", "bruck:2", "bruck:8",
                           "bruck-among-nodes:4", "leaders:4", "node-pairwise"}) {
    EXPECT_TRUE(has(name)) << name;
  }
  EXPECT_FALSE(has("bruck:16"));
  for (const std::string& name : names) EXPECT_FALSE(name.starts_with("groups")) << name;
  const std::set<std::string> different(names.begin(), names.end());
  EXPECT_EQ(different.size(), names.size());
  // Buffers: of linear the load, of the others more.
  names = patient_algorithms(surroundings, 16, traffic, 512, 1000);
  EXPECT_TRUE(has("linear"));
  EXPECT_FALSE(has("row-column"));
  EXPECT_TRUE(patient_algorithms(surroundings, 16, traffic, 512, -1).empty());
}

TEST(Patient, TriesOtherOptionsOfTheWinner) {
  const Machine nodes = Machine::blocked(32, 4);
  const Options asked{.effort = Effort::patient};
  std::vector<std::string> texts;
  for (const Configuration& variant :
       variants_of(with_algorithm("four-stage", asked), nodes, {1 << 20, 4096})) {
    texts.push_back(configuration_text(variant, asked));
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"four-stage", "four-stage mode=single",
                                             "four-stage grain=4096", "four-stage packet=65536",
                                             "four-stage messages=4", "four-stage messages=16"}));
  // Short blocks, one node, few ranks, and what the caller has settled.
  const Configuration blocking{.algorithm = "four-stage", .mode = Mode::blocking};
  EXPECT_EQ(variants_of(blocking, Machine::blocked(4, 4), {1 << 20, 512}),
            std::vector<Configuration>{blocking});
  const Configuration native{.algorithm = kNative};
  EXPECT_EQ(variants_of(native, nodes, {1 << 20, 4096}), std::vector<Configuration>{native});
}

}  // namespace
}  // namespace shunt::test
