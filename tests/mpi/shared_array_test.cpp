// Arrays in the memory of the node: zero, apart, given back, and copied once by redistributions.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "mpi/matrix.hpp"
#include "mpi/nodes.hpp"
#include "mpi/own_communicator.hpp"
#include "shunt/shunt.hpp"
#include "support/dealt_array.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

/// Its elements, in the memory of the node.
SharedArray<double> shared(Communicator& communicator, const Matrix& matrix) {
  auto array = communicator.shared_array<double>(std::ssize(matrix.part));
  std::ranges::copy(matrix.part, array.begin());
  return array;
}

std::span<const double> all_of(const SharedArray<double>& array) {
  return {array.data(), array.size()};
}

Plan plan_from(Communicator& communicator, const Matrix& from, std::span<const double> part,
               Matrix& to, const Options& options = {}) {
  return communicator.plan_redistribution<double>(
      {from.layout, part}, {to.layout, std::span<double>(to.part)}, {}, options);
}

/// Executions in which the elements differ: a sender that went on before all have read would
/// write over what they have still to read.
void expect_exact(Plan& plan, std::span<double> sent, const Matrix& from, Matrix& to) {
  for (int round = 0; round < 4; ++round) {
    std::ranges::transform(from.part, sent.begin(), [&](double value) { return value + round; });
    std::ranges::fill(to.part, -1.0);
    plan.execute();
    std::ranges::fill(sent, -2.0);
    for (double& value : to.part) value -= round;
    ASSERT_EQ(to.count_wrong(), 0) << "round " << round;
  }
}

/// Messages of at least 8 KiB between any two of up to 16 ranks.
struct Redealt {
  explicit Redealt(Index block = 32)
      : from(640, 64, 1, world_size()), to(640, block, world_size(), 1) {
    from.fill();
  }

  Matrix from;
  Matrix to;
};

TEST(SharedArrays, AreZeroAndApart) {
  Communicator communicator(MPI_COMM_WORLD);
  for (int round = 0; round < 3; ++round) {
    for (const Bytes most : {0, 1, 5000}) {
      auto one = communicator.shared_array<std::uint32_t>(world_rank() % 2 == 0 ? most : 7);
      auto other = communicator.shared_array<std::uint32_t>(most + world_rank());
      EXPECT_EQ(std::ssize(one), world_rank() % 2 == 0 ? most : 7);
      for (auto* array : {&one, &other}) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array->data()) % 4096, 0U);
        EXPECT_EQ(std::ranges::count(*array, 0U), std::ssize(*array));
      }
      const auto mine = static_cast<std::uint32_t>(world_rank()) + 1;
      std::ranges::fill(one, mine);
      std::ranges::fill(other, 1000 + mine);
      MPI_Barrier(MPI_COMM_WORLD);
      EXPECT_EQ(std::ranges::count(one, mine), std::ssize(one));
      EXPECT_EQ(std::ranges::count(other, 1000 + mine), std::ssize(other));
    }
  }
}

/// Mappings of such memory that this process has.
std::ptrdiff_t mappings() {
  std::ifstream maps("/proc/self/maps");
  std::ptrdiff_t count = 0;
  for (std::string line; std::getline(maps, line);) {
    count += line.find("memfd:shunt") != std::string::npos ? 1 : 0;
  }
  return count;
}

TEST(SharedArrays, AreGivenBack) {
  Communicator communicator(MPI_COMM_WORLD);
  const std::ptrdiff_t before = mappings();
  for (int k = 0; k < 50; ++k) {
    auto array = communicator.shared_array<double>(1000);
    array[0] = 1;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  // The next one looks for those that all have let go.
  const auto last = communicator.shared_array<double>(1);
  EXPECT_LE(mappings() - before, 1);
}

TEST(RedistributionFromSharedArrays, IsExactForRandomArrays) {
  Communicator communicator(MPI_COMM_WORLD);
  std::mt19937 random(21);
  for (int turn = 0; turn < 60; ++turn) {
    const RedistributionCase made = random_case(random, world_size());
    if (made.element != 8) continue;
    DealtPart sent = sent_part(made, world_rank());
    DealtPart received = part_of(made.to.layout, world_rank(), made.element, made.to_gap);
    auto array = communicator.shared_array<std::byte>(std::ssize(sent.memory));
    std::ranges::copy(sent.memory, array.begin());
    communicator.redistribute<double>(
        {made.from.layout,
         {reinterpret_cast<const double*>(array.data()), array.size() / sizeof(double)},
         sent.strides},
        {made.to.layout,
         {reinterpret_cast<double*>(received.memory.data()),
          received.memory.size() / sizeof(double)},
         received.strides},
        {made.extents, made.from.begin, made.to.begin, made.to.axes});
    ASSERT_EQ(received.memory, expected_part(made, world_rank()).memory) << "turn " << turn;
  }
}

TEST(RedistributionFromSharedArrays, IsExactInAnyBlocksAndModes) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const Index block : {2, 32, 47, 200}) {
    for (const Mode mode : {Mode::dual_buffer, Mode::single_buffer, Mode::blocking}) {
      for (const bool shared_memory : {true, false}) {
        SCOPED_TRACE(testing::Message() << "block " << block << ", " << name_of(mode)
                                        << (shared_memory ? ", shared" : ""));
        Redealt made(block);
        auto array = shared(communicator, made.from);
        Options options{"auto", mode};
        options.shared_memory = shared_memory;
        Plan plan = plan_from(communicator, made.from, all_of(array), made.to, options);
        expect_exact(plan, {array.data(), array.size()}, made.from, made.to);
      }
    }
  }
}

