// Exchanges within a limit of memory: byte for byte as MPI's, and never more than the limit, as the
// engine itself has counted.
#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "algorithms/memory_bound.hpp"
#include "algorithms/registry.hpp"
#include "context/context.hpp"
#include "lab/traffic/patterns.hpp"
#include "model/parts.hpp"
#include "mpi/block_case.hpp"
#include "mpi/modes_in_turn.hpp"
#include "mpi/own_clock.hpp"
#include "mpi/own_communicator.hpp"
#include "planner/plan_choice.hpp"
#include "support/expect_error.hpp"
#include "support/variable.hpp"

namespace shunt::test {
namespace {

constexpr Bytes kFineGrain = 16;

/// More of them run the same code.
constexpr Rank kMostRanks = 8;

/// A traffic, cut into `parts`, as the engine takes it.
TrafficBound bound_in_parts(const Traffic& traffic, Bytes element, Bytes parts) {
  const TrafficBound bound = loads_of(traffic, element).bound();
  return bound_of_part(bound, traffic.ranks(), {parts, 1});
}

/// What a plan needs on the rank that needs most, if it is made in so many parts.
Bytes plan_limit(const Traffic& traffic, Bytes element, const Options& options, Bytes parts) {
  const auto algorithm = make_algorithm(options.algorithm, traffic.ranks(), options.grain);
  const MemoryBound bound(*algorithm, world_rank(), options.mode);
  return most_of_all(bound(bound_in_parts(traffic, element, parts)));
}

Bytes one_shot_limit(const Traffic& traffic, Bytes element, const Options& options, Bytes parts) {
  const auto algorithm = make_algorithm(options.algorithm, traffic.ranks(), options.grain);
  const MemoryBound bound(*algorithm, world_rank(), options.mode, 8192);
  return most_of_all(bound(bound_in_parts(traffic, element, parts)));
}

Counters exchange_once(Communicator& communicator, BlockCase& blocks, const Options& options) {
  blocks.poison();
  const Counters counters = communicator.alltoallv(
      blocks.to_send(), blocks.send_bytes(), blocks.to_receive(), blocks.receive_bytes(), options);
  EXPECT_EQ(blocks.received, blocks.expected);
  return counters;
}

Plan plan_blocks_of(Communicator& communicator, BlockCase& blocks, const Options& options) {
  return communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                                     blocks.receive_bytes(), options);
}

void expect_rounds(Plan& plan, BlockCase& blocks) {
  for (int round = 0; round < 3; ++round) {
    blocks.refill(round);
    if (round == 1) {
      plan.start();
      while (!plan.test()) {
      }
    } else {
      plan.execute();
    }
    EXPECT_EQ(blocks.received, blocks.expected) << "round " << round;
  }
}

/// The largest payload that any stage of the exchange moves is the same in parts.
void expect_same_bytes(const Counters& whole, const Counters& parts) {
  ASSERT_EQ(whole.stages.size(), parts.stages.size());
  EXPECT_EQ(whole.stages.back().received, parts.stages.back().received);
}

constexpr const char* kLimited[] = {"linear",  "two-stage", "row-column", "four-stage",
                                    "bruck:2", "stages:3",  "grid:3"};

class MemoryLimit : public testing::TestWithParam<const char*> {};

TEST_P(MemoryLimit, IsKeptByEveryAlgorithm) {
  if (world_size() > kMostRanks) GTEST_SKIP() << "fewer ranks show as much";
  const auto traffic = make_traffic(GetParam(), {world_size(), 700, 2, 5});
  constexpr Bytes kElement = 8;
  BlockCase blocks(*traffic, kElement, everything);
  Communicator communicator(MPI_COMM_WORLD);
  std::size_t turn = 0;
  for (const char* name : kLimited) {
    for (const Mode mode : modes_in_turn(turn++)) {
      Options options{name, mode, kFineGrain};
      options.shared_memory = turn % 2 == 0;
      const Counters free = exchange_once(communicator, blocks, options);
      for (const Bytes parts : {1, 3, 11}) {
        SCOPED_TRACE(testing::Message() << name << ", " << name_of(mode) << ", " << parts);
        options.memory = std::max(Bytes{1}, one_shot_limit(*traffic, kElement, options, parts));
        const Counters once = exchange_once(communicator, blocks, options);
        EXPECT_LE(once.memory, options.memory);
        expect_same_bytes(free, once);

        options.memory = std::max(Bytes{1}, plan_limit(*traffic, kElement, options, parts));
        Plan plan = plan_blocks_of(communicator, blocks, options);
        EXPECT_LE(plan.counters().memory, options.memory);
        const bool divided = plan.explain().find(" parts\n") != std::string::npos;
        EXPECT_EQ(divided, options.memory < plan_limit(*traffic, kElement, options, 1))
            << plan.explain();
        expect_rounds(plan, blocks);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns, MemoryLimit,
                         testing::Values("uniform", "random", "sparse:0.7", "zero"), test_name_of);

TEST(MemoryLimits, AreForgottenByNobody) {
  const auto traffic = make_traffic("uniform", {world_size(), 3000, 1, 1});
  BlockCase blocks(*traffic, 8, everything);
  Communicator communicator(MPI_COMM_WORLD);
  Options options{"four-stage", Mode::dual_buffer, kFineGrain};
  // What an exchange without a limit has left behind counts too.
  const Counters free = exchange_once(communicator, blocks, options);
  EXPECT_TRUE(world_size() == 1 || free.memory > 0);
  options.memory = one_shot_limit(*traffic, 8, options, 20);
  EXPECT_LE(exchange_once(communicator, blocks, options).memory, options.memory);
  options.algorithm = "bruck:2";
  options.memory = one_shot_limit(*traffic, 8, options, 30);
  EXPECT_LE(exchange_once(communicator, blocks, options).memory, options.memory);
}

TEST(MemoryLimits, TooLowAreRefusedByAllRanks) {
  if (world_size() == 1) GTEST_SKIP() << "four-stage of one rank has no messages";
  const auto traffic = make_traffic("uniform", {world_size(), 700, 1, 1});
  BlockCase blocks(*traffic, 8, everything);
  Communicator communicator(MPI_COMM_WORLD);
  Options options{"four-stage", Mode::dual_buffer, kFineGrain};
  options.memory = 40;
  const std::string words = "the memory limit is 40 bytes; this exchange by four-stage needs ";
  expect_error(ErrorKind::argument, words, [&] { exchange_once(communicator, blocks, options); });
  expect_error(ErrorKind::argument, words,
               [&] { (void)plan_blocks_of(communicator, blocks, options); });
  options.algorithm = "a4";
  expect_error(ErrorKind::argument, words, [&] { exchange_once(communicator, blocks, options); });
  options.memory = -1;
  expect_error(ErrorKind::argument, "the memory limit is -1; it is a number of bytes",
               [&] { exchange_once(communicator, blocks, options); });
  expect_error(ErrorKind::argument, "the memory limit is -1; it is a number of bytes",
               [&] { (void)plan_blocks_of(communicator, blocks, options); });
  options.memory = 0;
  exchange_once(communicator, blocks, options);
}

/// The usual grain rounds cuts by more than this.
TEST(MemoryLimits, MakeTheGrainFiner) {
  const auto traffic = make_traffic("uniform", {world_size(), 500, 1, 1});
  BlockCase blocks(*traffic, 8, everything);
  Communicator communicator(MPI_COMM_WORLD);
  Options options{"four-stage", Mode::single_buffer};
  options.memory = 8000 + 200 * world_size() * world_size();
  EXPECT_LE(exchange_once(communicator, blocks, options).memory, options.memory);
  Plan plan = plan_blocks_of(communicator, blocks, options);
  EXPECT_LE(plan.counters().memory, options.memory);
  expect_rounds(plan, blocks);
}

/// What the sentence says is needed is enough.
TEST(MemoryLimits, SayWhatIsEnough) {
  if (world_size() == 1) GTEST_SKIP() << "four-stage of one rank has no messages";
  const auto traffic = make_traffic("random", {world_size(), 100, 1, 1});
  BlockCase blocks(*traffic, 8, everything);
  Communicator communicator(MPI_COMM_WORLD);
  Options options{"four-stage", Mode::single_buffer, kFineGrain};
  options.memory = 1;
  try {
    (void)plan_blocks_of(communicator, blocks, options);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    const std::string text = error.what();
    const std::string before = "needs ";
    options.memory = std::stoll(text.substr(text.find(before) + before.size()));
  }
  Plan plan = plan_blocks_of(communicator, blocks, options);
  EXPECT_LE(plan.counters().memory, options.memory);
  expect_rounds(plan, blocks);
  options.memory -= 1;
  EXPECT_THROW((void)plan_blocks_of(communicator, blocks, options), Error);
}

TEST(MemoryLimits, OfPlansUnderWayTogether) {
  const auto traffic = make_traffic("random", {world_size(), 500, 1, 7});
  BlockCase first(*traffic, 8, everything);
  BlockCase second(*traffic, 4, everything);
  Communicator communicator(MPI_COMM_WORLD);
  Options options{"four-stage", Mode::dual_buffer, kFineGrain};
  options.memory = std::max(Bytes{1}, plan_limit(*traffic, 8, options, 6));
  Plan one = plan_blocks_of(communicator, first, options);
  options.algorithm = "row-column";
  options.memory = std::max(Bytes{1}, plan_limit(*traffic, 4, options, 3));
  Plan other = plan_blocks_of(communicator, second, options);
  for (int round = 1; round < 3; ++round) {
    first.refill(round);
    second.refill(round + 5);
    one.start();
    other.start();
    EXPECT_THROW(one.start(), Error);
    (world_rank() % 2 == 0 ? one : other).wait();
    (world_rank() % 2 == 0 ? other : one).wait();
    EXPECT_EQ(first.received, first.expected);
    EXPECT_EQ(second.received, second.expected);
  }
}

/// "auto" leaves out what does not fit, and says so; nothing at all needs no buffers.
TEST(MemoryLimits, LeaveCandidatesOut) {
  const auto traffic = make_traffic("uniform", {world_size(), 20, 1, 1});
  BlockCase blocks(*traffic, 8, everything);
  Communicator communicator(MPI_COMM_WORLD);
  Options options;
  options.memory = 100;
  Plan straight = plan_blocks_of(communicator, blocks, options);
  EXPECT_LE(straight.counters().memory, options.memory);
  const std::string text = straight.explain();
  EXPECT_TRUE(text.starts_with("linear")) << text;
  EXPECT_NE(text.find("  memory: 0 bytes of at most 100\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("tried"), std::string::npos) << "scratch blocks do not fit: " << text;
  EXPECT_TRUE(world_size() < 8 || text.find("left out ") != std::string::npos) << text;
  expect_rounds(straight, blocks);

  options.memory = Bytes{1} << 30;
  Plan free = plan_blocks_of(communicator, blocks, options);
  EXPECT_NE(free.explain().find("tried"), std::string::npos) << free.explain();
  EXPECT_EQ(free.explain().find("left out"), std::string::npos) << free.explain();
  expect_rounds(free, blocks);
}

/// What one-shot calls of the communicator with that limit have tried.
std::set<std::string> tried_within(Bytes memory, MPI_Comm comm) {
  std::set<std::string> names;
  for (const auto& [kind, learned] : Context::of(comm)->tuning.learned.kinds) {
    if (kind.memory != memory) continue;
    for (const auto& [signature, traffic] : learned.traffics) {
      for (const Learner::Taken& taken : traffic.learner.tried()) {
        names.insert(traffic.candidates[taken.candidate].algorithm);
      }
    }
  }
  return names;
}

/// One-shot calls learn among what fits, each limit by itself.
TEST(MemoryLimits, OfCallsThatLearn) {
  const OwnClock clock;
  const Variable nodes("SHUNT_NODES", "blocked:2");
  const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(world.get());
  BlockCase blocks(*make_traffic("uniform", {world_size(), 20, 1, 1}), 8, everything);
  const auto needs_buffers = [&](const std::string& name) {
    Context& state = *Context::of(world.get());
    return name != kNative && state.schedules.find(name, {}).algorithm->stages() > 1;
  };
  // The ranks form several nodes, so with much memory there is more to try.
  constexpr Bytes kLittle = 100;
  constexpr Bytes kMuch = Bytes{1} << 30;
  constexpr int kCalls = 60;
  for (const Bytes memory : {kLittle, kMuch}) {
    Options options;
    options.memory = memory;
    for (int k = 0; k < kCalls; ++k) {
      EXPECT_LE(exchange_once(communicator, blocks, options).memory, memory) << "call " << k;
    }
    const std::set<std::string> tried = tried_within(memory, world.get());
    EXPECT_EQ(tried.empty(), world_size() == 1) << memory;
    const bool some_need_buffers = std::ranges::any_of(tried, needs_buffers);
    if (memory == kLittle) {
      EXPECT_FALSE(some_need_buffers);
    } else {
      EXPECT_TRUE(some_need_buffers || world_size() < 3);
    }
  }
}

TEST(MemoryLimits, OfBoundedPlans) {
  const auto traffic = make_traffic("random", {world_size(), 300, 1, 3});
  BlockCase blocks(*traffic, 8, everything);
  const Bytes load = loads_of(*traffic, 8).bound().largest_load;
  Communicator communicator(MPI_COMM_WORLD);
  for (const char* name : {"auto", "four-stage"}) {
    Options options{name, Mode::dual_buffer, kFineGrain};
    options.memory = 20000 + 2000 * world_size();
    BoundedPlan plan = communicator.plan_bounded(load, options);
    blocks.poison();
    const Counters counters = plan.execute(blocks.to_send(), blocks.send_bytes(),
                                           blocks.to_receive(), blocks.receive_bytes());
    EXPECT_LE(counters.memory, options.memory);
    EXPECT_EQ(blocks.received, blocks.expected);
  }
}

TEST(MemoryLimits, AreNotForRecords) {
  Communicator communicator(MPI_COMM_WORLD);
  Options options;
  options.memory = 1 << 20;
  const std::vector<int> records{1};
  const std::vector<Rank> destinations{world_rank()};
  expect_error(ErrorKind::argument, "exchanges of records take no limit", [&] {
    (void)communicator.exchange(std::span<const int>(records), std::span<const Rank>(destinations),
                                options);
  });
}

}  // namespace
}  // namespace shunt::test
