// Redistributions of random arrays, element for element as an oracle says.
#include <cmath>

#include <gtest/gtest.h>

#include "mpi/matrix.hpp"
#include "mpi/modes_in_turn.hpp"
#include "mpi/nodes.hpp"
#include "routing/streaming_copy.hpp"
#include "shunt/shunt.hpp"
#include "support/dealt_array.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

template <Bytes kBytes>
struct Element {
  std::byte bytes[static_cast<std::size_t>(kBytes)];
};

/// This rank's memory of a case.
struct Memory {
  explicit Memory(const RedistributionCase& made)
      : sent(sent_part(made, world_rank())),
        received(part_of(made.to.layout, world_rank(), made.element, made.to_gap)),
        expected(expected_part(made, world_rank()).memory) {}

  DealtPart sent;
  DealtPart received;
  std::vector<std::byte> expected;
};

template <Bytes kBytes>
Plan plan_of(Communicator& communicator, const RedistributionCase& made, Memory& memory,
             const Options& options) {
  using T = Element<kBytes>;
  return communicator.plan_redistribution<T>(
      {made.from.layout, elements<const T>(memory.sent.memory), memory.sent.strides},
      {made.to.layout, elements<T>(memory.received.memory), memory.received.strides},
      {made.extents, made.from.begin, made.to.begin, made.to.axes}, options);
}

Plan plan_any(Communicator& communicator, const RedistributionCase& made, Memory& memory,
              const Options& options) {
  switch (made.element) {
    case 1:
      return plan_of<1>(communicator, made, memory, options);
    case 2:
      return plan_of<2>(communicator, made, memory, options);
    case 4:
      return plan_of<4>(communicator, made, memory, options);
    case 8:
      return plan_of<8>(communicator, made, memory, options);
    case 12:
      return plan_of<12>(communicator, made, memory, options);
    case 16:
      return plan_of<16>(communicator, made, memory, options);
    default:
      return plan_of<24>(communicator, made, memory, options);
  }
}

constexpr const char* kRoutes[] = {"linear", "four-stage", "native", "stages:3", "bruck:2"};

/// So many that they are soon done where an exchange costs time.
std::size_t rounds() { return world_size() <= 13 ? 150 : 40; }

TEST(RedistributionExactness, OfRandomArrays) {
  Communicator communicator(MPI_COMM_WORLD);
  std::mt19937 random(11);
  for (std::size_t turn = 0; turn < rounds(); ++turn) {
    const RedistributionCase made = random_case(random, world_size());
    for (const Options& options :
         {Options{}, Options{"auto", modes_in_turn(turn).front()},
          Options{"auto", Mode::dual_buffer, 512, {2, 100}, turn % 2 == 0, 40},
          Options{kRoutes[turn % std::size(kRoutes)]}}) {
      SCOPED_TRACE(testing::Message() << "round " << turn << ", " << options.algorithm << ", "
                                      << name_of(options.mode));
      Memory memory(made);
      Plan plan = plan_any(communicator, made, memory, options);
      for (int round = 0; round < 3; ++round) {
        std::ranges::fill(memory.received.memory, std::byte{kPoison});
        plan.execute();
        ASSERT_EQ(memory.received.memory, memory.expected) << "round " << round;
      }
    }
  }
}

/// Several at once, waited for in another order than they were started in.
TEST(RedistributionExactness, OfPlansUnderWayTogether) {
  Communicator communicator(MPI_COMM_WORLD);
  std::mt19937 random(12);
  std::vector<RedistributionCase> cases;
  for (int k = 0; k < 6; ++k) cases.push_back(random_case(random, world_size()));
  std::vector<Memory> memories(cases.begin(), cases.end());
  std::vector<Plan> plans;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    plans.push_back(plan_any(communicator, cases[k], memories[k], {}));
  }
  for (Plan& plan : plans) plan.start();
  const auto first = static_cast<std::size_t>(world_rank());
  for (std::size_t k = 0; k < plans.size(); ++k) plans[(first + k) % plans.size()].wait();
  for (const Memory& memory : memories) EXPECT_EQ(memory.received.memory, memory.expected);
}

/// Straight with short packets and few of them; and by other algorithms in parts, whose ends are
/// those of elements.
TEST(RedistributionExactness, WithinALimitOfMemory) {
  Communicator communicator(MPI_COMM_WORLD);
  std::mt19937 random(13);
  for (std::size_t turn = 0; turn < rounds() / 3; ++turn) {
    const RedistributionCase made = random_case(random, world_size());
    const char* const route = kRoutes[turn % std::size(kRoutes)];
    for (const char* name : {"auto", route}) {
      Options options{name, modes_in_turn(turn).front(), 1};
      options.shared_memory = turn % 2 == 0;
      Memory memory(made);
      options.memory = Bytes{1} << 30;
      const Bytes needed =
          most_of_all(plan_any(communicator, made, memory, options).counters().memory);
      const bool straight = std::string_view(name) == "auto";
      options.memory = straight ? 2 * made.element : needed / 2 + 100 * world_size() * world_size();
      SCOPED_TRACE(testing::Message()
                   << "round " << turn << ", " << name << ", " << options.memory << " bytes");
      Plan plan = plan_any(communicator, made, memory, options);
      EXPECT_LE(plan.counters().memory, options.memory) << plan.explain();
      for (int round = 0; round < 2; ++round) {
        std::ranges::fill(memory.received.memory, std::byte{kPoison});
        plan.execute();
        ASSERT_EQ(memory.received.memory, memory.expected) << "round " << round;
      }
    }
  }
  Options options;
  options.memory = 1;
  const RedistributionCase made = random_case(random, world_size());
  Memory memory(made);
  expect_error(ErrorKind::argument, "the memory limit is 1 bytes; a redistribution of elements of ",
               [&] { (void)plan_any(communicator, made, memory, options); });
}

