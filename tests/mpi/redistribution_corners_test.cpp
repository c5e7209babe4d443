// Redistributions of few elements with huge numbers, and of arrays that lie in the same memory.
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"
#include "shunt/shunt.h"
#include "shunt/shunt.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

/// Twelve elements in blocks that are far longer go to single ones in turn, and back.
TEST(RedistributionCorners, BlocksAreCutToTheArray) {
  const Rank ranks = world_size();
  constexpr Index kCount = 12;
  for (const MPI_Count block : {MPI_Count{2147483647}, MPI_Count{1} << 51}) {
    const SHUNT_Dimension blocks{kCount, block, ranks, 0};
    const SHUNT_Dimension cyclic{kCount, 1, ranks, 0};
    const SHUNT_Array one{1, &blocks, nullptr, MPI_ORDER_C, nullptr, nullptr};
    const SHUNT_Array dealt{1, &cyclic, nullptr, MPI_ORDER_C, nullptr, nullptr};
    std::vector<int> sent(kCount);
    std::iota(sent.begin(), sent.end(), 0);
    std::vector<int> middle(kCount, -1);
    std::vector<int> back(kCount, -1);
    ASSERT_EQ(SHUNT_Redistribute(sent.data(), &one, middle.data(), &dealt, nullptr, nullptr,
                                 MPI_INT, MPI_COMM_WORLD),
              MPI_SUCCESS)
        << SHUNT_Last_error();
    if (world_rank() < kCount) {
      EXPECT_EQ(middle[0], world_rank());
    }
    ASSERT_EQ(SHUNT_Redistribute(middle.data(), &dealt, back.data(), &one, nullptr, nullptr,
                                 MPI_INT, MPI_COMM_WORLD),
              MPI_SUCCESS)
        << SHUNT_Last_error();
    if (world_rank() == 0) {
      EXPECT_EQ(back, sent);
    }
  }
}

/// What no element lies at does not count: strides where there is one index, extents beside 0.
TEST(RedistributionCorners, NumbersWithoutElementsDoNotCount) {
  Communicator communicator(MPI_COMM_SELF);
  constexpr Index kHuge = Index{1} << 61;
  const ArrayLayout row{{{1, 1}, {3, 3}}};
  const std::vector<int> sent{1, 2, 3};
  std::vector<int> received(3, -1);
  communicator.redistribute<int>({row, sent, {kHuge, 1}}, {row, received, {-5, 1}});
  EXPECT_EQ(received, sent);
  const ArrayLayout nothing{{{0, 1}, {kHuge, 1}, {kHuge, kHuge}}};
  communicator.redistribute<int>({nothing, std::span<const int>()}, {nothing, std::span<int>()});
  const ArrayLayout beyond{{{std::numeric_limits<Index>::max(), 1}}};
  expect_error(ErrorKind::argument, "the extent of dimension 0 is 9223372036854775807", [&] {
    communicator.redistribute<int>({beyond, std::span<const int>()}, {row, received});
  });
}

TEST(RedistributionCorners, RanksOfAGridThatIsTooLargeAreNotRead) {
  const SHUNT_Dimension dimension{12, 1, std::numeric_limits<int>::max(), 0};
  const int one_rank[] = {0};
  const SHUNT_Array wide{1, &dimension, one_rank, MPI_ORDER_C, nullptr, nullptr};
  MPI_Comm alone = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &alone);
  MPI_Comm_set_errhandler(alone, MPI_ERRORS_RETURN);
  int memory[12] = {};
  EXPECT_NE(SHUNT_Redistribute(memory, &wide, memory, &wide, nullptr, nullptr, MPI_INT, alone),
            MPI_SUCCESS);
  EXPECT_NE(std::string(SHUNT_Last_error()).find("has 2147483647 places; there are 1 ranks"),
            std::string::npos)
      << SHUNT_Last_error();
  MPI_Comm_free(&alone);
}

/// One buffer on both sides, or two that overlap: an error. Parts of one array beside each other
/// are right.
TEST(RedistributionCorners, OverlappingArraysAreRefused) {
  Communicator communicator(MPI_COMM_SELF);
  std::vector<int> memory(24);
  std::iota(memory.begin(), memory.end(), 0);
  const std::vector<int> before = memory;
  const std::span<int> all(memory);
  const ArrayLayout rows{{{4, 4}, {3, 3}}};
  const ArrayLayout columns{{{4, 4}, {3, 3}}, {}, Order::column_major};
  for (const std::size_t apart : {0U, 1U, 11U}) {
    const auto once = [&] {
      communicator.redistribute<int>({rows, all.first(12)}, {columns, all.subspan(apart, 12)});
    };
    const auto planned = [&] {
      (void)communicator.plan_redistribution<int>({rows, all.first(12)},
                                                  {columns, all.subspan(apart, 12)});
    };
    expect_error(ErrorKind::buffer, "must not overlap", once);
    expect_error(ErrorKind::buffer, "must not overlap", planned);
    EXPECT_EQ(memory, before);
  }
  communicator.redistribute<int>({rows, all.first(12)}, {columns, all.subspan(12)});
  EXPECT_EQ(memory[13], 3);
  // The first two rows to the last two of the same array.
  const ArrayLayout whole{{{4, 4}, {6, 6}}};
  memory = before;
  communicator.redistribute<int>({whole, all}, {whole, all}, {{2, 6}, {0, 0}, {2, 0}});
  EXPECT_EQ(memory[12], 0);
  EXPECT_EQ(memory[23], 11);
  expect_error(ErrorKind::buffer, "must not overlap", [&] {
    communicator.redistribute<int>({whole, all}, {whole, all}, {{2, 6}, {0, 0}, {1, 0}});
  });
}

}  // namespace
}  // namespace shunt::test
