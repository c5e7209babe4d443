// The C interface moves more than 2^31 bytes: in one block of as many elements, in fewer elements
// than an int counts, in blocks that are that long only together, and in place.
#include <algorithm>

#include <gtest/gtest.h>

#include "mpi/big_memory.hpp"
#include "mpi/c_forms.hpp"

namespace shunt::test {
namespace {

class CBigCounts : public BigRoomTest {
 protected:
  /// What rank 0 sends to rank 1 alone, as a side of either rank.
  static CSide one_way(const void* buffer, Bytes count, bool mine, MPI_Datatype type) {
    const Rank peer = 1 - world_rank();
    std::vector<Bytes> counts{0, 0};
    if (mine) counts[static_cast<std::size_t>(peer)] = count;
    return {buffer, counts, {0, 0}, type};
  }

  /// Rank 0 sends `count` elements of `type`, in all `bytes`, to rank 1.
  static void send(const std::vector<const char*>& forms, Bytes count, MPI_Datatype type,
                   Bytes bytes) {
    const ChosenVariable chosen("SHUNT_ALGORITHM", "linear");
    const bool sends = world_rank() == 0;
    const std::span<std::byte> memory = room(bytes);
    if (sends) write_marks(memory, key_of(0));
    for (const CForm& form : kCForms) {
      if (std::ranges::find(forms, std::string(form.name)) == forms.end()) continue;
      SCOPED_TRACE(form.name);
      ASSERT_EQ(form.call(one_way(memory.data(), count, sends, type),
                          one_way(memory.data(), count, !sends, type), MPI_COMM_WORLD),
                MPI_SUCCESS)
          << SHUNT_Last_error();
      if (sends) continue;
      expect_marks(memory, key_of(0));
      wipe_marks(memory);
    }
  }
};

TEST_F(CBigCounts, InOneBlockOfBytes) {
  send({"alltoallv_c", "alltoallw_init_c"}, kBigBlock, MPI_BYTE, kBigBlock);
}

TEST_F(CBigCounts, InFewElements) {
  constexpr Bytes kElements = kBigBlock / sizeof(std::int64_t);
  send({"alltoallv", "alltoallw_init"}, kElements, MPI_INT64_T, kElements * 8);
}

TEST_F(CBigCounts, InBlocksThatAreThatLongTogether) {
  constexpr Bytes kBlock = kBigBlock / 2;
  const int block = world_rank() == 0 ? static_cast<int>(kBlock) : 0;
  LazyMemory out(2 * kBlock, Pages::large);
  const std::span<std::byte> in = room(kBlock);
  if (block > 0) {
    write_marks(out.bytes().first(kBlock), key_of(0));
    write_marks(out.bytes().last(kBlock), key_of(1));
  }
  const int counts_out[] = {block, block};
  const int places_out[] = {0, block};
  const int counts_in[] = {static_cast<int>(kBlock), 0};
  const int places_in[] = {0, 0};
  ASSERT_EQ(SHUNT_Alltoallv(out.bytes().data(), counts_out, places_out, MPI_BYTE, in.data(),
                            counts_in, places_in, MPI_BYTE, MPI_COMM_WORLD),
            MPI_SUCCESS)
      << SHUNT_Last_error();
  expect_marks(in, key_of(world_rank()));
}

/// Each rank's block for the other lies where that of the other comes to lie.
TEST_F(CBigCounts, InPlace) {
  const Rank peer = 1 - world_rank();
  const std::span<std::byte> memory = room(2 * kBigBlock);
  const std::span<std::byte> block =
      memory.subspan(static_cast<std::size_t>(peer * kBigBlock), kBigBlock);
  write_marks(block, key_of(world_rank()));
  MPI_Count counts[] = {0, 0};
  counts[peer] = kBigBlock;
  const MPI_Aint places[] = {0, kBigBlock};
  ASSERT_EQ(SHUNT_Alltoallv_c(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, memory.data(),
                              counts, places, MPI_BYTE, MPI_COMM_WORLD),
            MPI_SUCCESS)
      << SHUNT_Last_error();
  expect_marks(block, key_of(peer));
}

}  // namespace
}  // namespace shunt::test
