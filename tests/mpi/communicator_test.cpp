// Which communicators a Communicator works on, what it keeps on them, and that it leaves them
// alone.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "context/context.hpp"
#include "mpi/block_case.hpp"
#include "mpi/nodes.hpp"
#include "mpi/own_communicator.hpp"
#include "support/temporary_file.hpp"
#include "support/variable.hpp"

namespace shunt::test {
namespace {

/// Sends every rank of the Communicator its own and the sender's rank, by all the ways there are.
void expect_exact(Communicator& communicator, const std::string& algorithm = "four-stage") {
  const auto ranks = static_cast<std::size_t>(communicator.ranks());
  const Layout layout = Layout::packed(std::vector<int>(ranks, 2));
  std::vector<Rank> send;
  std::vector<Rank> expected;
  for (Rank peer = 0; peer < communicator.ranks(); ++peer) {
    send.insert(send.end(), {communicator.rank(), peer});
    expected.insert(expected.end(), {peer, communicator.rank()});
  }
  const Options options{algorithm, Mode::dual_buffer, 4, {}};
  std::vector<Rank> received(send.size(), kNoRank);
  communicator.alltoallv(std::span<const Rank>(send), layout, std::span<Rank>(received), layout,
                         options);
  ASSERT_EQ(received, expected);

  std::ranges::fill(received, kNoRank);
  communicator
      .plan_alltoallv(std::span<const Rank>(send), layout, std::span<Rank>(received), layout,
                      options)
      .execute();
  ASSERT_EQ(received, expected);

  std::vector<Rank> everyone(ranks);
  std::iota(everyone.begin(), everyone.end(), 0);
  const auto records = communicator.exchange(std::span<const Rank>(everyone), everyone, options);
  ASSERT_EQ(std::ranges::count(records, communicator.rank()), std::ssize(everyone));
}

TEST(Communicators, Duplicate) {
  const auto duplicate = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(duplicate.get());
  EXPECT_EQ(communicator.rank(), world_rank());
  EXPECT_EQ(communicator.ranks(), world_size());
  expect_exact(communicator);
}

TEST(Communicators, OddAndEvenRanks) {
  const auto half = OwnCommunicator::split(MPI_COMM_WORLD, world_rank() % 2, world_rank());
  Communicator communicator(half.get());
  EXPECT_EQ(communicator.rank(), world_rank() / 2);
  for (const char* name : {"linear", "two-stage", "row-column", "four-stage"})
    expect_exact(communicator, name);
}

/// Parts of sizes 1, 2, 3 and so on exchange at once, each as often as it likes.
TEST(Communicators, PartsOfAllSizes) {
  int part = 0;
  for (int end = 1; end <= world_rank(); end += part + 1) ++part;
  const auto own = OwnCommunicator::split(MPI_COMM_WORLD, part, 0);
  Communicator communicator(own.get());
  for (int round = 0; round <= part % 3; ++round) expect_exact(communicator);
}

TEST(Communicators, ReversedRanks) {
  const auto reversed = OwnCommunicator::split(MPI_COMM_WORLD, 0, -world_rank());
  Communicator communicator(reversed.get());
  EXPECT_EQ(communicator.rank(), world_size() - 1 - world_rank());
  expect_exact(communicator);
}

/// Every rank shares a node, in all communicators, with the ranks of the world that share its node.
void expect_nodes_of_the_world(MPI_Comm comm) {
  const std::shared_ptr<Context> state = Context::of(comm);
  std::vector<int> in_world(static_cast<std::size_t>(state->ranks()));
  const int mine = world_rank();
  MPI_Allgather(&mine, 1, MPI_INT, in_world.data(), 1, MPI_INT, comm);
  const Machine world = world_machine();
  std::vector<Rank> nodes;
  for (const int rank : in_world) nodes.push_back(world.node_of(rank));
  EXPECT_EQ(*state->topology.machine(), Machine::of_labels(nodes));
  EXPECT_EQ(state->topology.machine(), state->topology.machine());
}

TEST(NodesOfCommunicators, AreThoseOfTheWorld) {
  expect_nodes_of_the_world(MPI_COMM_WORLD);
  expect_nodes_of_the_world(OwnCommunicator::split(MPI_COMM_WORLD, 0, -world_rank()).get());
  expect_nodes_of_the_world(
      OwnCommunicator::split(MPI_COMM_WORLD, world_rank() % 2, world_rank()).get());
  expect_nodes_of_the_world(MPI_COMM_SELF);
}

TEST(NodesOfCommunicators, ServeTheAlgorithms) {
  const auto reversed = OwnCommunicator::split(MPI_COMM_WORLD, 0, -world_rank());
  const auto half = OwnCommunicator::split(MPI_COMM_WORLD, world_rank() % 2, world_rank());
  for (const MPI_Comm comm : {reversed.get(), half.get()}) {
    Communicator communicator(comm);
    for (const std::string& name : node_algorithm_names()) {
      SCOPED_TRACE(name);
      expect_exact(communicator, name);
    }
  }
}

TEST(NodesOfCommunicators, AreReadFromAFile) {
  std::string text;
  for (int rank = 0; rank < world_size(); ++rank) text += rank % 3 == 1 ? "1\n" : "0 ";
  const TemporaryFile file(".nodes", text);
  const Variable nodes("SHUNT_NODES", file.path().c_str());
  const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  expect_nodes_of_the_world(comm.get());
}

TEST(Communicators, Self) {
  Communicator communicator(MPI_COMM_SELF);
  EXPECT_EQ(communicator.rank(), 0);
  EXPECT_EQ(communicator.ranks(), 1);
  for (const char* name : {"linear", "two-stage", "row-column", "four-stage", "stages:3", "groups"})
    expect_exact(communicator, name);
}

/// Hears when the private duplicate behind a communicator is freed.
class Obituary {
 public:
  Obituary() { MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &Obituary::note, &key_, nullptr); }
  ~Obituary() { MPI_Comm_free_keyval(&key_); }
  Obituary(const Obituary&) = delete;
  Obituary& operator=(const Obituary&) = delete;

