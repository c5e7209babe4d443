// Memory of the node from C: it is redistributed from, freed once, and errors say what is wrong.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"
#include "mpi/c_failure.hpp"
#include "mpi/own_communicator.hpp"
#include "shunt/shunt.h"

namespace shunt::test {
namespace {

double* allocate(std::size_t count) {
  void* base = nullptr;
  EXPECT_EQ(SHUNT_Alloc_mem(static_cast<MPI_Aint>(count * sizeof(double)), MPI_COMM_WORLD, &base),
            MPI_SUCCESS)
      << SHUNT_Last_error();
  return static_cast<double*>(base);
}

/// From blocks to single elements in turn.
TEST(CMemory, IsRedistributedFrom) {
  constexpr MPI_Count kEach = 4000;
  const MPI_Count ranks = world_size();
  const SHUNT_Dimension blocks{kEach * ranks, kEach, world_size(), 0};
  const SHUNT_Dimension cyclic{kEach * ranks, 1, world_size(), 0};
  const SHUNT_Array from{1, &blocks, nullptr, MPI_ORDER_C, nullptr, nullptr};
  const SHUNT_Array to{1, &cyclic, nullptr, MPI_ORDER_C, nullptr, nullptr};
  double* const sent = allocate(kEach);
  ASSERT_NE(sent, nullptr);
  EXPECT_EQ(std::count(sent, sent + kEach, 0.0), kEach);
  for (MPI_Count k = 0; k < kEach; ++k) {
    sent[k] = static_cast<double>(world_rank() * kEach + k);
  }
  std::vector<double> received(kEach, -1);
  ASSERT_EQ(SHUNT_Redistribute(sent, &from, received.data(), &to, nullptr, nullptr, MPI_DOUBLE,
                               MPI_COMM_WORLD),
            MPI_SUCCESS)
      << SHUNT_Last_error();
  for (MPI_Count k = 0; k < kEach; ++k) {
    ASSERT_EQ(received[static_cast<std::size_t>(k)], static_cast<double>(k * ranks + world_rank()));
  }
  EXPECT_EQ(SHUNT_Free_mem(sent), MPI_SUCCESS) << SHUNT_Last_error();
}

TEST(CMemory, OfNothingIsFreedToo) {
  std::vector<double*> all;
  for (std::size_t k = 0; k < 4; ++k) all.push_back(allocate(0));
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
  for (double* const one : all) EXPECT_EQ(SHUNT_Free_mem(one), MPI_SUCCESS) << SHUNT_Last_error();
}

/// It goes when the program ends, without harm.
TEST(CMemory, NeedNotBeFreed) {
  double* const kept = allocate(1000);
  std::fill_n(kept, 1000, 1.0);
}

TEST(CMemory, SaysWhatIsWrong) {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  void* base = nullptr;
  expect_failure(SHUNT_Alloc_mem(-1, MPI_COMM_WORLD, &base), MPI_ERR_ARG,
                 "size is -1; it is at least 0");
  expect_failure(SHUNT_Alloc_mem(1, MPI_COMM_WORLD, nullptr), MPI_ERR_ARG, "baseptr is null");
  expect_failure(SHUNT_Alloc_mem(1, MPI_COMM_NULL, &base), MPI_ERR_COMM, "MPI_COMM_NULL");
  expect_failure(SHUNT_Alloc_mem(MPI_Aint{1} << 50, MPI_COMM_WORLD, &base), MPI_ERR_BUFFER,
                 "the system has no 1125899906842624 bytes");
  expect_failure(SHUNT_Free_mem(&base), MPI_ERR_ARG,
                 "is not what SHUNT_Alloc_mem gave and nobody freed");
  double* const once = allocate(1);
  EXPECT_EQ(SHUNT_Free_mem(once), MPI_SUCCESS);
  expect_failure(SHUNT_Free_mem(once), MPI_ERR_ARG, "nobody freed");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  MPI_Errhandler_free(&before);
}

}  // namespace
}  // namespace shunt::test
