// Plans of "auto" that go on learning: all ranks change their way together, and every byte arrives
// whatever they change to.
#include "planner/learning_plan.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "context/context.hpp"
#include "lab/traffic/patterns.hpp"
#include "model/configuration.hpp"
#include "mpi/block_case.hpp"
#include "mpi/own_clock.hpp"
#include "mpi/own_communicator.hpp"
#include "planner/choose.hpp"
#include "planner/plan_choice.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

/// What the candidates of a plan are made to take, and where one of them fails.
struct Course {
  std::map<std::string, double> delays;  ///< seconds
  bool fails = false;                    ///< the next execution on this rank, at its end
  bool breaks = false;                   ///< executions on this rank, before their end
};

class DelayedPlan final : public PlannedExchange {
 public:
  DelayedPlan(std::shared_ptr<Context> context, std::unique_ptr<PlannedExchange> plan,
              double& delay, Course& course)
      : PlannedExchange(std::move(context)),
        plan_(std::move(plan)),
        delay_(delay),
        course_(course) {
    counters = plan_->counters;
  }

  bool advance(bool wait) override {
    if (course_.breaks) throw Error(ErrorKind::truncated, "as asked");
    if (!plan_->advance(wait)) return false;
    finish();
    if (!course_.fails) return true;
    course_.fails = false;
    throw Error(ErrorKind::truncated, "as asked");
  }

 private:
  bool begin() override {
    OwnClock::pass(delay_);
    if (course_.breaks) return true;
    return begin_of(*plan_);
  }

  std::unique_ptr<PlannedExchange> plan_;
  double& delay_;
  Course& course_;
};

/// A choice with what was tried, and the seconds that each took.
PlanChoice choice_of(const std::string& chosen, const std::map<std::string, double>& trials,
                     Effort effort) {
  PlanChoice choice{read_configuration(chosen, {}), {}, effort};
  for (const auto& [text, seconds] : trials) {
    choice.trials.push_back({read_configuration(text, {}), seconds});
  }
  return choice;
}

constexpr const char* kOnce = "linear shared=once";

/// A plan whose candidates take as long as its course says.
class Learning {
 public:
  Learning() : world_(OwnCommunicator::duplicate(MPI_COMM_WORLD)) {
    course.delays = {{kStraight, 2e-3}, {kOnce, 4e-3}, {kNative, 8e-3}};
    const PlanChoice choice = choice_of(kStraight, course.delays, Effort::measure);
    EXPECT_TRUE(LearningPlan::can_learn(choice, options_));
    const std::shared_ptr<Context> context = Context::of(world_.get());
    const Layout out = blocks_.send_bytes();
    const Layout in = blocks_.receive_bytes();
    plan.emplace(context, choice, options_, [&](const Configuration& candidate) {
      auto made = make_plan(context, candidate,
                            SendBlocks{blocks_.send.data(), out.counts, out.displacements},
                            ReceiveBlocks{blocks_.received.data(), in.counts, in.displacements});
      double& delay = course.delays.at(configuration_text(candidate, options_));
      return std::make_unique<DelayedPlan>(context, std::move(made), delay, course);
    });
  }

  /// Returns what it was executed with.
  std::string execute(int round) {
    blocks_.refill(round % 4);
    plan->start();
    while (round % 3 == 0 && !plan->test()) std::this_thread::yield();
    plan->wait();
    EXPECT_EQ(blocks_.received, blocks_.expected) << round;
    return plan->counters.chosen;
  }

  Course course;
  std::optional<LearningPlan> plan;

 private:
  OwnClock clock_;
  OwnCommunicator world_;
  Options options_;
  BlockCase blocks_{*make_traffic("uniform", {world_size(), 2000, 1, 3}), 8, everything};
};

/// Whoever packs the buffers of a plan counts that memory, too.
TEST(LearningPlan, KeepsWhatOthersCount) {
  if (world_size() == 1) GTEST_SKIP() << "there is nothing to learn";
  Learning learning;
  constexpr Bytes kPacked = 12345;
  const Bytes own = learning.plan->counters.memory;
  learning.plan->counters.memory += kPacked;
  learning.course.delays.at(kStraight) = 16e-3;
  bool has_changed = false;
  for (int round = 0; round < 200; ++round) {
    has_changed = learning.execute(round) != kStraight || has_changed;
    ASSERT_EQ(learning.plan->counters.memory, own + kPacked) << round;
  }
  EXPECT_TRUE(has_changed);
}

