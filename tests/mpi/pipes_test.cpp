// Long messages inside a node: they pass through shared memory piece by piece. Their lengths are
// those at which something changes, and the next ones; every byte is compared with MPI's answer.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "mpi/nodes.hpp"
#include "mpi/own_communicator.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

/// What all ranks send at most in these tests, together. Many ranks take long for it, since they
/// take turns on few processors.
Bytes most_bytes() { return world_size() <= 8 ? 16000000 : 4000000; }

Bytes total_of(const Traffic& traffic) {
  Bytes total = 0;
  std::vector<Bytes> row(static_cast<std::size_t>(traffic.ranks()));
  for (Rank source = 0; source < traffic.ranks(); ++source) {
    traffic.row(source, row);
    total = std::accumulate(row.begin(), row.end(), total);
  }
  return total;
}

class Pipes : public testing::TestWithParam<const char*> {
 protected:
  /// Calls `check(blocks)` for blocks of all lengths at which this pattern is not too much.
  template <class Check>
  static void for_each_length(Check&& check) {
    // A piece, the longest message that lies there whole, the longest ring, all rings together.
    for (const Bytes change : {16384, 32768, 262144, 524288}) {
      for (const Bytes length : {change - 1, change, change + 1, 3 * change + 7}) {
        const auto traffic = make_traffic(GetParam(), {world_size(), length, 100, 3});
        if (total_of(*traffic) > most_bytes()) continue;
        SCOPED_TRACE("up to " + std::to_string(length) + " bytes");
        BlockCase blocks(*traffic, 1, [](Rank, Rank) { return true; });
        check(blocks);
        if (HasFatalFailure()) return;
      }
    }
  }
};

TEST_P(Pipes, OneShot) {
  Communicator communicator(MPI_COMM_WORLD);
  for_each_length([&communicator](BlockCase& blocks) {
    int round = 0;
    for (const char* name : {"linear", "four-stage", "linear", "row-column"}) {
      blocks.refill(round++);
      communicator.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                             blocks.receive_bytes(), {name});
      ASSERT_EQ(blocks.received, blocks.expected) << name << ", round " << round;
    }
  });
}

TEST_P(Pipes, Plan) {
  Communicator communicator(MPI_COMM_WORLD);
  for_each_length([&communicator](BlockCase& blocks) {
    Plan plan =
        communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                                    blocks.receive_bytes(), {"linear"});
    for (int round = 0; round < 3; ++round) {
      blocks.refill(round);
      plan.execute();
      ASSERT_EQ(blocks.received, blocks.expected) << "round " << round;
    }
  });
}

/// Two plans under way, waited for in another order on every second rank, and a one-shot exchange
/// before they are.
TEST_P(Pipes, SeveralAtATime) {
  Communicator communicator(MPI_COMM_WORLD);
  for_each_length([&communicator](BlockCase& first) {
    // MPI is asked once about each round of all three.
    for (int round = 0; round < 4; ++round) first.refill(round);
    BlockCase second(first);
    BlockCase third(first);
    auto plan = [&communicator](BlockCase& blocks) {
      return communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                                         blocks.receive_bytes(), {"linear"});
    };
    Plan plans[] = {plan(first), plan(second)};
    for (int round = 0; round < 2; ++round) {
      first.refill(round);
      second.refill(round + 1);
      third.refill(round + 2);
      for (Plan& started : plans) started.start();
      communicator.alltoallv(third.to_send(), third.send_bytes(), third.to_receive(),
                             third.receive_bytes(), {"linear"});
      const int odd = world_rank() % 2;
      plans[odd].wait();
      plans[1 - odd].wait();
      ASSERT_EQ(first.received, first.expected) << "round " << round;
      ASSERT_EQ(second.received, second.expected) << "round " << round;
      ASSERT_EQ(third.received, third.expected) << "round " << round;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Exact, Pipes,
                         testing::Values("uniform", "pattern1", "zipf:1.2", "hot-sender",
                                         "neighbours:3", "lower-triangular"),
                         test_name_of);

/// Many plans of long messages: the later ones find no room, and MPI carries what they move.
TEST(SharedMemoryPipes, LeaveToMpiWhatHasNoRoom) {
  const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(comm.get());
  const auto traffic = make_traffic("uniform", {world_size(), 100001, 1, 1});
  BlockCase blocks(*traffic, 1, [](Rank, Rank) { return true; });
  std::vector<Plan> plans;
  for (int i = 0; i < 24; ++i) {
    plans.push_back(communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(),
                                                blocks.to_receive(), blocks.receive_bytes(),
                                                {"linear"}));
  }
  if (world_size() > 4 && one_node()) {
    EXPECT_GT(plans.front().counters().peak_shared, 0);
    EXPECT_EQ(plans.back().counters().peak_shared, 0);
  }
  for (int round = 0; round < 2; ++round) {
    for (Plan* plan : {&plans.front(), &plans[plans.size() / 2], &plans.back()}) {
      blocks.refill(round);
      plan->execute();
      ASSERT_EQ(blocks.received, blocks.expected);
    }
  }
}

/// The last rank is told more, or less, than it expects from the first, among other messages, all
/// of which arrive; afterwards the plan can be executed again.
TEST(SharedMemoryPipes, TellWhereLengthsDoNotAgree) {
  const Rank last = world_size() - 1;
  if (last == 0) GTEST_SKIP() << "there is nobody to send to";
  if (!one_node()) GTEST_SKIP() << "MPI finds out, in its own words";
  Communicator communicator(MPI_COMM_WORLD);
  for (const auto& [sent, expected] :
       {std::pair{600000, 599999}, {40000, 600000}, {8, 40000}, {40000, 8}}) {
    SCOPED_TRACE(std::to_string(sent) + " sent, " + std::to_string(expected) + " expected");
    std::vector<int> out(static_cast<std::size_t>(world_size()), 50000);
    std::vector<int> in(out);
    if (world_rank() == 0) out.back() = sent;
    if (world_rank() == last) in.front() = expected;
    const Layout out_layout = Layout::packed(out);
    const Layout in_layout = Layout::packed(in);
    const auto total = [](const Layout& layout) {
      return static_cast<std::size_t>(layout.displacements.back() + layout.counts.back());
    };
    std::vector<std::byte> send(total(out_layout), static_cast<std::byte>(world_rank() + 1));
    std::vector<std::byte> received(total(in_layout));
    Plan plan = communicator.plan_alltoallv(std::span<const std::byte>(send), out_layout,
                                            std::span<std::byte>(received), in_layout, {"linear"});
    auto check = [&](auto&& exchange) {
      std::ranges::fill(received, std::byte{0xA5});
      if (world_rank() == last) {
        expect_error(ErrorKind::truncated, "the message from rank 0 has another length", exchange);
      } else {
        exchange();
      }
      for (Rank from = 0; from < world_size(); ++from) {
        const bool wrong = world_rank() == last && from == 0;
        const auto begin =
            received.begin() + in_layout.displacements[static_cast<std::size_t>(from)];
        const auto byte = static_cast<std::byte>(wrong ? 0xA5 : from + 1);
        ASSERT_EQ(std::count(begin, begin + in[static_cast<std::size_t>(from)], byte),
                  in[static_cast<std::size_t>(from)])
            << "from " << from;
      }
    };
    for (int round = 0; round < 3; ++round) {
      check([&] { plan.execute(); });
      check([&] {
        communicator.alltoallv(std::span<const std::byte>(send), out_layout,
                               std::span<std::byte>(received), in_layout, {"linear"});
      });
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace shunt::test
