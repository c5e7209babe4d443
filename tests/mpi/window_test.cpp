// Windows so small that every message waits for the one before.
#include <algorithm>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "mpi/block_case.hpp"
#include "mpi/modes_in_turn.hpp"

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
      return algorithm->carries(source, destination);
    });
    for (const Mode mode : modes_in_turn(turn++)) {
      SCOPED_TRACE(name + ", " + name_of(mode));
      check(name, mode, blocks);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Windows, OfOneShotExchanges) {
  Yard yard(MPI_COMM_WORLD);
  for_each_case("random", 60, [&](const std::string& name, Mode mode, BlockCase& blocks) {
    for (const Window& window : {kWindows[0], kWindows[2], kNoWindow}) {
      SCOPED_TRACE(describe(window));
      blocks.poison();
      yard.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                     blocks.receive_bytes(), {name, mode, 8, window});
      ASSERT_EQ(blocks.received, blocks.expected);
    }
  });
}

/// Spikes that need a second packet, amid messages that do not.
TEST(Windows, OfExchangesWithLongMessages) {
  Yard yard(MPI_COMM_WORLD);
  for_each_case("pattern2", 40000, [&](const std::string& name, Mode mode, BlockCase& blocks) {
    for (const Window& window : {kWindows[0], kWindows[3]}) {
      SCOPED_TRACE(describe(window));
      blocks.poison();
      yard.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                     blocks.receive_bytes(), {name, mode, 512, window});
      ASSERT_EQ(blocks.received, blocks.expected);
    }
  });
}

TEST(Windows, OfPlans) {
  Yard yard(MPI_COMM_WORLD);
  for_each_case("random", 60, [&](const std::string& name, Mode mode, BlockCase& blocks) {
    for (const Window& window : {kWindows[0], kWindows[1], kWindows[3]}) {
      SCOPED_TRACE(describe(window));
      Plan plan = yard.plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                                      blocks.receive_bytes(), {name, mode, 8, window});
      for (int round = 0; round < 2; ++round) {
        blocks.poison();
        plan.execute();
        ASSERT_EQ(blocks.received, blocks.expected) << "round " << round;
      }
    }
  });
}

TEST(Windows, OfBoundedPlans) {
  Yard yard(MPI_COMM_WORLD);
  for_each_case("random", 60, [&](const std::string& name, Mode mode, BlockCase& blocks) {
    BoundedPlan plan = yard.plan_bounded(Bytes{60} * world_size(), {name, mode, 8, kWindows[0]});
    blocks.poison();
    plan.execute(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                 blocks.receive_bytes());
    ASSERT_EQ(blocks.received, blocks.expected);
  });
}

TEST(Windows, OfRecordExchanges) {
  Yard yard(MPI_COMM_WORLD);
  const Rank ranks = world_size();
  std::size_t turn = 0;
  for (const std::string& name : algorithm_names(ranks)) {
    const auto algorithm = make_algorithm(name, ranks, 1);
    std::vector<Rank> records;
    std::size_t expected = 0;
    for (Rank peer = 0; peer < ranks; ++peer) {
      if (algorithm->carries(world_rank(), peer)) records.insert(records.end(), 20, peer);
      if (algorithm->carries(peer, world_rank())) expected += 20;
    }
    for (const Mode mode : modes_in_turn(turn++)) {
      SCOPED_TRACE(name + ", " + name_of(mode));
      const auto received =
          yard.exchange(std::span<const Rank>(records), [](Rank to) { return to; },
                        {name, mode, 512, kWindows[0]});
      ASSERT_EQ(received.size(), expected);
      ASSERT_EQ(std::ranges::count(received, world_rank()), std::ssize(received));
    }
  }
}

}  // namespace
}  // namespace shunt::test