/// Messages of it may be anywhere: it tells so, and cannot be started again.
TEST(LearningPlan, CannotBeStartedAgainOnceItIsBroken) {
  Learning learning;
  EXPECT_EQ(learning.execute(0), kStraight);
  learning.course.breaks = true;
  learning.plan->start();
  expect_error(ErrorKind::truncated, "as asked", [&] { learning.plan->wait(); });
  learning.plan->wait();
  learning.course.breaks = false;
  expect_error(ErrorKind::argument, "has failed before", [&] { learning.plan->start(); });
}

TEST(LearningPlan, FollowsWhatIsFastest) {
  if (world_size() == 1) GTEST_SKIP() << "there is nothing to learn";
  constexpr int kMostRounds = 2000;
  constexpr int kSettled = 60;
  Learning learning;
  EXPECT_EQ(learning.execute(0), kStraight);
  learning.course.delays.at(kStraight) = 16e-3;
  int in_a_row = 0;
  int round = 1;
  for (; round < kMostRounds && in_a_row < kSettled; ++round) {
    in_a_row = learning.execute(round) == kOnce ? in_a_row + 1 : 0;
    int all[] = {in_a_row, -in_a_row};
    MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    ASSERT_EQ(all[0], -all[1]) << "all ranks change in the same execution, " << round;
  }
  EXPECT_EQ(in_a_row, kSettled) << "after " << round << " executions";
}

TEST(LearningPlan, ReportsWhatFailsAndGoesOn) {
  if (world_size() == 1) GTEST_SKIP() << "there is nothing to learn";
  Learning learning;
  // Some executions carry an agreement, others do not.
  constexpr int kRounds = 80;
  for (auto& [candidate, delay] : learning.course.delays) delay = 0;
  for (int round = 0; round < kRounds; ++round) {
    if (world_rank() == world_size() - 1) {
      learning.course.fails = true;
      expect_error(ErrorKind::truncated, "as asked", [&] { learning.execute(round); });
    } else {
      learning.execute(round);
    }
  }
  learning.execute(kRounds);
}

TEST(LearningPlan, LearnsWhereThereIsAChoice) {
  const std::map<std::string, double> trials{
      {kStraight, 1e-3}, {"row-column", 1e-3}, {kOnce, 2e-3}};
  const auto can_learn = [&](const char* chosen, Effort effort = Effort::measure,
                             const Options& asked = {}) {
    return LearningPlan::can_learn(choice_of(chosen, trials, effort), asked);
  };
  EXPECT_TRUE(can_learn(kStraight));
  EXPECT_TRUE(can_learn(kOnce));
  EXPECT_FALSE(can_learn("row-column")) << "it has buffers";
  EXPECT_FALSE(can_learn(kNative)) << "not tried";
  EXPECT_FALSE(can_learn(kStraight, Effort::estimate));
  const PlanChoice alone = choice_of(kStraight, {{kStraight, 1e-3}}, Effort::measure);
  EXPECT_FALSE(LearningPlan::can_learn(alone, {}));
  EXPECT_FALSE(can_learn(kStraight, Effort::measure, {.mode = Mode::blocking}));
  EXPECT_FALSE(can_learn(kStraight, Effort::measure, {.memory = 1 << 20}));
}

/// Two plans of long blocks, for which ranks wait in another order each.
TEST(LearningPlan, MovesEveryByte) {
  const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(world.get());
  BlockCase first(*make_traffic("uniform", {world_size(), 2000, 1, 3}), 8, everything);
  BlockCase second(*make_traffic("random", {world_size(), 3000, 1, 3}), 8, everything);
  const auto plan_of = [&](BlockCase& blocks) {
    return communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                                       blocks.receive_bytes());
  };
  Plan plan = plan_of(first);
  Plan other = plan_of(second);
  for (int round = 0; round < 100; ++round) {
    first.refill(round % 4);
    second.refill(round % 4);
    plan.start();
    other.start();
    if ((world_rank() + round) % 2 == 0) plan.wait();
    other.wait();
    plan.wait();
    EXPECT_EQ(first.received, first.expected) << round;
    EXPECT_EQ(second.received, second.expected) << round;
  }
  const std::string text = plan.explain();
  const bool goes_straight = text.starts_with("linear ") || text.starts_with("native ");
  const bool tried = text.find("tried linear shared=once ") != std::string::npos;
  const bool learns = text.find("goes on learning, now with") != std::string::npos;
  EXPECT_EQ(learns, goes_straight && tried) << text;
  EXPECT_EQ(learns, !plan.counters().chosen.empty()) << text;
}

}  // namespace
}  // namespace shunt::test
