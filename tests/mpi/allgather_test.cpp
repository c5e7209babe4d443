// Every all-gather in every mode, byte for byte as MPI_Allgatherv.
#include <gtest/gtest.h>

#include "context/allgather_route.hpp"
#include "lab/flow/allgather_flow.hpp"
#include "mpi/gather_case.hpp"
#include "mpi/modes_in_turn.hpp"
#include "mpi/nodes.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

/// Some of the messages are packed, and some are too long for that.
constexpr Bytes kLongestSource = 3000;
constexpr std::size_t kElementSize = 7;

/// All all-gathers, and what else a caller may ask for.
std::vector<std::string> all_names() {
  std::vector<std::string> names = tried_allgathers();
  names.emplace_back("auto");
  names.emplace_back("native");
  return names;
}

/// Runs `check(name, mode, case)` for all all-gathers of all cases.
template <class Check>
void for_each_allgather(Check&& check) {
  std::size_t turn = 0;
  for (const SourceCase& sources : source_cases(world_size(), kLongestSource)) {
    GatherCase gather(sources.counts, kElementSize, turn % 2 == 1);
    for (const std::string& name : all_names()) {
      for (const Mode mode : modes_in_turn(turn++)) {
        SCOPED_TRACE(name + ", " + name_of(mode) + ", sources: " + sources.name);
        check(Options{name, mode}, gather);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(AllgatherExactness, OneShot) {
  Communicator communicator(MPI_COMM_WORLD);
  for_each_allgather([&](const Options& options, GatherCase& gather) {
    gather.poison();
    communicator.allgatherv(gather.to_send(), gather.to_receive(), gather.layout, options);
    ASSERT_EQ(gather.received, gather.expected);
  });
}

TEST(AllgatherExactness, InPlaceInASmallWindow) {
  Communicator communicator(MPI_COMM_WORLD);
  for_each_allgather([&](Options options, GatherCase& gather) {
    options.window = {1, 2000};
    gather.poison();
    communicator.allgatherv(gather.put_own(), gather.to_receive(), gather.layout, options);
    ASSERT_EQ(gather.received, gather.expected);
  });
}

TEST(AllgatherExactness, Plan) {
  Communicator communicator(MPI_COMM_WORLD);
  for_each_allgather([&](const Options& options, GatherCase& gather) {
    if (options.algorithm == "auto") return;  // see below: each one tries many
    Plan plan =
        communicator.plan_allgatherv(gather.to_send(), gather.to_receive(), gather.layout, options);
    for (int round = 0; round < 2; ++round) {
      gather.refill(round);
      plan.execute();
      ASSERT_EQ(gather.received, gather.expected) << "round " << round;
    }
  });
}

TEST(AllgatherExactness, PlanOfTheFastest) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const SourceCase& sources : source_cases(world_size(), kLongestSource)) {
    SCOPED_TRACE(sources.name);
    GatherCase gather(sources.counts, kElementSize);
    Plan plan = communicator.plan_allgatherv(gather.to_send(), gather.to_receive(), gather.layout);
    gather.refill(1);
    plan.execute();
    ASSERT_EQ(gather.received, gather.expected);
    EXPECT_NE(plan.explain().find("tried native"), std::string::npos) << plan.explain();
  }
}

TEST(AllgatherExactness, PlanOfManyShortBlocksTriesToGatherThem) {
  if (!one_node()) GTEST_SKIP() << "gathering is tried in a single node";
  Communicator communicator(MPI_COMM_WORLD);
  const std::vector<Bytes> counts(static_cast<std::size_t>(world_size()), 3);
  GatherCase gather(counts, kElementSize);
  const Plan plan =
      communicator.plan_allgatherv(gather.to_send(), gather.to_receive(), gather.layout,
                                   {"auto", Mode::dual_buffer, 16, {}, false});
  EXPECT_NE(plan.explain().find("tried gather-broadcast"), std::string::npos) << plan.explain();
}

/// Several at once, waited for in another order than they were started in.
TEST(AllgatherExactness, PlansUnderWayTogether) {
  Communicator communicator(MPI_COMM_WORLD);
  std::vector<GatherCase> cases;
  for (const SourceCase& sources : source_cases(world_size(), kLongestSource)) {
    cases.emplace_back(sources.counts, kElementSize);
  }
  std::vector<Plan> plans;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    plans.push_back(communicator.plan_allgatherv(cases[k].to_send(), cases[k].to_receive(),
                                                 cases[k].layout,
                                                 {k % 2 == 0 ? "recursive-halving" : "ring"}));
  }
  for (Plan& plan : plans) plan.start();
  const auto first = static_cast<std::size_t>(world_rank());
  for (std::size_t k = 0; k < plans.size(); ++k) plans[(first + k) % plans.size()].wait();
  for (const GatherCase& gather : cases) EXPECT_EQ(gather.received, gather.expected);
}

/// The engine's own counters against the messages that the pure model follows, and the bound on
/// what it packs.
void expect_as_followed(const Counters& counters, const Allgather& allgather) {
  const AllgatherFlow flow = follow_allgather(allgather);
  ASSERT_GE(counters.stages.size(), flow.size());
  Bytes packed_out = 0;
  Bytes packed_in = 0;
  for (std::size_t stage = 0; stage < flow.size(); ++stage) {
    SCOPED_TRACE("stage " + std::to_string(stage + 1));
    StageCounters expected;
    Bytes out = 0;
    Bytes in = 0;
    for (const SizedMessage& message : flow[stage]) {
      if (message.from == world_rank()) {
        ++expected.messages_sent;
        if (message.bytes <= kLongestPacked) out += message.bytes;
      }
      if (message.to != world_rank()) continue;
      ++expected.messages_received;
      expected.received += message.bytes;
      expected.longest_received = std::max(expected.longest_received, message.bytes);
      if (message.bytes <= kLongestPacked) in += message.bytes;
    }
    const StageCounters& counted = counters.stages[stage];
    EXPECT_EQ(counted.messages_sent, expected.messages_sent);
    EXPECT_EQ(counted.messages_received, expected.messages_received);
    EXPECT_EQ(counted.received, expected.received);
    EXPECT_EQ(counted.longest_received, expected.longest_received);
    EXPECT_EQ(counted.metadata_sent, 0);
    packed_out = std::max(packed_out, out);
    packed_in = std::max(packed_in, in);
  }
  EXPECT_LE(counters.peak_send_buffer, packed_out);
  EXPECT_LE(counters.peak_receive_buffer, packed_in);
}

TEST(AllgatherExactness, CountersAreTheModels) {
  Communicator communicator(MPI_COMM_WORLD);
  const Machine machine = world_machine();
  for_each_allgather([&](const Options& options, GatherCase& gather) {
    if (!is_allgather(options.algorithm)) return;
    const auto allgather =
        make_allgather(options.algorithm, gather.sources(), Surroundings::known(machine));
    expect_as_followed(
        communicator.allgatherv(gather.to_send(), gather.to_receive(), gather.layout, options),
        *allgather);
  });
}

/// What is kept from call to call serves the next one also where only some ranks have kept it: the
/// others' blocks have moved. Through MPI alone, and through the memory of nodes.
TEST(AllgatherExactness, OneShotsOfBlocksThatMoveOnSomeRanks) {
  Communicator communicator(MPI_COMM_WORLD);
  std::size_t turn = 0;
  for (const SourceCase& sources : source_cases(world_size(), kLongestSource)) {
    GatherCase gather(sources.counts, kElementSize);
    std::vector<std::byte> elsewhere(gather.received.size());
    for (const std::string& name : tried_allgathers()) {
      SCOPED_TRACE(name + ", sources: " + sources.name);
      Options options{name, kModes[turn % std::size(kModes)]};
      options.shared_memory = turn++ % 2 == 0;
      for (int round = 0; round < 4; ++round) {
        gather.refill(round);
        std::ranges::copy(gather.received, elsewhere.begin());
        const bool moves = round / 2 == 1 && world_rank() % 2 == 1;
        std::vector<std::byte>& received = moves ? elsewhere : gather.received;
        const auto here = gather.to_send();
        const std::vector<std::byte> there(here.begin(), here.end());
        const bool sends_there = round % 2 == 1 && world_rank() % 3 != 1;
        communicator.allgatherv(sends_there ? std::span(there) : here, std::span(received),
                                gather.layout, options);
        ASSERT_EQ(received, gather.expected) << "round " << round;
      }
    }
  }
}

/// More kinds of blocks than are kept.
TEST(AllgatherExactness, BlocksThatAlwaysDiffer) {
  Communicator communicator(MPI_COMM_WORLD);
  for (int round = 0; round < 30; ++round) {
    std::vector<Bytes> counts;
    for (Rank rank = 0; rank < world_size(); ++rank) counts.push_back((rank + round) % 11);
    GatherCase gather(counts, 1, round % 2 == 0);
    communicator.allgatherv(gather.to_send(), gather.to_receive(), gather.layout,
                            {"recursive-halving"});
    ASSERT_EQ(gather.received, gather.expected) << "round " << round;
  }
}

/// What a rank can know by itself is wrong on all of them, before anything is sent.
TEST(AllgatherExactness, RefusesWrongArguments) {
  Communicator communicator(MPI_COMM_WORLD);
  GatherCase gather(source_cases(world_size(), 4).at(3).counts, 1);
  const auto refuses = [&](ErrorKind kind, const std::string& words,
                           std::span<const std::byte> send, const Layout& layout,
                           const std::string& name) {
    SCOPED_TRACE(words);
    expect_error(kind, words,
                 [&] { communicator.allgatherv(send, gather.to_receive(), layout, {name}); });
    expect_error(kind, words, [&] {
      (void)communicator.plan_allgatherv(send, gather.to_receive(), layout, {name});
    });
  };
  const auto send = gather.to_send();
  Layout spoilt = gather.layout;
  spoilt.counts.push_back(1);
  refuses(ErrorKind::count, "the communicator has", send, spoilt, "recursive-halving");
  spoilt = gather.layout;
  spoilt.counts[0] = -1;
  refuses(ErrorKind::count, "receive count 0 is -1, which is negative", send, spoilt,
          "recursive-halving");
  spoilt = gather.layout;
  spoilt.displacements[0] = 1000;
  refuses(ErrorKind::buffer, "receive block 0 is 3 elements at displacement 1000", send, spoilt,
          "recursive-halving");
  refuses(ErrorKind::truncated, "sends itself 2 bytes and expects 3", send.first(2), gather.layout,
          "recursive-halving");
  refuses(ErrorKind::argument, "there is no all-gather algorithm \"four-stage\"", send,
          gather.layout, "four-stage");
  if (world_size() % 2 == 1 && world_size() > 1) {
    refuses(ErrorKind::argument, "even", send, gather.layout, "neighbour-exchange");
  }
  communicator.allgatherv(send, gather.to_receive(), gather.layout, {"recursive-halving"});
  EXPECT_EQ(gather.received, gather.expected);
}

TEST(AllgatherExactness, Dynamic) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const SourceCase& sources : source_cases(world_size(), 100)) {
    SCOPED_TRACE(sources.name);
    const auto values = [&](Rank source) {
      std::vector<double> data;
      for (Bytes i = 0; i < sources.counts[static_cast<std::size_t>(source)]; ++i) {
        data.push_back(source + static_cast<double>(i) / 1000);
      }
      return data;
    };
    const std::vector<double> mine = values(world_rank());
    const auto received = communicator.allgather_from(std::span<const double>(mine));
    std::size_t next = 0;
    std::vector<double> all;
    for (Rank source = 0; source < world_size(); ++source) {
      const std::vector<double> expected = values(source);
      if (expected.empty()) continue;
      ASSERT_LT(next, received.size());
      EXPECT_EQ(received[next].source, source);
      EXPECT_TRUE(std::ranges::equal(received[next].data, expected));
      all.insert(all.end(), expected.begin(), expected.end());
      ++next;
    }
    EXPECT_EQ(next, received.size());
    EXPECT_TRUE(std::ranges::equal(received.all(), all));
  }
}

}  // namespace
}  // namespace shunt::test