void expect_moved(Communicator& communicator, Matrix& from, Matrix& to, const Options& options,
                  Counters* counters = nullptr) {
  from.fill();
  Plan plan = communicator.plan_redistribution<double>(
      {from.layout, std::span<const double>(from.part)}, {to.layout, std::span<double>(to.part)},
      {}, options);
  plan.execute();
  EXPECT_EQ(to.count_wrong(), 0);
  if (counters != nullptr) *counters = plan.counters();
}

TEST(RedistributionExactness, OfLargeMatrices) {
  Communicator communicator(MPI_COMM_WORLD);
  constexpr Index kOrder = 1500;
  const Rank rows = square_rows();
  const Rank columns = world_size() / rows;
  for (const Index block : {2, 32, 47, 1500}) {
    for (const bool shared : {true, false}) {
      SCOPED_TRACE(testing::Message() << "block " << block << (shared ? ", shared" : ""));
      Matrix from(kOrder, 64, rows, columns);
      Matrix to(kOrder, block, columns, rows);
      expect_moved(communicator, from, to, {"auto", Mode::dual_buffer, 512, {}, shared});
    }
  }
}

/// What is written past the caches.
TEST(RedistributionExactness, OfMatricesThatCachesDoNotKeep) {
  if (world_size() > 5) GTEST_SKIP() << "long enough on few ranks";
  Communicator communicator(MPI_COMM_WORLD);
  const double elements = static_cast<double>(kept_by_caches()) / sizeof(double);
  const Index order = static_cast<Index>(std::sqrt(elements)) + 64;
  const Rank rows = square_rows();
  for (const Index block : {32, 47}) {
    Matrix from(order, 64, rows, world_size() / rows);
    Matrix to(order, block, world_size() / rows, rows);
    expect_moved(communicator, from, to, {});
  }
}

/// Whatever its share, a rank has no more of it twice than the window says.
TEST(Redistribution, NeedsPacketsAlone) {
  Communicator communicator(MPI_COMM_WORLD);
  Matrix from(400, 64, 1, world_size());
  Matrix to(400, 64, world_size(), 1);
  constexpr Bytes kPacket = 1000;
  for (const int messages : {1, 3}) {
    Counters counters;
    expect_moved(communicator, from, to,
                 {"auto", Mode::dual_buffer, 512, {messages}, false, kPacket}, &counters);
    EXPECT_LE(counters.peak_send_buffer, messages * kPacket);
    EXPECT_LE(counters.peak_receive_buffer, messages * kPacket);
    EXPECT_EQ(counters.peak_shared, 0);
  }
}

/// 128 MiB on 4 ranks: whatever a rank's share, 4 MiB are enough for what is under way.
TEST(Redistribution, OfAGreatMatrixNeedsLittleMemory) {
  if (world_size() != 4) GTEST_SKIP() << "of 4 ranks";
  constexpr Bytes kLimit = Bytes{4} << 20;
  Communicator communicator(MPI_COMM_WORLD);
  Matrix from(4096, 64, 2, 2);
  Matrix to(4096, 32, 4, 1);
  for (const bool shared : {true, false}) {
    Counters counters;
    expect_moved(communicator, from, to, {"auto", Mode::dual_buffer, 512, {8}, shared}, &counters);
    EXPECT_LE(2 * counters.peak_shared + counters.peak_send_buffer + counters.peak_receive_buffer,
              kLimit);
    EXPECT_EQ(counters.peak_shared > 0, shared && one_node());
    EXPECT_EQ(counters.peak_send_buffer > 0, !shared || !one_node());
  }
}

/// A plan keeps nothing of the node's memory, so there may be any number of them.
TEST(Redistribution, GoesThroughTheNodesMemoryInAnyPlan) {
  if (!one_node()) GTEST_SKIP() << "not all messages go through it";
  Communicator communicator(MPI_COMM_WORLD);
  Matrix from(300, 64, 1, world_size());
  Matrix to(300, 32, world_size(), 1);
  from.fill();
  std::vector<Plan> plans;
  for (int k = 0; k < 40; ++k) {
    plans.push_back(
        communicator.plan_redistribution<double>({from.layout, std::span<const double>(from.part)},
                                                 {to.layout, std::span<double>(to.part)}));
  }
  for (Plan& plan : plans) {
    std::ranges::fill(to.part, -1);
    plan.execute();
    EXPECT_EQ(to.count_wrong(), 0);
    EXPECT_EQ(plan.counters().peak_shared > 0, world_size() > 1 && !from.part.empty());
  }
}

