// Windows so small that every message waits for the one before.
#include <algorithm>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "engine/stage_runner.hpp"
#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "mpi/modes_in_turn.hpp"
#include "mpi/own_communicator.hpp"

namespace shunt::test {
namespace {

constexpr Window kWindows[] = {{1, 1}, {1, Bytes{1} << 40}, {64, 1}, {2, 700}};

/// What a window must be taken as: at least one message is always under way.
constexpr Window kNoWindow{0, 0};

std::string describe(const Window& window) {
  return std::to_string(window.messages) + " messages, " + std::to_string(window.bytes) + " bytes";
}

/// Calls `check(name, mode, case)` for all algorithms and modes. Blocks are up to `maximum` bytes.
template <class Check>
void for_each_case(const char* pattern, Bytes maximum, Check&& check) {
  const Rank ranks = world_size();
  std::size_t turn = 0;
  const auto traffic = make_traffic(pattern, {ranks, maximum, 1, 9});
  for (const std::string& name : algorithm_names(ranks)) {
    const auto algorithm = make_algorithm(name, ranks, 1);
    BlockCase blocks(*traffic, 1, [&](Rank source, Rank destination) {
      return algorithm->supports_pair(source, destination);
    });
    for (const Mode mode : modes_in_turn(turn++)) {
      SCOPED_TRACE(name + ", " + name_of(mode));
      check(name, mode, blocks);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Windows, OfOneShotExchanges) {
  Communicator communicator(MPI_COMM_WORLD);
  for_each_case("random", 60, [&](const std::string& name, Mode mode, BlockCase& blocks) {
    for (const Window& window : {kWindows[0], kWindows[2], kNoWindow}) {
      SCOPED_TRACE(describe(window));
      blocks.poison();
      communicator.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                             blocks.receive_bytes(), {name, mode, 8, window});
      ASSERT_EQ(blocks.received, blocks.expected);
    }
  });
}

/// Spikes that need a second packet, amid messages that do not.
TEST(Windows, OfExchangesWithLongMessages) {
  Communicator communicator(MPI_COMM_WORLD);
  for_each_case("pattern2", 40000, [&](const std::string& name, Mode mode, BlockCase& blocks) {
    for (const Window& window : {kWindows[0], kWindows[3]}) {
      SCOPED_TRACE(describe(window));
      blocks.poison();
      communicator.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                             blocks.receive_bytes(), {name, mode, 512, window});
      ASSERT_EQ(blocks.received, blocks.expected);
    }
  });
}

TEST(Windows, OfPlans) {
  Communicator communicator(MPI_COMM_WORLD);
  for_each_case("random", 60, [&](const std::string& name, Mode mode, BlockCase& blocks) {
    for (const Window& window : {kWindows[0], kWindows[1], kWindows[3]}) {
      SCOPED_TRACE(describe(window));
      Plan plan =
          communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                                      blocks.receive_bytes(), {name, mode, 8, window, false});
      for (int round = 0; round < 2; ++round) {
        blocks.poison();
        plan.execute();
        ASSERT_EQ(blocks.received, blocks.expected) << "round " << round;
      }
    }
  });
}

TEST(Windows, OfBoundedPlans) {
  Communicator communicator(MPI_COMM_WORLD);
  for_each_case("random", 60, [&](const std::string& name, Mode mode, BlockCase& blocks) {
    BoundedPlan plan =
        communicator.plan_bounded(Bytes{60} * world_size(), {name, mode, 8, kWindows[0]});
    blocks.poison();
    plan.execute(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                 blocks.receive_bytes());
    ASSERT_EQ(blocks.received, blocks.expected);
  });
}

TEST(Windows, OfRecordExchanges) {
  Communicator communicator(MPI_COMM_WORLD);
  const Rank ranks = world_size();
  std::size_t turn = 0;
  for (const std::string& name : algorithm_names(ranks)) {
    const auto algorithm = make_algorithm(name, ranks, 1);
    std::vector<Rank> records;
    std::size_t expected = 0;
    for (Rank peer = 0; peer < ranks; ++peer) {
      if (algorithm->supports_pair(world_rank(), peer)) records.insert(records.end(), 20, peer);
      if (algorithm->supports_pair(peer, world_rank())) expected += 20;
    }
    for (const Mode mode : modes_in_turn(turn++)) {
      SCOPED_TRACE(name + ", " + name_of(mode));
      const auto received =
          communicator.exchange(std::span<const Rank>(records), [](Rank to) { return to; },
                                {name, mode, 512, kWindows[0]});
      ASSERT_EQ(received.size(), expected);
      ASSERT_EQ(std::ranges::count(received, world_rank()), std::ssize(received));
    }
  }
}

/// Messages to oneself that count how many are under way.
class CountingMessages final : public StageMessages {
 public:
  static constexpr Bytes kBytes = 100;

