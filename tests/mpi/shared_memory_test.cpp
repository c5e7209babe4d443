// Exchanges through the memory that the ranks of a node share.
#include <chrono>
#include <cstdlib>
#include <optional>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"
#include "mpi/nodes.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/stream.hpp"
#include "support/expect_error.hpp"
#include "support/variable.hpp"

namespace shunt::test {
namespace {

/// Nothing but the plan itself keeps a fast rank from overtaking a slow one; least of all where the
/// first rank receives nothing.
TEST(SharedMemory, IsNotOverwrittenBeforeAllHaveTaken) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const Mode mode : {Mode::single_buffer, Mode::dual_buffer}) {
    for (const char* name : {"linear", "four-stage", "stages:3"}) {
      SCOPED_TRACE(std::string(name) + ", " + name_of(mode));
      Stream both_ways(communicator, 300, {name, mode, 16, {}});
      Stream one_way(communicator, 300, {name, mode, 16, {}}, true);
      std::minstd_rand random(static_cast<unsigned>(world_rank()) + 1);
      for (Stream* stream : {&both_ways, &one_way}) {
        for (int round = 0; round < 20 + 400 / world_size(); ++round) {
          if (random() % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
          stream->execute(round);
          if (random() % 2 == 0) std::this_thread::yield();
          stream->exchange(round + 1);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

/// Short and long messages, of which MPI carries the long ones, and sets of peers that change.
TEST(SharedMemory, TakesOtherCountsEachTime) {
  Communicator communicator(MPI_COMM_WORLD);
  for (int round = 0; round < 6; ++round) {
    for (const Bytes longest : {3, 32, 33, 200, 50000}) {
      for (const bool one_way : {true, false}) {
        Stream(communicator, longest, {"linear", Mode::dual_buffer, 16, {}}, one_way)
            .exchange(round);
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Rank 0 sends to rank 1, which expects another length; afterwards all goes well again.
TEST(SharedMemory, TellsWhereLengthsDoNotAgree) {
  if (world_size() == 1) GTEST_SKIP() << "there is nobody to send to";
  if (!one_node()) GTEST_SKIP() << "MPI finds out, in its own words";
  Communicator communicator(MPI_COMM_WORLD);
  Stream stream(communicator, 100, {"linear", Mode::dual_buffer, 16, {}});
  const std::vector<std::byte> data(100000);
  std::vector<std::byte> received(100000);
  for (const auto& [sent, expected] :
       {std::pair{8, 4}, {4, 8}, {8, 100000}, {100000, 8}, {32768, 32769}, {40000, 50000}}) {
    SCOPED_TRACE(std::to_string(sent) + " sent, " + std::to_string(expected) + " expected");
    std::vector<int> out(static_cast<std::size_t>(world_size()), 0);
    std::vector<int> in(out);
    if (world_rank() == 0) out[1] = sent;
    if (world_rank() == 1) in[0] = expected;
    auto exchange = [&] {
      communicator.alltoallv(std::span<const std::byte>(data), Layout::packed(out),
                             std::span<std::byte>(received), Layout::packed(in),
                             {.algorithm = "linear"});
    };
    if (world_rank() == 1) {
      expect_error(ErrorKind::truncated, "the message from rank 0 has another length", exchange);
    } else {
      exchange();
    }
    for (int round = 0; round < 3; ++round) {
      stream.exchange(round);
      if (HasFatalFailure()) return;
    }
  }
}

/// Rank 1 lets its plan go before it was executed, or fails in every exchange before it takes
/// anything: rank 0, which has something for it and for nobody else, does not wait for it.
TEST(SharedMemory, IsGivenUpByWhoLeaves) {
  if (world_size() == 1) GTEST_SKIP() << "there is nobody to send to";
  if (!one_node()) GTEST_SKIP() << "MPI waits";
  const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(comm.get());
  std::vector<int> out(static_cast<std::size_t>(world_size()), 0);
  std::vector<int> in(out);
  if (world_rank() == 0) out[1] = 100;
  if (world_rank() == 1) in[0] = 100;
  std::vector<std::byte> data(101);
  std::vector<std::byte> received(101);
  const auto exchange = [&] {
    communicator.alltoallv(std::span<const std::byte>(data), Layout::packed(out),
                           std::span(received), Layout::packed(in), {"linear"});
  };
  {
    std::optional<Plan> plan =
        communicator.plan_alltoallv(std::span<const std::byte>(data), Layout::packed(out),
                                    std::span(received), Layout::packed(in), {"linear"});
    if (world_rank() == 1) plan.reset();
    for (int round = 0; round < 4 && plan; ++round) plan->execute();
  }
  if (world_rank() == 1) out[1] = 1;
  for (int round = 0; round < 4; ++round) {
    if (world_rank() == 1) {
      expect_error(ErrorKind::truncated, "rank 1 sends itself 1 bytes and expects 0", exchange);
    } else {
      exchange();
    }
  }
  MPI_Barrier(comm.get());
}

TEST(SharedMemory, TakesSeveralPlansInTurn) {
  Communicator communicator(MPI_COMM_WORLD);
  Stream first(communicator, 100, {"linear", Mode::dual_buffer, 16, {}});
  Stream second(communicator, 2000, {"row-column", Mode::dual_buffer, 16, {}});
  Stream third(communicator, 40, {"four-stage", Mode::single_buffer, 16, {}});
  for (int round = 0; round < 10; ++round) {
    for (Stream* stream : {&first, &second, &third}) {
      stream->execute(round);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(SharedMemory, IsUsedAnewWhenPlansAreGone) {
  if (world_size() == 1) GTEST_SKIP() << "a rank alone shares nothing";
  const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(comm.get());
  Bytes first = 0;
  // A plan that takes what it can get.
  const Bytes longest = 2400000 / world_size();
  for (int round = 0; round < 12; ++round) {
    Stream stream(communicator, longest, {"linear", Mode::dual_buffer, 16, {}});
    stream.execute(round);
    if (HasFatalFailure()) return;
    if (round == 0) first = stream.peak_shared();
    EXPECT_EQ(stream.peak_shared(), first);
    // Some ranks let go of the plan later than others.
    if (world_rank() % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (one_node()) {
    EXPECT_GT(most_of_all(first), 0);
  }
}

TEST(SharedMemory, LeavesToMpiWhatHasNoRoom) {
  const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(comm.get());
  std::vector<std::unique_ptr<Stream>> streams;
  for (int i = 0; i < 70; ++i) {
    streams.push_back(std::make_unique<Stream>(communicator, 30000, Options{"linear"}));
  }
  if (world_size() > 3 && one_node()) {
    EXPECT_LT(most_of_all(streams.back()->peak_shared()),
              most_of_all(streams.front()->peak_shared()));
  }
  for (int round = 0; round < 2; ++round) {
    streams.front()->execute(round);
    streams.back()->execute(round);
    if (HasFatalFailure()) return;
  }
}

TEST(SharedMemory, IsLeftAloneWhereItIsNotWanted) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const Mode mode : kModes) {
    const bool shared = mode == Mode::blocking;
    Stream stream(communicator, 100, {"four-stage", mode, 16, {}, shared});
    EXPECT_EQ(stream.peak_shared(), 0);
    for (int round = 0; round < 3; ++round) {
      stream.execute(round);
      if (HasFatalFailure()) return;
    }
  }
}

/// A rank that looks into shared memory again and again lets MPI go on meanwhile: here the others
/// need its part in a barrier, which takes several messages, before they enter the exchange.
TEST(SharedMemory, LetsMpiGoOnMeanwhile) {
  Communicator communicator(MPI_COMM_WORLD);
  Stream stream(communicator, 100, {"linear", Mode::dual_buffer, 16, {}});
  for (int round = 0; round < 3; ++round) {
    MPI_Request barrier = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    if (world_rank() != 0) MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    stream.execute(round);
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    if (HasFatalFailure()) return;
  }
}

TEST(SharedMemory, StaysWithinTheNodesOfTheLayout) {
  for (const char* layout : {"blocked:1", "blocked:2", "blocked:3", "round-robin:2"}) {
    if (world_size() == 1 && std::string(layout) == "round-robin:2") continue;
    SCOPED_TRACE(layout);
    const Variable nodes("SHUNT_NODES", layout);
    const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
    Communicator communicator(comm.get());
    for (const char* name : {"linear", "four-stage"}) {
      Stream stream(communicator, 400, {name, Mode::dual_buffer, 16, {}});
      for (int round = 0; round < 6; ++round) {
        stream.execute(round);
        if (HasFatalFailure()) return;
      }
      if (std::string(layout) == "blocked:1") {
        EXPECT_EQ(stream.peak_shared(), 0);
      }
    }
  }
}

TEST(SharedMemory, OfALayoutThatCannotBe) {
  for (const char* layout : {"three", "0", "1000000,4", "/"}) {
    const Variable nodes("SHUNT_NODES", layout);
    const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
    expect_error(ErrorKind::argument, "SHUNT_NODES",
                 [&] { Communicator communicator(comm.get()); });
  }
}

}  // namespace
}  // namespace shunt::test