/// What is in shared memory beside the array says where that is, and no more.
TEST(RedistributionFromSharedArrays, CopiesOnce) {
  if (!one_node() || world_size() == 1) GTEST_SKIP() << "not all messages stay in the node";
  if (world_size() > 16) GTEST_SKIP() << "messages are too short";
  Communicator communicator(MPI_COMM_WORLD);
  Redealt made;
  auto array = shared(communicator, made.from);
  Plan once = plan_from(communicator, made.from, all_of(array), made.to);
  Plan twice = plan_from(communicator, made.from, made.from.part, made.to);
  expect_exact(once, {array.data(), array.size()}, made.from, made.to);
  twice.execute();
  const bool sends = !made.from.part.empty();
  EXPECT_LE(once.counters().peak_shared, 32 * (world_size() - 1));
  EXPECT_EQ(once.counters().peak_shared > 0, sends);
  EXPECT_EQ(twice.counters().peak_shared > 8192, sends);
}

/// Arrays belong to the process, whichever communicator they were made for; who does not share the
/// memory gets its elements otherwise.
TEST(RedistributionFromSharedArrays, MayGoThroughAnotherCommunicator) {
  const auto halves = OwnCommunicator::split(MPI_COMM_WORLD, world_rank() % 2, world_rank());
  const auto reversed = OwnCommunicator::split(MPI_COMM_WORLD, 0, -world_rank());
  std::optional<Communicator> half(halves.get());
  std::optional<Communicator> all(reversed.get());
  Communicator world(MPI_COMM_WORLD);
  for (Communicator* maker : {&*half, &*all}) {
    Redealt made;
    auto array = shared(*maker, made.from);
    Plan plan = plan_from(world, made.from, all_of(array), made.to);
    expect_exact(plan, {array.data(), array.size()}, made.from, made.to);
  }
}

/// Some ranks free their arrays while others still expose theirs.
TEST(RedistributionFromSharedArrays, OutlivesThoseOfOthers) {
  Communicator communicator(MPI_COMM_WORLD);
  Redealt made;
  std::optional<SharedArray<double>> array(shared(communicator, made.from));
  std::vector<double> own(made.from.part);
  const bool keeps = world_rank() % 2 == 0;
  if (!keeps) array.reset();
  const std::span<double> sent =
      keeps ? std::span<double>(array->data(), array->size()) : std::span<double>(own);
  Plan plan = plan_from(communicator, made.from, sent, made.to);
  expect_exact(plan, sent, made.from, made.to);
}

/// One exchange moves several arrays: all of them in the node's memory, some, and more than are
/// exposed.
TEST(RedistributionFromSharedArrays, TakesSeveral) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const std::size_t arrays : {std::size_t{2}, std::size_t{8}, std::size_t{9}}) {
    for (const bool all : {true, false}) {
      SCOPED_TRACE(testing::Message() << arrays << (all ? ", all" : ", all but one"));
      std::vector<Redealt> cases(arrays);
      std::vector<SharedArray<double>> sent;
      std::vector<ArrayTransfer<double>> transfers;
      for (std::size_t k = 0; k < arrays; ++k) {
        for (double& value : cases[k].from.part) value += static_cast<double>(k);
        sent.push_back(shared(communicator, cases[k].from));
        const bool exposed = all || k > 0;
        transfers.push_back(
            {DistributedArray<const double>{cases[k].from.layout,
                                            exposed ? all_of(sent[k]) : cases[k].from.part},
             DistributedArray<double>{cases[k].to.layout, cases[k].to.part}});
      }
      communicator.plan_redistributions(transfers).execute();
      for (std::size_t k = 0; k < arrays; ++k) {
        for (double& value : cases[k].to.part) value -= static_cast<double>(k);
        EXPECT_EQ(cases[k].to.count_wrong(), 0) << "array " << k;
      }
    }
  }
}

TEST(RedistributionFromSharedArrays, Accumulates) {
  Communicator communicator(MPI_COMM_WORLD);
  Redealt made;
  auto array = shared(communicator, made.from);
  std::ranges::fill(made.to.part, 0.0);
  Plan plan = communicator.plan_accumulation<double>(
      {made.from.layout, all_of(array)}, {made.to.layout, std::span<double>(made.to.part)},
      {0.5, 1.0});
  plan.execute();
  plan.execute();
  EXPECT_EQ(made.to.count_wrong(), 0);
}

TEST(SharedArrayErrors, NameWhatIsWrong) {
  Communicator communicator(MPI_COMM_WORLD);
  expect_error(ErrorKind::count, "the array has -1 elements; it has at least none",
               [&] { (void)communicator.shared_array<double>(-1); });
  expect_error(ErrorKind::count, "an array in the node's memory of ",
               [&] { (void)communicator.shared_array<double>(Bytes{1} << 61); });
}

/// Who wants more than there is has an error, and nobody else.
TEST(SharedArrayErrors, AreThoseOfWhoWantsTooMuch) {
  Communicator communicator(MPI_COMM_WORLD);
  if (world_rank() == world_size() - 1) {
    expect_error(ErrorKind::buffer, "the system has no 1125899906842624 bytes of memory for",
                 [&] { (void)communicator.shared_array<std::byte>(Bytes{1} << 50); });
  } else {
    auto array = communicator.shared_array<std::byte>(100);
    std::ranges::fill(array, std::byte{1});
  }
}

}  // namespace
}  // namespace shunt::test
