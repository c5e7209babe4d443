// The C interface all-gathers more than 2^31 bytes: in one block of as many elements, in fewer
// elements than an int counts, in blocks that are that long only together, and in place.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/big_memory.hpp"
#include "mpi/block_case.hpp"
#include "mpi/c_gather_forms.hpp"

namespace shunt::test {
namespace {

class CBigAllgathers : public BigRoomTest {
 protected:
  /// The ranks' blocks of so many elements of `type`, each of `size` bytes, one after the other.
  static void allgather(const std::vector<const char*>& forms, const std::vector<Bytes>& counts,
                        MPI_Datatype type, Bytes size) {
    const ChosenVariable chosen("SHUNT_ALLGATHER", "recursive-halving");
    const Bytes own = counts[static_cast<std::size_t>(world_rank())];
    LazyMemory out(own * size, Pages::large);
    const std::span<std::byte> in = room((counts[0] + counts[1]) * size);
    write_marks(out.bytes(), key_of(world_rank()));
    for (const CForm& form : kGatherForms) {
      if (std::ranges::find(forms, std::string(form.name)) == forms.end()) continue;
      SCOPED_TRACE(form.name);
      ASSERT_EQ(form.call({out.bytes().data(), {own}, {0}, type},
                          {in.data(), counts, {0, counts[0]}, type}, MPI_COMM_WORLD),
                MPI_SUCCESS)
          << SHUNT_Last_error();
      const auto first = static_cast<std::size_t>(counts[0] * size);
      expect_marks(in.first(first), key_of(0));
      expect_marks(in.subspan(first), key_of(1));
      wipe_marks(in.first(first));
      wipe_marks(in.subspan(first));
    }
  }
};

TEST_F(CBigAllgathers, InOneBlockOfBytes) {
  allgather({"allgatherv_c", "allgatherv_init_c"}, {kBigBlock, 100}, MPI_BYTE, 1);
}

TEST_F(CBigAllgathers, InFewElements) {
  allgather({"allgatherv", "allgatherv_init"}, {kBigBlock / 8, 100}, MPI_INT64_T, 8);
}

TEST_F(CBigAllgathers, InBlocksThatAreThatLongTogether) {
  constexpr Bytes kBlock = kBigBlock / 2;
  allgather({"allgatherv"}, {kBlock, kBlock}, MPI_BYTE, 1);
}

TEST_F(CBigAllgathers, InPlace) {
  const std::span<std::byte> memory = room(2 * kBigBlock);
  auto block = [&](Rank rank) {
    return memory.subspan(static_cast<std::size_t>(rank * kBigBlock),
                          static_cast<std::size_t>(kBigBlock));
  };
  write_marks(block(world_rank()), key_of(world_rank()));
  ASSERT_EQ(SHUNT_Allgather_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, memory.data(), kBigBlock,
                              MPI_BYTE, MPI_COMM_WORLD),
            MPI_SUCCESS)
      << SHUNT_Last_error();
  for (Rank rank = 0; rank < 2; ++rank) expect_marks(block(rank), key_of(rank));
}

}  // namespace
}  // namespace shunt::test
