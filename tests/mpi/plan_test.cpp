// Plans under way together, waited for in any order, moved, dropped, on several communicators.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "mpi/own_communicator.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

/// A plan with its own buffers and its own traffic on the world.
class PlannedCase {
 public:
  PlannedCase(Communicator& communicator, const char* pattern, Bytes maximum,
              const Options& options)
      : blocks_(*make_traffic(pattern, {world_size(), maximum, 1, 3}), 4, everything),
        plan_(communicator.plan_alltoallv(blocks_.to_send(), blocks_.send_bytes(),
                                          blocks_.to_receive(), blocks_.receive_bytes(), options)) {
  }
  // The plan knows where the buffers lie.
  PlannedCase(const PlannedCase&) = delete;
  PlannedCase& operator=(const PlannedCase&) = delete;

  void start(int round) {
    // In place: the plan is bound to these buffers.
    blocks_.refill(round);
    plan_.start();
  }

  /// By testing again and again, or by waiting.
  void finish(bool by_testing) {
    if (by_testing) {
      while (!plan_.test()) {
      }
    } else {
      plan_.wait();
    }
    ASSERT_EQ(blocks_.received, blocks_.expected);
  }

 private:
  BlockCase blocks_;
  Plan plan_;
};

/// Three plans under way at once; even ranks wait for them in one order, odd ranks in the other.
void run_three(const std::array<Options, 3>& options, int rounds) {
  Communicator communicator(MPI_COMM_WORLD);
  PlannedCase first(communicator, "random", 30, options[0]);
  PlannedCase second(communicator, "pattern2", 2000, options[1]);
  PlannedCase third(communicator, "hot-receiver", 400, options[2]);
  std::array<PlannedCase*, 3> order{&first, &second, &third};
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    for (PlannedCase* planned : {&first, &second, &third}) planned->start(round);
    if ((world_rank() + round) % 2 == 1) std::ranges::reverse(order);
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i]->finish((world_rank() + round + static_cast<int>(i)) % 5 == 0);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

/// Fewer rounds where ranks are many.
int some_rounds() { return 4 + 40 / world_size(); }

TEST(Plans, FinishInAnyOrderInDualMode) {
  run_three({{{"four-stage", Mode::dual_buffer, 8, {}},
              {"stages:3", Mode::dual_buffer, 64, {}},
              {"two-stage", Mode::dual_buffer, 1, {}}}},
            some_rounds());
}

TEST(Plans, FinishInAnyOrderInSingleMode) {
  run_three({{{"row-column", Mode::single_buffer, 8, {}},
              {"four-stage", Mode::single_buffer, 64, {}},
              {"grid:3", Mode::single_buffer, 1, {}}}},
            some_rounds());
}

TEST(Plans, FinishInAnyOrderInMixedModes) {
  run_three({{{"linear", Mode::single_buffer, 8, {}},
              {"four-stage", Mode::dual_buffer, 512, {}},
              {"two-stage", Mode::blocking, 16, {}}}},
            some_rounds());
}

TEST(Plans, FinishInAnyOrderWithTheLeastWindow) {
  const Window least{1, 1};
  run_three({{{"stages:3", Mode::dual_buffer, 8, least},
              {"two-stage", Mode::single_buffer, 8, least},
              {"four-stage", Mode::dual_buffer, 8, least}}},
            some_rounds() / 2);
}

/// Ranks that only wait for the last plan help the others along meanwhile.
TEST(Plans, HelpEachOtherWhileOneIsWaitedFor) {
  Communicator communicator(MPI_COMM_WORLD);
  PlannedCase first(communicator, "random", 50, {"four-stage", Mode::dual_buffer, 8, {}});
  PlannedCase last(communicator, "random", 60, {"row-column", Mode::dual_buffer, 8, {}});
  for (int round = 0; round < some_rounds(); ++round) {
    first.start(round);
    last.start(round);
    // Rank 0 needs the last stage of the first plan from ranks that wait for the last plan.
    if (world_rank() == 0) first.finish(false);
    last.finish(false);
    if (world_rank() != 0) first.finish(false);
    if (HasFatalFailure()) return;
  }
}