/// The last rank believes that the array is shorter. Whoever expects more of it says so; the
/// others' elements arrive, and afterwards all are well.
TEST(RedistributionErrors, TellWhereLayoutsDoNotAgree) {
  const Rank last = world_size() - 1;
  if (last == 0) GTEST_SKIP() << "there is nobody to disagree with";
  if (!one_node()) GTEST_SKIP() << "MPI finds out, in its own words";
  Communicator communicator(MPI_COMM_WORLD);
  const Index block = 50 * world_size();
  const Index extent = block * world_size();
  const auto part = static_cast<std::size_t>(block);
  const std::vector<double> from(part, 1);
  std::vector<double> to(part);
  const auto plan = [&](Index shorter) {
    return communicator.plan_redistribution<double>(
        {{{{extent, block, world_size()}}}, std::span<const double>(from)},
        {{{{extent, 1, world_size()}}}, std::span<double>(to)}, {{extent - shorter}, {}, {}, {}});
  };
  Plan wrong = plan(world_rank() == last ? world_size() : 0);
  for (int round = 0; round < 3; ++round) {
    if (world_rank() == last) {
      wrong.execute();
    } else {
      expect_error(ErrorKind::truncated, "another length", [&] { wrong.execute(); });
    }
  }
  plan(0).execute();
  EXPECT_EQ(to, std::vector<double>(part, 1));
}

TEST(RedistributionErrors, NameWhatIsWrong) {
  Communicator communicator(MPI_COMM_WORLD);
  const std::vector<double> from(100);
  std::vector<double> to(100);
  const Rank ranks = world_size();
  const auto expect_wrong = [&](ErrorKind kind, const std::string& words, ArrayLayout layout,
                                const ArraySection& section = {}, const Options& options = {}) {
    expect_error(kind, words, [&] {
      (void)communicator.plan_redistribution<double>(
          {std::move(layout), std::span<const double>(from)}, {{{{10, 10}}}, std::span<double>(to)},
          section, options);
    });
  };
  expect_wrong(ErrorKind::argument, "has no dimension", {});
  expect_wrong(ErrorKind::argument, "the extent of dimension 0 is -1", {{{-1, 1}}});
  expect_wrong(ErrorKind::argument, "the block of dimension 0 is 0", {{{10, 0}}});
  expect_wrong(ErrorKind::argument, "the number of places of dimension 0 is 0", {{{10, 1, 0}}});
  expect_wrong(ErrorKind::argument, "the first place of dimension 0 is 1", {{{10, 1, 1, 1}}});
  expect_wrong(ErrorKind::argument, "the grid has", {{{10, 1, ranks + 1}}});
  expect_wrong(ErrorKind::count, "there are 2 ranks for the 1 places", {{{10, 1}}, {0, 0}});
  expect_wrong(ErrorKind::rank, "is in the grid; ranks are 0 to", {{{10, 1}}, {ranks}});
  expect_wrong(ErrorKind::rank, "is in the grid twice", {{{10, 1, 2}}, {0, 0}});
  expect_wrong(ErrorKind::argument, "has 1 dimensions; the part has 2", {{{10, 1}, {10, 1}}});
  expect_wrong(ErrorKind::argument, "the part begins at 2 indices; it has 1", {{{10, 1}}},
               {{}, {0, 0}});
  expect_wrong(ErrorKind::argument, "the part has 11 indices from 0 in dimension 0", {{{11, 1}}});
  expect_wrong(ErrorKind::argument, "the part has 5 indices from 6", {{{10, 1}}}, {{5}, {6}});
  expect_wrong(ErrorKind::argument, "to_axes is 1", {{{10, 1}}}, {{}, {}, {}, {1}});
  expect_wrong(ErrorKind::argument, "\"nobody\"", {{{10, 1}}}, {}, {"nobody"});
}

TEST(RedistributionErrors, NameAPartThatDoesNotFit) {
  Communicator communicator(MPI_COMM_WORLD);
  const ArrayLayout layout{{{world_size() * 10, 10, world_size()}}};
  const std::vector<double> from(10);
  std::vector<double> to(9);
  const auto plan = [&](std::vector<Index> strides) {
    (void)communicator.plan_redistribution<double>({layout, std::span<const double>(from), strides},
                                                   {layout, std::span<double>(to)});
  };
  expect_error(ErrorKind::buffer, "ends 80 bytes after its beginning; its memory has 72",
               [&] { plan({}); });
  expect_error(ErrorKind::buffer, "ends 152 bytes", [&] { plan({2}); });
  expect_error(ErrorKind::argument, "stride 0 is 0", [&] { plan({0}); });
  expect_error(ErrorKind::count, "2 strides and 1 dimensions", [&] { plan({1, 1}); });
}

}  // namespace
}  // namespace shunt::test