  CountingMessages(MPI_Comm comm, std::size_t steps)
      : comm_(comm), out_(steps * kBytes), in_(out_) {}

  Posted post_receive(std::size_t step) override {
    receives.enter();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&in_[step * kBytes], kBytes, MPI_BYTE, 0, static_cast<int>(step), comm_, &request);
    return {request, kBytes, false};
  }
  Posted post_send(std::size_t step) override {
    sends.enter();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(&out_[step * kBytes], kBytes, MPI_BYTE, 0, static_cast<int>(step), comm_, &request);
    return {request, kBytes, true};  // so that `sent` is told
  }
  Posted received(std::size_t /*step*/, const MPI_Status& /*status*/) override {
    --receives.now;
    return {};
  }
  Posted sent(std::size_t /*step*/) override {
    --sends.now;
    return {};
  }

  struct UnderWay {
    void enter() {
      most = std::max(most, ++now);
      ++all;
    }
    int now = 0;
    int most = 0;
    int all = 0;
  };
  UnderWay receives;
  UnderWay sends;

 private:
  MPI_Comm comm_;
  std::vector<std::byte> out_;
  std::vector<std::byte> in_;
};

TEST(StageRunners, KeepWithinTheirWindow) {
  struct Case {
    Window window;
    int most;
  };
  constexpr std::size_t kSteps = 40;
  const auto own = OwnCommunicator::duplicate(MPI_COMM_SELF);
  // A window is full when it has reached its bytes, not when one more message would exceed them.
  for (const auto& [window, most] : {Case{{1, 1}, 1},
                                     {kNoWindow, 1},
                                     {{3, 1000000}, 3},
                                     {{64, 200}, 2},
                                     {{64, 201}, 3},
                                     {{100, 1000000}, static_cast<int>(kSteps)}}) {
    SCOPED_TRACE(describe(window));
    CountingMessages stage_messages(own.get(), kSteps);
    StageRunner runner;
    runner.begin(kSteps, window, stage_messages, false);
    while (!runner.advance(true)) {
    }
    for (const CountingMessages::UnderWay& direction :
         {stage_messages.receives, stage_messages.sends}) {
      EXPECT_EQ(direction.all, static_cast<int>(kSteps));
      EXPECT_EQ(direction.now, 0);
      // A window is filled before any message is waited for.
      EXPECT_EQ(direction.most, most);
    }
  }
}

TEST(WindowLimits, AreTheAlgorithmsOrTheCallersWhicheverIsLess) {
  const auto ordered = make_algorithm("node-pairwise", world_size(), 1);
  const auto free = make_algorithm("linear", world_size(), 1);
  Window window;
  const Bytes most = ordered->max_in_flight();
  EXPECT_LT(most, window.bytes);
  EXPECT_EQ(within_limits(window, *ordered).bytes, most);
  EXPECT_EQ(within_limits(window, *free).bytes, window.bytes);
  window.bytes = most / 2;
  EXPECT_EQ(within_limits(window, *ordered).bytes, most / 2);
}

}  // namespace
}  // namespace shunt::test