TEST(Plans, LetOtherExchangesPassMeanwhile) {
  Communicator communicator(MPI_COMM_WORLD);
  const auto traffic = make_traffic("zipf", {world_size(), 300, 1, 8});
  BlockCase other(*traffic, 2, everything);
  for (const char* name : {"linear", "four-stage", "stages:3"}) {
    PlannedCase planned(communicator, "random", 500, {name, Mode::dual_buffer, 32, {}});
    for (const Mode mode : kModes) {
      SCOPED_TRACE(std::string(name) + ", " + name_of(mode));
      planned.start(static_cast<int>(mode));
      other.poison();
      communicator.alltoallv(other.to_send(), other.send_bytes(), other.to_receive(),
                             other.receive_bytes(), {name, mode, 32, {}});
      ASSERT_EQ(other.received, other.expected);
      const std::vector<Bytes> transposed = communicator.transpose_counts(other.send_layout.counts);
      ASSERT_EQ(transposed, other.receive_layout.counts);
      planned.finish(false);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Plans, MayBeMadeWhileOthersAreUnderWay) {
  Communicator communicator(MPI_COMM_WORLD);
  PlannedCase first(communicator, "random", 70, {"four-stage", Mode::dual_buffer, 8, {}});
  first.start(0);
  PlannedCase second(communicator, "pattern1", 900, {"four-stage", Mode::single_buffer, 8, {}});
  second.start(0);
  second.finish(false);
  first.finish(false);
}

/// An int for every rank that tells its sender and a number.
struct Ints {
  Ints(const Communicator& communicator, int number_of_case)
      : number(number_of_case),
        layout(Layout::packed(std::vector<int>(static_cast<std::size_t>(communicator.ranks()), 1))),
        send(layout.counts.size(), 1000 * number + communicator.rank()),
        received(layout.counts.size(), -1) {}

  [[nodiscard]] Plan plan(Communicator& communicator,
                          const Options& options = {"four-stage", Mode::dual_buffer, 1, {}}) {
    return communicator.plan_alltoallv(std::span<const int>(send), layout, std::span<int>(received),
                                       layout, options);
  }

  void check() {
    for (std::size_t from = 0; from < received.size(); ++from) {
      ASSERT_EQ(received[from], 1000 * number + static_cast<int>(from));
    }
    std::ranges::fill(received, -1);
  }

  int number;
  Layout layout;
  std::vector<int> send;
  std::vector<int> received;
};

TEST(Plans, AreWhatTheyWereAfterAMove) {
  Communicator communicator(MPI_COMM_WORLD);
  Ints ints(communicator, 1);
  Ints others(communicator, 2);
  Plan made = ints.plan(communicator);
  Plan moved(std::move(made));
  moved.execute();
  ints.check();

  Plan assigned = others.plan(communicator);
  assigned.execute();
  others.check();
  assigned = std::move(moved);  // the one that was there is gone
  assigned.start();
  Plan under_way(std::move(assigned));
  under_way.wait();
  ints.check();
}

TEST(Plans, OutliveTheCommunicatorTheyWereMadeFrom) {
  auto communicator = std::make_unique<Communicator>(MPI_COMM_WORLD);
  Ints ints(*communicator, 3);
  Plan plan = ints.plan(*communicator);
  communicator.reset();
  plan.execute();
  ints.check();
}

TEST(Plans, MayBeDestroyedBeforeTheyRan) {
  Communicator communicator(MPI_COMM_WORLD);
  Ints ints(communicator, 4);
  for (const Mode mode : kModes) {
    {
      const Plan unused = ints.plan(communicator, {"four-stage", mode, 1, {}});
    }
    Plan used = ints.plan(communicator, {"four-stage", mode, 1, {}});
    used.execute();
    ints.check();
  }
}

TEST(Plans, NotUnderWayAreOver) {
  Communicator communicator(MPI_COMM_WORLD);
  Ints ints(communicator, 5);
  Plan plan = ints.plan(communicator);
  EXPECT_TRUE(plan.test());
  plan.wait();
  plan.execute();
  EXPECT_TRUE(plan.test());
  plan.wait();
  ints.check();
}

TEST(Plans, UnderWayCannotBeStarted) {
  Communicator communicator(MPI_COMM_SELF);
  for (const Mode mode : {Mode::single_buffer, Mode::dual_buffer}) {
    for (const char* name : {"linear", "four-stage"}) {
      Ints ints(communicator, 6);
      Plan plan = ints.plan(communicator, {name, mode, 1, {}});
      plan.start();
      expect_error(ErrorKind::argument, "the plan is under way", [&] { plan.start(); });
      plan.wait();
      plan.execute();
      ASSERT_EQ(ints.received[0], 6000);
    }
  }
}

/// A plan on the world, one on the ranks of the same parity, one on oneself, at once.
TEST(Plans, OnSeveralCommunicatorsDoNotMeet) {
  const auto half = OwnCommunicator::split(MPI_COMM_WORLD, world_rank() % 2, -world_rank());
  Communicator world(MPI_COMM_WORLD);
  Communicator part(half.get());
  Communicator self(MPI_COMM_SELF);
  Ints on_world(world, 7);
  Ints on_part(part, 8);
  Ints on_self(self, 9);
  Plan plans[] = {on_world.plan(world), on_part.plan(part), on_self.plan(self)};
  for (int round = 0; round < some_rounds(); ++round) {
    for (Plan& plan : plans) plan.start();
    // Ranks of one part agree in their order, and a wait helps on its own communicator only.
    for (Plan& plan : plans) plan.wait();
    on_world.check();
    on_part.check();
    on_self.check();
    if (HasFatalFailure()) return;
  }
}

TEST(Plans, SayWhatTheyAre) {
  Communicator communicator(MPI_COMM_WORLD);
  Ints ints(communicator, 1);
  const std::string text =
      ints.plan(communicator, {"four-stage", Mode::single_buffer, 1, {}}).explain();
  EXPECT_NE(text.find("four-stage on " + std::to_string(world_size()) + " ranks"),
            std::string::npos);
  EXPECT_NE(text.find("single mode"), std::string::npos) << text;
  EXPECT_NE(text.find("collect in rows"), std::string::npos) << text;
}

TEST(Plans, HaveTheNameOfAnAlias) {
  Communicator communicator(MPI_COMM_WORLD);
  Ints ints(communicator, 1);
  const std::string ranks = " on " + std::to_string(world_size()) + " ranks";
  const std::string text = ints.plan(communicator, {.algorithm = "a4"}).explain();
  EXPECT_TRUE(text.starts_with("four-stage" + ranks)) << text;
  const std::vector<int> one(static_cast<std::size_t>(world_size()), 1);
  std::vector<int> all(one.size());
  const Plan gather = communicator.plan_allgatherv(
      std::span<const int>(one).first(1), std::span(all),
      Layout::packed(std::vector<Bytes>(one.size(), 1)), {.algorithm = "br-lin"});
  EXPECT_TRUE(gather.explain().starts_with("recursive-halving" + ranks)) << gather.explain();
}

TEST(Plans, LeaveTheChoiceToThePlanner) {
  Communicator communicator(MPI_COMM_WORLD);
  PlannedCase planned(communicator, "random", 40, {});
  planned.start(0);
  planned.finish(false);
}

TEST(BoundedPlans, TakeOtherCountsEachTime) {
  Communicator communicator(MPI_COMM_WORLD);
  const Rank ranks = world_size();
  const Bytes bound = Bytes{8} * ranks * 100;
  BoundedPlan four_stage =
      communicator.plan_bounded(bound, {"four-stage", Mode::dual_buffer, 64, {}});
  BoundedPlan chosen = communicator.plan_bounded(bound);
  for (const char* pattern : {"zero", "random", "uniform", "pattern1", "zero", "hot-sender"}) {
    for (const Bytes maximum : {1, 100}) {
      SCOPED_TRACE(pattern);
      BlockCase blocks(*make_traffic(pattern, {ranks, maximum, 1, 12}), 8, everything);
      for (BoundedPlan* plan : {&four_stage, &chosen}) {
        blocks.poison();
        plan->execute(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                      blocks.receive_bytes());
        ASSERT_EQ(blocks.received, blocks.expected);
      }
    }
  }
}

TEST(BoundedPlans, KeepToTheirBound) {
  Communicator communicator(MPI_COMM_SELF);
  for (const char* name : {"linear", "four-stage"}) {
    BoundedPlan plan = communicator.plan_bounded(12, {name, Mode::dual_buffer, 1, {}});
    std::vector<int> send{1, 2, 3, 4};
    std::vector<int> received(4);
    auto execute = [&](int sent, int expected) {
      plan.execute(std::span<const int>(send), Layout::packed(std::vector{sent}),
                   std::span<int>(received), Layout::packed(std::vector{expected}));
    };
    execute(3, 3);
    EXPECT_EQ(received, (std::vector{1, 2, 3, 0}));
    expect_error(ErrorKind::count, "rank 0 sends 16 bytes, more than the plan's bound of 12",
                 [&] { execute(4, 3); });
    expect_error(ErrorKind::count, "rank 0 receives 16 bytes, more than the plan's bound of 12",
                 [&] { execute(3, 4); });
    received.assign(4, 0);
    execute(2, 2);
    EXPECT_EQ(received, (std::vector{1, 2, 0, 0}));
  }
  expect_error(ErrorKind::argument, "-1, which is negative",
               [&] { (void)communicator.plan_bounded(-1); });
}

TEST(BoundedPlans, OfNothingCarryNothing) {
  Communicator communicator(MPI_COMM_WORLD);
  BoundedPlan plan = communicator.plan_bounded(0, {"four-stage", Mode::dual_buffer, 8, {}});
  BlockCase blocks(*make_traffic("zero", {world_size(), 1, 1, 1}), 8, everything);
  plan.execute(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(), blocks.receive_bytes());
  EXPECT_EQ(blocks.received, blocks.expected);
}

}  // namespace
}  // namespace shunt::test
