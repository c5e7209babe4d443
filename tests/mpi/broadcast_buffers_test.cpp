// All-gathers that ranks of a node publish for each other: long ones in rounds, many at once, and
// what happens where the ranks do not agree.
#include "transport/broadcast_buffers.hpp"

#include <chrono>
#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "mpi/gather_case.hpp"
#include "mpi/nodes.hpp"

namespace shunt::test {
namespace {

constexpr const char* kDirect = "direct";

/// More than the pages of a broadcast buffer hold together.
constexpr Bytes kMoreThanAll = Bytes{BroadcastBuffer::kPages + 1} * BroadcastBuffers::kLongestRound;

/// Of all ranks, each by another number of rounds, and one that has nothing.
std::vector<Bytes> uneven_lengths() {
  std::vector<Bytes> lengths;
  for (Rank rank = 0; rank < world_size(); ++rank) {
    lengths.push_back(rank % 4 == 3 ? 0 : 1 + rank % 4 * (kMoreThanAll + 13));
  }
  return lengths;
}

/// What a rank has in shared memory at a time, where ranks share it.
void expect_shared(Bytes published, Bytes own) {
  if (!one_node() || world_size() == 1) return;
  EXPECT_EQ(published,
            std::min(own, Bytes{BroadcastBuffer::kPages} * BroadcastBuffers::kLongestRound));
}

TEST(BroadcastBuffersExactness, LongBlocksInRounds) {
  Communicator communicator(MPI_COMM_WORLD);
  GatherCase gather(uneven_lengths(), 1);
  for (const char* name : {kDirect, "node-halving-direct", "node-lanes", "auto"}) {
    SCOPED_TRACE(name);
    Plan plan =
        communicator.plan_allgatherv(gather.to_send(), gather.to_receive(), gather.layout, {name});
    for (int round = 0; round < 4; ++round) {
      gather.refill(round);
      const Counters counters =
          communicator.allgatherv(gather.to_send(), gather.to_receive(), gather.layout, {name});
      ASSERT_EQ(gather.received, gather.expected) << "round " << round;
      if (name != std::string("auto")) expect_shared(counters.peak_shared, std::ssize(gather.send));
      gather.poison();
      plan.execute();
      ASSERT_EQ(gather.received, gather.expected) << "plan, round " << round;
    }
  }
}

/// Nobody may write anew what a slow rank has still to read.
TEST(BroadcastBuffersExactness, RanksThatAreLate) {
  Communicator communicator(MPI_COMM_WORLD);
  GatherCase gather(std::vector<Bytes>(static_cast<std::size_t>(world_size()), 40), 1);
  for (int round = 0; round < 40; ++round) {
    gather.refill(round);
    for (int k = 0; world_rank() == round % world_size() && k < 20; ++k) {
      std::this_thread::yield();
    }
    for (int again = 0; again < 3; ++again) {
      gather.poison();
      communicator.allgatherv(gather.to_send(), gather.to_receive(), gather.layout, {kDirect});
      ASSERT_EQ(gather.received, gather.expected) << "round " << round;
    }
  }
}

/// A source that waits for nobody comes to its headers and pages again before the others have read
/// them once.
TEST(BroadcastBuffersExactness, ReadersThatAreLate) {
  Communicator communicator(MPI_COMM_WORLD);
  constexpr int kInARow = 2 * static_cast<int>(BroadcastBuffer::kHeaders);
  for (const Bytes length : {Bytes{40}, Bytes{112}, Bytes{5000}, kMoreThanAll}) {
    std::vector<Bytes> lengths(static_cast<std::size_t>(world_size()), 0);
    lengths.front() = length;
    GatherCase gather(lengths, 1);
    Plan plan = communicator.plan_allgatherv(gather.to_send(), gather.to_receive(), gather.layout,
                                             {kDirect});
    // MPI's answers are known before, so that nothing else has the ranks meet.
    for (int round = 0; round < kInARow; ++round) gather.refill(round);
    if (world_rank() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (int round = 0; round < kInARow; ++round) {
      gather.refill(round);
      plan.execute();
      ASSERT_EQ(gather.received, gather.expected) << length << " bytes, plan, round " << round;
      gather.poison();
      communicator.allgatherv(gather.to_send(), gather.to_receive(), gather.layout, {kDirect});
      ASSERT_EQ(gather.received, gather.expected) << length << " bytes, round " << round;
    }
  }
}

/// All-gathers of short blocks use headers again while pages of longer blocks are still to be read.
TEST(BroadcastBuffersExactness, ReadersOfShortAndLongBlocksThatAreLate) {
  Communicator communicator(MPI_COMM_WORLD);
  std::vector<GatherCase> cases;
  for (const Bytes length : {Bytes{1}, Bytes{112}, Bytes{113}, Bytes{8192}, Bytes{5}}) {
    std::vector<Bytes> lengths(static_cast<std::size_t>(world_size()), 0);
    lengths.front() = length;
    cases.emplace_back(lengths, 1);
  }
  constexpr int kInARow = 2 * static_cast<int>(BroadcastBuffer::kHeaders);
  // MPI's answers are known before, as above.
  const auto case_of = [&](int round) -> GatherCase& {
    return cases[static_cast<std::size_t>(round) % cases.size()];
  };
  for (int round = 0; round < kInARow; ++round) case_of(round).refill(round);
  if (world_rank() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  for (int round = 0; round < kInARow; ++round) {
    GatherCase& gather = case_of(round);
    gather.refill(round);
    communicator.allgatherv(gather.to_send(), gather.to_receive(), gather.layout, {kDirect});
    ASSERT_EQ(gather.received, gather.expected) << "round " << round;
  }
}

TEST(BroadcastBuffersExactness, PlansInAnyOrder) {
  Communicator communicator(MPI_COMM_WORLD);
  std::vector<GatherCase> cases;
  for (const SourceCase& sources : source_cases(world_size(), 100000)) {
    cases.emplace_back(sources.counts, 1);
  }
  std::vector<Plan> plans;
  for (GatherCase& gather : cases) {
    plans.push_back(communicator.plan_allgatherv(gather.to_send(), gather.to_receive(),
                                                 gather.layout, {kDirect}));
  }
  GatherCase between(uneven_lengths(), 1);
  for (int round = 0; round < 3; ++round) {
    const auto first = static_cast<std::size_t>(world_rank() + round);
    for (GatherCase& gather : cases) gather.refill(round);
    for (std::size_t k = 0; k < plans.size(); ++k) plans[(first + k) % plans.size()].start();
    between.poison();
    communicator.allgatherv(between.to_send(), between.to_receive(), between.layout, {kDirect});
    for (std::size_t k = plans.size(); k > 0; --k) plans[(first + k) % plans.size()].wait();
    EXPECT_EQ(between.received, between.expected);
    for (const GatherCase& gather : cases) EXPECT_EQ(gather.received, gather.expected);
  }
}

/// More plans than there is memory for: the others go through MPI. When they are gone, there is
/// room again.
TEST(BroadcastBuffersExactness, AsLongAsThereIsRoom) {
  Communicator communicator(MPI_COMM_WORLD);
  GatherCase gather(std::vector<Bytes>(static_cast<std::size_t>(world_size()), 100000), 1);
  for (int round = 0; round < 3; ++round) {
    std::vector<Plan> plans;
    for (int k = 0; k < 40; ++k) {
      plans.push_back(communicator.plan_allgatherv(gather.to_send(), gather.to_receive(),
                                                   gather.layout, {kDirect}));
    }
    expect_shared(plans.front().counters().peak_shared, 100000);
    EXPECT_EQ(plans.back().counters().peak_shared, 0);
    for (Plan* plan : {&plans.front(), &plans.back()}) {
      gather.refill(round);
      plan->execute();
      ASSERT_EQ(gather.received, gather.expected);
    }
  }
}

/// Collective: whether some rank publishes something in shared memory. Nodes differ in their room.
bool shown_anywhere(const Plan& plan) { return most_of_all(plan.counters().peak_shared) > 0; }

/// Plans of blocks of `length` bytes from all ranks until one has no room on any node.
std::vector<Plan> fill(Communicator& communicator, Bytes length,
                       const std::function<void()>& after_each) {
  GatherCase filler(std::vector<Bytes>(static_cast<std::size_t>(world_size()), length), 1);
  std::vector<Plan> plans;
  do {
    plans.push_back(communicator.plan_allgatherv(filler.to_send(), filler.to_receive(),
                                                 filler.layout, {kDirect}));
    after_each();
  } while (shown_anywhere(plans.back()));
  return plans;
}

/// Nothing gets lost however little room is left: what remains after some of the longest broadcast
/// buffers and some of 1000 bytes is tried in steps of 128 bytes, from four beginnings.
TEST(BroadcastBuffersExactness, InWhateverRoomThereIs) {
  Communicator communicator(MPI_COMM_WORLD);
  GatherCase tried(uneven_lengths(), 1);
  std::vector<std::vector<Plan>> coarse;
  for (const Bytes length : {100000, 1000}) {
    coarse.push_back(fill(communicator, length, [] {}));
    std::vector<Plan>& plans = coarse.back();
    plans.erase(plans.end() - std::min<std::ptrdiff_t>(3, std::ssize(plans)), plans.end());
  }
  GatherCase shortest(std::vector<Bytes>(static_cast<std::size_t>(world_size()), 40), 1);
  std::vector<Plan> shift;
  for (int k = 0; k < 4; ++k) {
    (void)fill(communicator, 64, [&] {
      Plan plan = communicator.plan_allgatherv(tried.to_send(), tried.to_receive(), tried.layout,
                                               {kDirect});
      tried.poison();
      plan.execute();
      ASSERT_EQ(tried.received, tried.expected);
    });
    shift.push_back(communicator.plan_allgatherv(shortest.to_send(), shortest.to_receive(),
                                                 shortest.layout, {kDirect}));
  }
}

TEST(BroadcastBuffersExactness, NotUnlessAllowed) {
  Communicator communicator(MPI_COMM_WORLD);
  GatherCase gather(std::vector<Bytes>(static_cast<std::size_t>(world_size()), 100), 1);
  for (const Mode mode : {Mode::blocking, Mode::dual_buffer}) {
    gather.poison();
    const bool allowed = mode == Mode::blocking;
    const Counters counters = communicator.allgatherv(
        gather.to_send(), gather.to_receive(), gather.layout, {kDirect, mode, 16, {}, allowed});
    EXPECT_EQ(counters.peak_shared, 0);
    ASSERT_EQ(gather.received, gather.expected);
  }
}

/// One rank expects another length of rank 1 than all others: it says so, nobody hangs, and all are
/// ready for the next all-gather.
TEST(BroadcastBuffers, SayWhereLengthsDoNotAgree) {
  if (!one_node() || world_size() < 3) GTEST_SKIP() << "three ranks of one node";
  Communicator communicator(MPI_COMM_WORLD);
  for (const auto& [sent, expected] : {std::pair<Bytes, Bytes>{20, 30},
                                       {20, 300000},
                                       {300000, 20},
                                       {300000, 70000},
                                       {70000, 300000},
                                       {0, 5}}) {
    SCOPED_TRACE(testing::Message() << sent << " bytes in the place of " << expected);
    std::vector<Bytes> counts(static_cast<std::size_t>(world_size()), 10);
    const bool errs = world_rank() == 2;
    counts[1] = errs ? expected : sent;
    const Layout layout = Layout::packed(counts);
    const std::vector<std::byte> own(
        static_cast<std::size_t>(counts[static_cast<std::size_t>(world_rank())]));
    std::vector<std::byte> received(
        static_cast<std::size_t>(layout.displacements.back() + counts.back()));
    Plan plan = communicator.plan_allgatherv(std::span<const std::byte>(own), std::span(received),
                                             layout, {kDirect});
    for (const bool planned : {false, true}) {
      std::string said;
      try {
        if (planned) {
          plan.execute();
        } else {
          communicator.allgatherv(std::span<const std::byte>(own), std::span(received), layout,
                                  {kDirect});
        }
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::truncated);
        said = error.what();
      }
      EXPECT_EQ(said.find("the message from rank 1 has another length") != std::string::npos, errs)
          << (planned ? "plan: " : "call: ") << said;
    }
    GatherCase gather(uneven_lengths(), 1);
    communicator.allgatherv(gather.to_send(), gather.to_receive(), gather.layout, {kDirect});
    EXPECT_EQ(gather.received, gather.expected);
  }
}

/// The first executions bring in no memory: what they took would not be what later ones take.
TEST(BroadcastBuffers, AreThereOnceThePlanIs) {
  if (!one_node() || world_size() == 1) GTEST_SKIP() << "several ranks of one node";
  Communicator communicator(MPI_COMM_WORLD);
  const Bytes length = BroadcastBuffers::kLongestRound;
  GatherCase gather(std::vector<Bytes>(static_cast<std::size_t>(world_size()), length), 1);
  gather.poison();
  Plan plan =
      communicator.plan_allgatherv(gather.to_send(), gather.to_receive(), gather.layout, {kDirect});
  const auto faults_of_all_pages = [&plan] {
    rusage before{};
    rusage after{};
    getrusage(RUSAGE_SELF, &before);
    for (std::size_t k = 0; k < BroadcastBuffer::kPages; ++k) plan.execute();
    getrusage(RUSAGE_SELF, &after);
    return after.ru_minflt - before.ru_minflt;
  };
  const long first = faults_of_all_pages();
  constexpr long kOfOtherThings = 8;
  EXPECT_LE(first, faults_of_all_pages() + kOfOtherThings);
}

TEST(BroadcastBuffers, ComeFirstWherePlansAreChosen) {
  if (!one_node() || world_size() == 1) GTEST_SKIP() << "several ranks of one node";
  Communicator communicator(MPI_COMM_WORLD);
  GatherCase gather(std::vector<Bytes>(static_cast<std::size_t>(world_size()), 9), 1);
  const Plan plan =
      communicator.plan_allgatherv(gather.to_send(), gather.to_receive(), gather.layout);
  EXPECT_NE(plan.explain().find("tried direct"), std::string::npos) << plan.explain();
  // What is expected to be fastest, whatever other calls on this communicator have found.
  const Counters counters = communicator.allgatherv(gather.to_send(), gather.to_receive(),
                                                    gather.layout, {.effort = Effort::estimate});
  EXPECT_GT(counters.peak_shared, 0);
}

/// How many messages this rank receives in each stage, and how long the longest is.
std::vector<std::pair<int, Bytes>> received(const Counters& counters) {
  std::vector<std::pair<int, Bytes>> received;
  for (const StageCounters& stage : counters.stages) {
    received.emplace_back(stage.messages_received, stage.longest_received);
  }
  return received;
}

TEST(BroadcastBuffersOnNodes, ComeFirstWherePlansAreChosen) {
  const Machine nodes = world_machine();
  if (nodes.nodes() == 1 || nodes.nodes() == world_size()) GTEST_SKIP() << "nodes of several ranks";
  Communicator communicator(MPI_COMM_WORLD);
  GatherCase gather(std::vector<Bytes>(static_cast<std::size_t>(world_size()), 9), 1);
  const Plan plan =
      communicator.plan_allgatherv(gather.to_send(), gather.to_receive(), gather.layout);
  EXPECT_NE(plan.explain().find("tried node-halving-direct"), std::string::npos) << plan.explain();
  EXPECT_EQ(received(communicator.allgatherv(gather.to_send(), gather.to_receive(), gather.layout,
                                             {.effort = Effort::estimate})),
            received(communicator.allgatherv(gather.to_send(), gather.to_receive(), gather.layout,
                                             {"node-halving-direct"})));
  EXPECT_EQ(gather.received, gather.expected);
}

}  // namespace
}  // namespace shunt::test
