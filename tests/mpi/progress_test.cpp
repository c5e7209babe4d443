// Whoever waits makes progress with what else is under way: ranks may wait for the same exchanges
// in different orders, whatever kinds of exchange they are.
#include <thread>

#include <gtest/gtest.h>

#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "mpi/nodes.hpp"
#include "mpi/own_communicator.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

class MakesProgress : public testing::TestWithParam<const char*> {
 protected:
  MakesProgress()
      : traffic_(make_traffic("random", {world_size(), 60, 1, 3})),
        planned_(*traffic_, 8, [](Rank, Rank) { return true; }),
        at_once_(*traffic_, 3, [](Rank, Rank) { return true; }) {}

  Plan plan() {
    return communicator_.plan_alltoallv(planned_.to_send(), planned_.send_bytes(),
                                        planned_.to_receive(), planned_.receive_bytes(),
                                        {GetParam(), Mode::dual_buffer, 64, {}});
  }

  /// Half of the ranks wait for the plan before `call`, the others after it.
  template <class Call>
  void around(Plan& plan, Call&& call) {
    plan.start();
    if (world_rank() % 2 == 0) plan.wait();
    call();
    if (world_rank() % 2 != 0) plan.wait();
    EXPECT_EQ(planned_.received, planned_.expected);
  }

  Communicator communicator_{MPI_COMM_WORLD};
  std::unique_ptr<Traffic> traffic_;
  BlockCase planned_;
  BlockCase at_once_;
};

TEST_P(MakesProgress, OneShotExchanges) {
  for (const char* algorithm : {"linear", "four-stage"}) {
    for (const Mode mode : kModes) {
      SCOPED_TRACE(std::string(algorithm) + ", " + name_of(mode));
      planned_.poison();
      at_once_.poison();
      Plan slow = plan();
      around(slow, [&] {
        communicator_.alltoallv(at_once_.to_send(), at_once_.send_bytes(), at_once_.to_receive(),
                                at_once_.receive_bytes(), {algorithm, mode, 64, {}});
      });
      EXPECT_EQ(at_once_.received, at_once_.expected);
    }
  }
}

/// The all-gathers are so long that MPI's own function would wait for all ranks, and make no
/// progress with other exchanges.
TEST_P(MakesProgress, LongAllgathers) {
  const std::vector<int> own(20000, world_rank());
  for (const char* algorithm : {"recursive-halving", "native"}) {
    SCOPED_TRACE(algorithm);
    planned_.poison();
    Plan slow = plan();
    std::vector<int> all(own.size() * static_cast<std::size_t>(world_size()), -1);
    around(slow, [&] {
      communicator_.allgatherv(std::span<const int>(own), std::span<int>(all),
                               Layout::packed(std::vector<Bytes>(
                                   static_cast<std::size_t>(world_size()), std::ssize(own))),
                               {algorithm, Mode::dual_buffer, 64, {}});
    });
    for (std::size_t k = 0; k < all.size(); ++k) {
      ASSERT_EQ(all[k], static_cast<int>(k / own.size()));
    }
  }
}

/// What goes wrong with a plan is said to whoever waits for that one, and to nobody else.
TEST_P(MakesProgress, ErrorsAreOfTheirOwnPlan) {
  if (world_size() == 1) GTEST_SKIP() << "there is nobody to send to";
  if (!one_node()) GTEST_SKIP() << "MPI finds out, in its own words";
  std::vector<int> out(static_cast<std::size_t>(world_size()), 0);
  std::vector<int> in(out);
  if (world_rank() == 0) out[1] = 8;
  if (world_rank() == 1) in[0] = 4;
  const std::vector<std::byte> data(8);
  std::vector<std::byte> received(8);
  for (const bool polls : {false, true}) {
    planned_.poison();
    at_once_.poison();
    Plan wrong = communicator_.plan_alltoallv(std::span<const std::byte>(data), Layout::packed(out),
                                              std::span(received), Layout::packed(in), {"linear"});
    Plan right = plan();
    wrong.start();
    right.start();
    while (polls && !right.test()) std::this_thread::yield();
    right.wait();
    EXPECT_EQ(planned_.received, planned_.expected);
    communicator_.alltoallv(at_once_.to_send(), at_once_.send_bytes(), at_once_.to_receive(),
                            at_once_.receive_bytes(), {GetParam(), Mode::dual_buffer, 64, {}});
    EXPECT_EQ(at_once_.received, at_once_.expected);
    if (world_rank() == 1) {
      expect_error(ErrorKind::truncated, "the message from rank 0 has another length",
                   [&] { wrong.wait(); });
    } else {
      wrong.wait();
    }
    wrong.wait();
  }
}

TEST_P(MakesProgress, RecordExchanges) {
  const std::vector<int> records(100, world_rank());
  for (const Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    planned_.poison();
    Plan slow = plan();
    around(slow, [&] {
      const auto received = communicator_.exchange(
          std::span<const int>(records), [](int from) { return (from + 1) % world_size(); },
          {"four-stage", mode, 64, {}});
      EXPECT_EQ(received.size(), records.size());
    });
  }
}

TEST_P(MakesProgress, CountsAndPlanning) {
  Plan slow = plan();
  around(slow, [&] {
    const std::vector<Bytes> counts(static_cast<std::size_t>(world_size()), world_rank());
    const std::vector<Bytes> received = communicator_.transpose_counts(counts);
    for (std::size_t k = 0; k < received.size(); ++k) EXPECT_EQ(received[k], static_cast<Bytes>(k));
  });
  planned_.poison();
  Plan other = plan();
  around(other, [&] {
    Plan inner = communicator_.plan_alltoallv(at_once_.to_send(), at_once_.send_bytes(),
                                              at_once_.to_receive(), at_once_.receive_bytes(), {});
    at_once_.poison();
    inner.execute();
    EXPECT_EQ(at_once_.received, at_once_.expected);
  });
}

/// A plan is executed by some ranks, started and waited for by others.
TEST_P(MakesProgress, ExecutingIsStartingAndWaiting) {
  Plan mixed = plan();
  if (world_rank() == 0) {
    mixed.execute();
  } else {
    mixed.start();
    mixed.wait();
  }
  EXPECT_EQ(planned_.received, planned_.expected);
}

/// Plans on two communicators, each waited for first by half of the ranks.
TEST_P(MakesProgress, PlansOfOtherCommunicators) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level == MPI_THREAD_MULTIPLE) GTEST_SKIP() << "not under MPI_THREAD_MULTIPLE";
  const OwnCommunicator other_comm = OwnCommunicator::split(MPI_COMM_WORLD, 0, 0);
  Communicator other_communicator(other_comm.get());
  Plan other = other_communicator.plan_alltoallv(at_once_.to_send(), at_once_.send_bytes(),
                                                 at_once_.to_receive(), at_once_.receive_bytes(),
                                                 {GetParam(), Mode::dual_buffer, 64, {}});
  at_once_.poison();
  Plan first = plan();
  other.start();
  around(first, [] {});
  other.wait();
  EXPECT_EQ(at_once_.received, at_once_.expected);
  planned_.poison();
  at_once_.poison();
  Plan second = plan();
  second.start();
  other.start();
  if (world_rank() % 2 == 0) {
    second.wait();
    other.wait();
  } else {
    other.wait();
    second.wait();
  }
  EXPECT_EQ(planned_.received, planned_.expected);
  EXPECT_EQ(at_once_.received, at_once_.expected);
}

INSTANTIATE_TEST_SUITE_P(Plans, MakesProgress, testing::Values("two-stage", "four-stage", "native"),
                         test_name_of);

}  // namespace
}  // namespace shunt::test
