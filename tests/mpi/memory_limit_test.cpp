// Exchanges within a limit of memory: byte for byte as MPI's, and never more than the limit, as the
// engine itself has counted.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "algorithms/memory_bound.hpp"
#include "algorithms/registry.hpp"
#include "exchange/yard_state.hpp"
#include "model/parts.hpp"
#include "mpi/block_case.hpp"
#include "mpi/c_failure.hpp"
#include "mpi/c_forms.hpp"
#include "mpi/gather_case.hpp"
#include "mpi/modes_in_turn.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/typed_memory.hpp"
#include "planner/plan_choice.hpp"
#include "support/expect_error.hpp"
#include "support/variable.hpp"

namespace shunt::test {
namespace {

constexpr Bytes kFineGrain = 16;

/// More of them run the same code.
constexpr Rank kMostRanks = 8;

Bytes largest_of_all(Bytes own) {
  Bytes all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

/// A traffic, cut into `parts`, as the engine takes it.
TrafficBound bound_in_parts(const Traffic& traffic, Bytes element, Bytes parts) {
  const TrafficBound bound = loads_of(traffic, element).bound();
  return bound_of_part(bound, traffic.ranks(), {parts, 1});
}

/// What a plan needs on the rank that needs most, if it is made in so many parts.
Bytes plan_limit(const Traffic& traffic, Bytes element, const Options& options, Bytes parts) {
  const auto algorithm = make_algorithm(options.algorithm, traffic.ranks(), options.grain);
  const MemoryBound bound(*algorithm, world_rank(), options.mode);
  return largest_of_all(bound(bound_in_parts(traffic, element, parts)));
}

Bytes one_shot_limit(const Traffic& traffic, Bytes element, const Options& options, Bytes parts) {
  const auto algorithm = make_algorithm(options.algorithm, traffic.ranks(), options.grain);
  const MemoryBound bound(*algorithm, world_rank(), options.mode, 8192);
  return largest_of_all(bound(bound_in_parts(traffic, element, parts)));
}

Counters exchange_once(Yard& yard, BlockCase& blocks, const Options& options) {
  blocks.poison();
  const Counters counters = yard.alltoallv(blocks.to_send(), blocks.send_bytes(),
                                           blocks.to_receive(), blocks.receive_bytes(), options);
  EXPECT_EQ(blocks.received, blocks.expected);
  return counters;
}

Plan plan_blocks_of(Yard& yard, BlockCase& blocks, const Options& options) {
  return yard.plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
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

constexpr const char* kLimited[] = {"a1", "a2", "a3", "a4", "radix:2", "stages:3", "collect:3"};

class MemoryLimit : public testing::TestWithParam<const char*> {};

TEST_P(MemoryLimit, IsKeptByEveryAlgorithm) {
  if (world_size() > kMostRanks) GTEST_SKIP() << "fewer ranks show as much";
  const auto traffic = make_traffic(GetParam(), {world_size(), 700, 2, 5});
  constexpr Bytes kElement = 8;
  BlockCase blocks(*traffic, kElement, everything);
  Yard yard(MPI_COMM_WORLD);
  std::size_t turn = 0;
  for (const char* name : kLimited) {
    for (const Mode mode : modes_in_turn(turn++)) {
      Options options{name, mode, kFineGrain};
      options.shared_memory = turn % 2 == 0;
      const Counters free = exchange_once(yard, blocks, options);
      for (const Bytes parts : {1, 3, 11}) {
        SCOPED_TRACE(testing::Message() << name << ", " << name_of(mode) << ", " << parts);
        options.memory = std::max(Bytes{1}, one_shot_limit(*traffic, kElement, options, parts));
        const Counters once = exchange_once(yard, blocks, options);
        EXPECT_LE(once.memory, options.memory);
        expect_same_bytes(free, once);

        options.memory = std::max(Bytes{1}, plan_limit(*traffic, kElement, options, parts));
        Plan plan = plan_blocks_of(yard, blocks, options);
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
  Yard yard(MPI_COMM_WORLD);
  Options options{"a4", Mode::dual_buffer, kFineGrain};
  // What an exchange without a limit has left behind counts too.
  const Counters free = exchange_once(yard, blocks, options);
  EXPECT_TRUE(world_size() == 1 || free.memory > 0);
  options.memory = one_shot_limit(*traffic, 8, options, 20);
  EXPECT_LE(exchange_once(yard, blocks, options).memory, options.memory);
  options.algorithm = "radix:2";
  options.memory = one_shot_limit(*traffic, 8, options, 30);
  EXPECT_LE(exchange_once(yard, blocks, options).memory, options.memory);
}

TEST(MemoryLimits, TooLowAreRefusedByAllRanks) {
  if (world_size() == 1) GTEST_SKIP() << "a4 of one rank has no messages";
  const auto traffic = make_traffic("uniform", {world_size(), 700, 1, 1});
  BlockCase blocks(*traffic, 8, everything);
  Yard yard(MPI_COMM_WORLD);
  Options options{"a4", Mode::dual_buffer, kFineGrain};
  options.memory = 40;
  const std::string words = "the memory limit is 40 bytes; this exchange by a4 needs ";
  expect_error(ErrorKind::argument, words, [&] { exchange_once(yard, blocks, options); });
  expect_error(ErrorKind::argument, words, [&] { (void)plan_blocks_of(yard, blocks, options); });
  options.memory = -1;
  expect_error(ErrorKind::argument, "the memory limit is -1; it is a number of bytes",
               [&] { exchange_once(yard, blocks, options); });
  expect_error(ErrorKind::argument, "the memory limit is -1; it is a number of bytes",
               [&] { (void)plan_blocks_of(yard, blocks, options); });
  options.memory = 0;
  exchange_once(yard, blocks, options);
}

/// The usual grain rounds cuts by more than this.
TEST(MemoryLimits, MakeTheGrainFiner) {
  const auto traffic = make_traffic("uniform", {world_size(), 500, 1, 1});
  BlockCase blocks(*traffic, 8, everything);
  Yard yard(MPI_COMM_WORLD);
  Options options{"a4", Mode::single_buffer};
  options.memory = 8000 + 200 * world_size() * world_size();
  EXPECT_LE(exchange_once(yard, blocks, options).memory, options.memory);
  Plan plan = plan_blocks_of(yard, blocks, options);
  EXPECT_LE(plan.counters().memory, options.memory);
  expect_rounds(plan, blocks);
}

/// What the sentence says is needed is enough.
TEST(MemoryLimits, SayWhatIsEnough) {
  if (world_size() == 1) GTEST_SKIP() << "a4 of one rank has no messages";
  const auto traffic = make_traffic("random", {world_size(), 100, 1, 1});
  BlockCase blocks(*traffic, 8, everything);
  Yard yard(MPI_COMM_WORLD);
  Options options{"a4", Mode::single_buffer, kFineGrain};
  options.memory = 1;
  try {
    (void)plan_blocks_of(yard, blocks, options);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    const std::string text = error.what();
    const std::string before = "needs ";
    options.memory = std::stoll(text.substr(text.find(before) + before.size()));
  }
  Plan plan = plan_blocks_of(yard, blocks, options);
  EXPECT_LE(plan.counters().memory, options.memory);
  expect_rounds(plan, blocks);
  options.memory -= 1;
  EXPECT_THROW((void)plan_blocks_of(yard, blocks, options), Error);
}

TEST(MemoryLimits, OfPlansUnderWayTogether) {
  const auto traffic = make_traffic("random", {world_size(), 500, 1, 7});
  BlockCase first(*traffic, 8, everything);
  BlockCase second(*traffic, 4, everything);
  Yard yard(MPI_COMM_WORLD);
  Options options{"a4", Mode::dual_buffer, kFineGrain};
  options.memory = std::max(Bytes{1}, plan_limit(*traffic, 8, options, 6));
  Plan one = plan_blocks_of(yard, first, options);
  options.algorithm = "a3";
  options.memory = std::max(Bytes{1}, plan_limit(*traffic, 4, options, 3));
  Plan other = plan_blocks_of(yard, second, options);
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
  Yard yard(MPI_COMM_WORLD);
  Options options;
  options.memory = 100;
  Plan straight = plan_blocks_of(yard, blocks, options);
  EXPECT_LE(straight.counters().memory, options.memory);
  const std::string text = straight.explain();
  EXPECT_EQ(text.substr(0, 2), "a1") << text;
  EXPECT_NE(text.find("  memory: 0 bytes of at most 100\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("tried"), std::string::npos) << "scratch blocks do not fit: " << text;
  EXPECT_TRUE(world_size() < 8 || text.find("left out ") != std::string::npos) << text;
  expect_rounds(straight, blocks);

  options.memory = Bytes{1} << 30;
  Plan free = plan_blocks_of(yard, blocks, options);
  EXPECT_NE(free.explain().find("tried"), std::string::npos) << free.explain();
  EXPECT_EQ(free.explain().find("left out"), std::string::npos) << free.explain();
  expect_rounds(free, blocks);
}

/// Six ints in pieces; and so many that only MPI packs them.
OwnType long_element() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(5000, 1, 2, MPI_INT, &type);
  return OwnType(type);
}

class LimitedTypes : public testing::TestWithParam<int> {};

/// Elements with gaps are packed part by part, which cuts elements anywhere.
TEST_P(LimitedTypes, ArePackedInParts) {
  if (world_size() > kMostRanks) GTEST_SKIP() << "fewer ranks show as much";
  const bool is_long = GetParam() == 1;
  const OwnType out = is_long ? long_element() : vector_with_holes();
  const OwnType in = is_long ? long_element() : indexed_out_of_order();
  const Bytes size = is_long ? 20000 : 24;
  std::vector<Bytes> sent;
  std::vector<Bytes> received;
  const Bytes most = is_long ? 3 : 300;
  for (Rank peer = 0; peer < world_size(); ++peer) {
    sent.push_back((world_rank() + 2 * peer) % 3 * most / 2);
    received.push_back((peer + 2 * world_rank()) % 3 * most / 2);
  }
  Side from(sent, out.get());
  from.fill(3);
  Side to(received, in.get());
  to.poison();
  Side answer = to;
  MPI_Alltoallv(from.origin(), ints(sent).data(), ints(from.layout().displacements).data(),
                out.get(), answer.origin(), ints(received).data(),
                ints(answer.layout().displacements).data(), in.get(), MPI_COMM_WORLD);
  Yard yard(MPI_COMM_WORLD);
  for (const char* name : {"auto", "a1", "a4", "native"}) {
    for (const Bytes part : {Bytes{3}, Bytes{7}, Bytes{100}}) {
      Options options{name, Mode::dual_buffer, kFineGrain};
      // The packed copies of a whole side do not fit.
      const Bytes aside = is_long ? size : 0;
      options.memory = largest_of_all(most * size * world_size() / part) + aside + 12000;
      SCOPED_TRACE(testing::Message() << name << ", " << options.memory << " bytes");
      if (std::string_view(name) != "native") {
        to.poison();
        const Counters counters = yard.alltoallv(from.origin(), from.layout(), out.get(),
                                                 to.origin(), to.layout(), in.get(), options);
        EXPECT_LE(counters.memory, options.memory);
        EXPECT_TRUE(to.memory() == answer.memory()) << "once";
      }
      Plan plan = yard.plan_alltoallv(from.origin(), from.layout(), out.get(), to.origin(),
                                      to.layout(), in.get(), options);
      EXPECT_LE(plan.counters().memory, options.memory);
      for (int round = 0; round < 2; ++round) {
        to.poison();
        plan.execute();
        EXPECT_TRUE(to.memory() == answer.memory()) << "plan, round " << round;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, LimitedTypes, testing::Values(0, 1), [](const auto& kind) {
  return kind.param == 0 ? "Short" : "PackedByMpi";
});

TEST(MemoryLimits, OfBroadcasts) {
  Yard yard(MPI_COMM_WORLD);
  for (const SourceCase& sources : source_cases(world_size(), 9000)) {
    GatherCase gathered(sources.counts, 4);
    for (const char* name : {"auto", "br-lin", "br-dissemination", "2-step", "native"}) {
      for (const bool shared : {false, true}) {
        SCOPED_TRACE(testing::Message() << sources.name << ", " << name << ", " << shared);
        Options options{name, Mode::dual_buffer};
        options.shared_memory = shared;
        options.memory = 100;
        if (std::string_view(name) != "native") {
          gathered.poison();
          const Counters once =
              yard.allgatherv(gathered.to_send(), gathered.to_receive(), gathered.layout, options);
          EXPECT_EQ(once.memory, 0);
          EXPECT_EQ(gathered.received, gathered.expected);
        }
        Plan plan = yard.plan_allgatherv(gathered.to_send(), gathered.to_receive(), gathered.layout,
                                         options);
        EXPECT_EQ(plan.counters().memory, 0);
        gathered.poison();
        plan.execute();
        EXPECT_EQ(gathered.received, gathered.expected);
      }
    }
  }
}

/// Blocks with gaps come in parts.
TEST(MemoryLimits, OfBroadcastsOfTypes) {
  const OwnType type = vector_with_holes();
  std::vector<Bytes> counts;
  for (Rank rank = 0; rank < world_size(); ++rank) counts.push_back(rank % 3 * 200);
  const Bytes own = counts[static_cast<std::size_t>(world_rank())];
  Side from({own}, type.get());
  from.fill(world_rank());
  Side to(counts, type.get());
  to.poison();
  Side answer = to;
  MPI_Aint bound = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(type.get(), &bound, &extent);
  const std::byte* const block = from.origin() + from.layout().displacements[0] * extent;
  MPI_Allgatherv(block, static_cast<int>(own), type.get(), answer.origin(), ints(counts).data(),
                 ints(answer.layout().displacements).data(), type.get(), MPI_COMM_WORLD);
  Yard yard(MPI_COMM_WORLD);
  Options options;
  for (const char* name : {"auto", "br-lin"}) {
    options.algorithm = name;
    for (const Bytes memory : {Bytes{900} * world_size(), Bytes{1} << 24}) {
      options.memory = memory;
      to.poison();
      const Counters once =
          yard.allgatherv(block, own, type.get(), to.origin(), to.layout(), type.get(), options);
      EXPECT_LE(once.memory, memory);
      EXPECT_TRUE(to.memory() == answer.memory()) << name << " once";
      Plan plan = yard.plan_allgatherv(block, own, type.get(), to.origin(), to.layout(), type.get(),
                                       options);
      EXPECT_LE(plan.counters().memory, memory);
      to.poison();
      plan.execute();
      EXPECT_TRUE(to.memory() == answer.memory()) << name << " plan";
    }
  }
}

/// One-shot calls learn among what fits, each limit by itself.
TEST(MemoryLimits, OfCallsThatLearn) {
  const Variable nodes("SHUNT_NODES", "blocked:2");
  const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Yard yard(world.get());
  BlockCase blocks(*make_traffic("uniform", {world_size(), 20, 1, 1}), 8, everything);
  constexpr Bytes kLimits[] = {100, Bytes{1} << 30};
  for (const Bytes memory : kLimits) {
    Options options;
    options.memory = memory;
    for (int k = 0; k < 60; ++k) {
      EXPECT_LE(exchange_once(yard, blocks, options).memory, memory) << "call " << k;
    }
  }
  if (world_size() == 1) return;
  std::map<Bytes, std::set<std::string>> tried;
  for (const auto& [kind, learned] : YardState::of(world.get())->learned.kinds) {
    for (const auto& [signature, traffic] : learned.traffics) {
      for (const Learner::Tried& way : traffic.learner.tried()) tried[kind.memory].insert(way.name);
    }
  }
  EXPECT_EQ(tried.size(), 2U);
  const auto needs_buffers = [&](const std::string& name) {
    YardState& state = *YardState::of(world.get());
    return name != kNative && state.schedule(name, {}).algorithm->stages() > 1;
  };
  EXPECT_EQ(std::ranges::count_if(tried[kLimits[0]], needs_buffers), 0);
  // The ranks form several nodes, so there is more to try.
  EXPECT_TRUE(world_size() < 3 || std::ranges::any_of(tried[kLimits[1]], needs_buffers));
}

/// A call in parts is one call: what is chosen makes all of its parts, on all ranks.
TEST(MemoryLimits, OfCallsInPartsThatLearn) {
  const OwnType type = vector_with_holes();
  const std::vector<Bytes> counts(static_cast<std::size_t>(world_size()), 300);
  Side from(counts, type.get());
  from.fill(world_rank());
  Side to(counts, type.get());
  to.poison();
  Side answer = to;
  const std::vector<int> c = ints(counts);
  const std::vector<int> p = ints(from.layout().displacements);
  MPI_Alltoallv(from.origin(), c.data(), p.data(), type.get(), answer.origin(), c.data(), p.data(),
                type.get(), MPI_COMM_WORLD);
  const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Yard yard(world.get());
  Options options;
  options.memory = 2000 * world_size();
  for (int k = 0; k < 60; ++k) {
    to.poison();
    const Counters counters = yard.alltoallv(from.origin(), from.layout(), type.get(), to.origin(),
                                             to.layout(), type.get(), options);
    EXPECT_LE(counters.memory, options.memory);
    EXPECT_TRUE(to.memory() == answer.memory()) << "call " << k;
  }
}

TEST(MemoryLimits, OfBoundedPlans) {
  const auto traffic = make_traffic("random", {world_size(), 300, 1, 3});
  BlockCase blocks(*traffic, 8, everything);
  const Bytes load = loads_of(*traffic, 8).bound().largest_load;
  Yard yard(MPI_COMM_WORLD);
  for (const char* name : {"auto", "a4"}) {
    Options options{name, Mode::dual_buffer, kFineGrain};
    options.memory = 20000 + 2000 * world_size();
    BoundedPlan plan = yard.plan_bounded(load, options);
    blocks.poison();
    const Counters counters = plan.execute(blocks.to_send(), blocks.send_bytes(),
                                           blocks.to_receive(), blocks.receive_bytes());
    EXPECT_LE(counters.memory, options.memory);
    EXPECT_EQ(blocks.received, blocks.expected);
  }
}

TEST(MemoryLimits, AreNotForRecords) {
  Yard yard(MPI_COMM_WORLD);
  Options options;
  options.memory = 1 << 20;
  const std::vector<int> records{1};
  const std::vector<Rank> destinations{world_rank()};
  expect_error(ErrorKind::argument, "exchanges of records take no limit", [&] {
    (void)yard.exchange(std::span<const int>(records), std::span<const Rank>(destinations),
                        options);
  });
}

/// From C, by the variable: in place too, where parts arrive where they have left.
TEST(MemoryLimits, FromTheEnvironment) {
  const OwnType type = vector_with_holes();
  std::vector<Bytes> counts;
  for (Rank peer = 0; peer < world_size(); ++peer) {
    counts.push_back((world_rank() + peer) % 4 * 300);
  }
  for (MPI_Datatype kind : {type.get(), MPI_INT}) {
    Side before(counts, kind);
    before.fill(1);
    Side answer = before;
    const std::vector<int> c = ints(counts);
    const std::vector<int> p = ints(before.layout().displacements);
    MPI_Alltoallv(before.origin(), c.data(), p.data(), kind, answer.origin(), c.data(), p.data(),
                  kind, MPI_COMM_WORLD);
    for (const char* algorithm : {"auto", "a1", "a4", "native"}) {
      for (const char* memory : {"64K", "1M"}) {
        const ChosenVariable chosen("SHUNT_ALGORITHM", algorithm);
        const ChosenVariable limit("SHUNT_MEMORY", memory);
        for (const CForm& form : {kCForms[0], kCForms[2], kCForms[4]}) {
          SCOPED_TRACE(testing::Message() << form.name << ", " << algorithm << ", " << memory);
          Side received = answer;
          received.poison();
          Side expected = received;
          MPI_Alltoallv(before.origin(), c.data(), p.data(), kind, expected.origin(), c.data(),
                        p.data(), kind, MPI_COMM_WORLD);
          EXPECT_EQ(
              form.call(as_argument(before, kind), as_argument(received, kind), MPI_COMM_WORLD),
              MPI_SUCCESS);
          EXPECT_TRUE(received.memory() == expected.memory());
          Side swapped = before;
          EXPECT_EQ(form.call(CSide::in_place(), as_argument(swapped, kind), MPI_COMM_WORLD),
                    MPI_SUCCESS);
          EXPECT_TRUE(swapped.memory() == answer.memory()) << "in place";
        }
      }
    }
  }
  if (world_size() == 1) return;
  const ChosenVariable chosen("SHUNT_ALGORITHM", "a4");
  const ChosenVariable limit("SHUNT_MEMORY", "10");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  Side before(counts, MPI_INT);
  Side after = before;
  for (const CForm& form : {kCForms[0], kCForms[4]}) {
    expect_failure(
        form.call(as_argument(before, MPI_INT), as_argument(after, MPI_INT), MPI_COMM_WORLD),
        MPI_ERR_ARG, "the memory limit is 10 bytes; this exchange by a4 needs ");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

}  // namespace
}  // namespace shunt::test