  /// Counts in `deaths` when the duplicate that Shunt keeps for `comm` is freed.
  void await(MPI_Comm comm, int& deaths) const {
    MPI_Comm_set_attr(Context::of(comm)->comm(), key_, &deaths);
  }

 private:
  static int note(MPI_Comm /*comm*/, int /*key*/, void* deaths, void* /*extra*/) {
    ++*static_cast<int*>(deaths);
    return MPI_SUCCESS;
  }

  int key_ = MPI_KEYVAL_INVALID;
};

TEST(CommunicatorStates, EndWithTheirCommunicator) {
  const Obituary obituary;
  int deaths = 0;
  auto own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  { Communicator communicator(own.get()); }
  obituary.await(own.get(), deaths);
  EXPECT_EQ(deaths, 0);
  own.free();
  EXPECT_EQ(deaths, 1);
}

TEST(CommunicatorStates, LastAsLongAsTheirCommunicators) {
  const Obituary obituary;
  int deaths = 0;
  auto own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  std::optional<Communicator> communicator(own.get());
  obituary.await(own.get(), deaths);
  own.free();
  EXPECT_EQ(deaths, 0);
  expect_exact(*communicator);
  communicator.reset();
  EXPECT_EQ(deaths, 1);
}

TEST(CommunicatorStates, LastAsLongAsTheirPlans) {
  const Obituary obituary;
  int deaths = 0;
  auto own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  const auto ranks = static_cast<std::size_t>(world_size());
  const Layout layout = Layout::packed(std::vector<int>(ranks, 1));
  const std::vector<int> send(ranks, world_rank());
  std::vector<int> received(ranks);
  std::optional<Plan> plan;
  {
    Communicator communicator(own.get());
    obituary.await(own.get(), deaths);
    plan = communicator.plan_alltoallv(std::span<const int>(send), layout, std::span<int>(received),
                                       layout, {"four-stage", Mode::dual_buffer, 4, {}});
  }
  own.free();
  EXPECT_EQ(deaths, 0);
  plan->execute();
  EXPECT_EQ(received.back(), world_size() - 1);
  plan.reset();
  EXPECT_EQ(deaths, 1);
}

TEST(CommunicatorStates, AreSharedByTheObjectsOfOneCommunicator) {
  const auto own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator first(own.get());
  const auto state = Context::of(own.get());
  const long owners = state.use_count();
  Communicator second(own.get());
  EXPECT_EQ(Context::of(own.get()), state);
  EXPECT_EQ(state.use_count(), owners + 1);
  // Tags are drawn from one row, so that the two do not get into each other's way.
  expect_exact(first);
  expect_exact(second);
  expect_exact(first);
}

/// A duplicate of a user's communicator is another communicator.
TEST(CommunicatorStates, AreNotCopied) {
  const auto own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(own.get());
  const auto copy = OwnCommunicator::duplicate(own.get());
  EXPECT_NE(Context::of(copy.get()), Context::of(own.get()));
}

/// MPI libraries have room for some thousand communicators at a time. Every rank does the same by
/// itself, so many ranks need not do it.
TEST(CommunicatorStates, OfThousandsOneAfterTheOther) {
  const Obituary obituary;
  const int many = world_size() <= 4 ? 2000 : 100;
  int deaths = 0;
  for (int i = 0; i < many; ++i) {
    const auto own = OwnCommunicator::duplicate(MPI_COMM_SELF);
    Communicator communicator(own.get());
    obituary.await(own.get(), deaths);
    if (i % 100 == 0) expect_exact(communicator);
  }
  EXPECT_EQ(deaths, many);
}

TEST(CommunicatorStates, OfManyOnAllRanks) {
  const Obituary obituary;
  const int many = 10 + 200 / world_size();
  int deaths = 0;
  for (int i = 0; i < many; ++i) {
    const auto own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
    Communicator communicator(own.get());
    obituary.await(own.get(), deaths);
    if (i % 10 == 0) expect_exact(communicator);
  }
  EXPECT_EQ(deaths, many);
}

/// Receives that take anything from anyone are pending on the user's communicator meanwhile.
TEST(UsersTraffic, IsNotTouched) {
  const int ranks = world_size();
  const int next = (world_rank() + 1) % ranks;
  const int previous = (world_rank() + ranks - 1) % ranks;
  constexpr int kReceives = 3;
  int received[kReceives] = {-1, -1, -1};
  MPI_Request requests[kReceives];
  for (int i = 0; i < kReceives; ++i) {
    MPI_Irecv(&received[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
  }
  Communicator communicator(MPI_COMM_WORLD);
  for (const char* name : {"linear", "four-stage"}) expect_exact(communicator, name);
  for (MPI_Request& request : requests) {
    int through = 1;
    MPI_Test(&request, &through, MPI_STATUS_IGNORE);
    EXPECT_EQ(through, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);  // nobody sends before all have looked
  for (int i = 0; i < kReceives; ++i) {
    const int value = 100 * world_rank() + i;
    MPI_Send(&value, 1, MPI_INT, next, 7 + i, MPI_COMM_WORLD);
  }
  MPI_Status statuses[kReceives];
  MPI_Waitall(kReceives, requests, statuses);
  for (int i = 0; i < kReceives; ++i) {
    EXPECT_EQ(received[i], 100 * previous + i);
    EXPECT_EQ(statuses[i].MPI_SOURCE, previous);
    EXPECT_EQ(statuses[i].MPI_TAG, 7 + i);
  }
}

/// The user's messages that nobody has asked for yet stay where they are.
TEST(UsersTraffic, WaitsUnasked) {
  const int ranks = world_size();
  const int next = (world_rank() + 1) % ranks;
  const int previous = (world_rank() + ranks - 1) % ranks;
  constexpr int kTag = 0;  // also the first tag that Shunt draws
  const int value = world_rank();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(&value, 1, MPI_INT, next, kTag, MPI_COMM_WORLD, &request);
  Communicator communicator(MPI_COMM_WORLD);
  expect_exact(communicator);
  int received = -1;
  MPI_Recv(&received, 1, MPI_INT, previous, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(received, previous);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// Nor are the settings of the user's communicator.
TEST(UsersTraffic, KeepsItsErrorHandler) {
  const auto own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(own.get(), MPI_ERRORS_ARE_FATAL);
  Communicator communicator(own.get());
  expect_exact(communicator);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(own.get(), &handler);
  EXPECT_EQ(handler, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
}

}  // namespace
}  // namespace shunt::test
