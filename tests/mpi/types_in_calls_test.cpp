// Calls with datatypes of every make: what MPI sends is what Shunt sends, and a program's types
// stay its own.
#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/typed_memory.hpp"
#include "shunt/shunt.h"
#include "shunt/shunt.hpp"

namespace shunt::test {
namespace {

/// Types of absolute addresses, one for each rank, of more pieces than are listed: MPICH's
/// MPI_Type_dup loses the lower bound of such types.
TEST(TypesInCalls, OfAbsoluteAddressesInManyPieces) {
  constexpr int kPieces = 4500;
  const auto ranks = static_cast<std::size_t>(world_size());
  std::vector<int> out(ranks * kPieces * 2);
  std::iota(out.begin(), out.end(), 1000000 * world_rank());
  std::vector<int> in(out.size(), -1);
  std::vector<OwnType> types;
  std::vector<MPI_Datatype> out_types;
  std::vector<MPI_Datatype> in_types;
  const OwnType pieces =
      made([&](MPI_Datatype* type) { MPI_Type_vector(kPieces, 1, 2, MPI_INT, type); });
  for (std::vector<int>* side : {&out, &in}) {
    for (std::size_t k = 0; k < ranks; ++k) {
      MPI_Aint address = 0;
      MPI_Get_address(&(*side)[k * kPieces * 2], &address);
      const int one = 1;
      types.push_back(made([&](MPI_Datatype* type) {
        MPI_Type_create_hindexed(1, &one, &address, pieces.get(), type);
      }));
      (side == &out ? out_types : in_types).push_back(types.back().get());
    }
  }
  const std::vector<int> ones(ranks, 1);
  const std::vector<int> zeros(ranks, 0);
  MPI_Alltoallw(MPI_BOTTOM, ones.data(), zeros.data(), out_types.data(), MPI_BOTTOM, ones.data(),
                zeros.data(), in_types.data(), MPI_COMM_WORLD);
  const std::vector<int> expected = in;
  std::ranges::fill(in, -1);
  ASSERT_EQ(SHUNT_Alltoallw(MPI_BOTTOM, ones.data(), zeros.data(), out_types.data(), MPI_BOTTOM,
                            ones.data(), zeros.data(), in_types.data(), MPI_COMM_WORLD),
            MPI_SUCCESS);
  EXPECT_TRUE(in == expected);
}

/// A program's attributes of its types are its own: their callbacks never run for Shunt.
TEST(TypesInCalls, RunNoCallbacksOfTheProgram) {
  static int copies;
  static int deletions;
  copies = 0;
  deletions = 0;
  int key = MPI_KEYVAL_INVALID;
  MPI_Type_create_keyval(
      [](MPI_Datatype, int, void*, void*, void*, int* flag) {
        ++copies;
        *flag = 1;
        return MPI_SUCCESS;
      },
      [](MPI_Datatype, int, void*, void*) {
        ++deletions;
        return MPI_SUCCESS;
      },
      &key, nullptr);
  {
    OwnType type = made([](MPI_Datatype* in) { MPI_Type_vector(5000, 1, 2, MPI_INT, in); });
    MPI_Type_set_attr(type.get(), key, &key);
    const OwnType outer = made([&](MPI_Datatype* in) { MPI_Type_vector(2, 1, 1, type.get(), in); });
    Communicator communicator(MPI_COMM_WORLD);
    const std::vector<Bytes> counts(static_cast<std::size_t>(world_size()), 1);
    for (const MPI_Datatype used : {type.get(), outer.get()}) {
      Side from(counts, used);
      Side to(counts, used);
      from.fill(1);
      Plan plan = communicator.plan_alltoallv(from.origin(), from.layout(), used, to.origin(),
                                              to.layout(), used, {"linear"});
      plan.execute();
    }
    EXPECT_EQ(copies, 0);
    EXPECT_EQ(deletions, 0);
    type.free();
  }
  EXPECT_EQ(deletions, 1);
  MPI_Type_free_keyval(&key);
}

}  // namespace
}  // namespace shunt::test
