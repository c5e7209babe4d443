// SHUNT_Allgather and SHUNT_Allgatherv in all their forms: bytes as MPI_Allgatherv.
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/c_gather_forms.hpp"
#include "mpi/typed_memory.hpp"

namespace shunt::test {
namespace {

constexpr const char* kAllgathers[] = {"auto", "recursive-halving", "native", "scatter-allgather",
                                       "ring"};

using Maker = OwnType (*)();
constexpr Maker kBlockTypes[] = {contiguous,
                                 vector_with_holes,
                                 resized_with_negative_bound,
                                 indexed_out_of_order,
                                 structure,
                                 shifted,
                                 far_apart,
                                 dense_but_permuted,
                                 displaced_before_its_origin};

/// What MPI makes of plain bytes, dealt out by MPI_Unpack: some MPIs are wrong for some of the
/// types.
std::vector<std::byte> expected_bytes(Side& send, MPI_Datatype send_type, Side received,
                                      MPI_Datatype receive_type) {
  const std::vector<Bytes>& elements = received.layout().counts;
  constexpr int kElementBytes = 24;
  std::vector<int> counts = ints(elements);
  for (int& count : counts) count *= kElementBytes;
  const std::vector<int> places = ints(Layout::packed(counts).displacements);
  const auto own = static_cast<std::size_t>(world_rank());
  std::vector<std::byte> packed(static_cast<std::size_t>(counts[own]) + 1);
  int at = 0;
  MPI_Pack(send.origin(), counts[own] / kElementBytes, send_type, packed.data(), counts[own], &at,
           MPI_COMM_SELF);
  std::vector<std::byte> all(static_cast<std::size_t>(places.back() + counts.back()) + 1);
  MPI_Allgatherv(packed.data(), counts[own], MPI_BYTE, all.data(), counts.data(), places.data(),
                 MPI_BYTE, MPI_COMM_WORLD);
  MPI_Aint bound = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(receive_type, &bound, &extent);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    at = 0;
    MPI_Unpack(all.data() + places[k], counts[k], &at,
               received.origin() + received.layout().displacements[k] * extent,
               static_cast<int>(elements[k]), receive_type, MPI_COMM_SELF);
  }
  return received.memory();
}

/// `forms` under one broadcast in turn, not in place and in place, for each pair of types.
void expect_bytes(std::span<const CForm> forms, const std::vector<Bytes>& counts, bool equal) {
  std::size_t turn = 0;
  for (std::size_t k = 0; k < std::size(kBlockTypes); ++k) {
    const OwnType send_type = kBlockTypes[k]();
    const OwnType receive_type = kBlockTypes[(3 * k + 1) % std::size(kBlockTypes)]();
    const auto own = static_cast<std::size_t>(world_rank());
    Side send(Layout{{counts[own]}, {0}}, send_type.get());
    send.fill(1);
    const Side before =
        equal ? Side(Layout::packed(counts), receive_type.get()) : Side(counts, receive_type.get());
    Side received = before;
    received.poison();
    const auto expected = expected_bytes(send, send_type.get(), received, receive_type.get());
    for (const CForm& form : forms) {
      const char* const allgather = kAllgathers[turn++ % std::size(kAllgathers)];
      SCOPED_TRACE(std::string(form.name) + ", " + allgather + ", types " + std::to_string(k));
      const ChosenVariable chosen("SHUNT_ALLGATHER", allgather);
      received.poison();
      ASSERT_EQ(form.call(as_argument(send, send_type.get()),
                          as_argument(received, receive_type.get()), MPI_COMM_WORLD),
                MPI_SUCCESS)
          << SHUNT_Last_error();
      ASSERT_EQ(received.memory(), expected);

      // The own block comes from where it belongs.
      Side in_place = before;
      in_place.fill(2);
      MPI_Aint bound = 0;
      MPI_Aint extent = 0;
      MPI_Type_get_extent(receive_type.get(), &bound, &extent);
      Side own_block = in_place;
      const Bytes place = before.layout().displacements[own];
      const auto expected_in_place = [&] {
        Side moved(Layout{{counts[own]}, {0}}, receive_type.get());
        moved.poison();
        std::vector<std::byte> packed(static_cast<std::size_t>(counts[own]) * 24 + 1);
        const int bytes = static_cast<int>(packed.size());
        int at = 0;
        MPI_Pack(own_block.origin() + place * extent, static_cast<int>(counts[own]),
                 receive_type.get(), packed.data(), bytes, &at, MPI_COMM_SELF);
        at = 0;
        MPI_Unpack(packed.data(), bytes, &at, moved.origin(), static_cast<int>(counts[own]),
                   receive_type.get(), MPI_COMM_SELF);
        return expected_bytes(moved, receive_type.get(), in_place, receive_type.get());
      }();
      ASSERT_EQ(
          form.call(CSide::in_place(), as_argument(in_place, receive_type.get()), MPI_COMM_WORLD),
          MPI_SUCCESS)
          << SHUNT_Last_error();
      ASSERT_EQ(in_place.memory(), expected_in_place);
    }
  }
}

TEST(CAllgatherExactness, OfBlocksOfAnyLength) {
  std::vector<Bytes> counts;
  for (Rank rank = 0; rank < world_size(); ++rank) counts.push_back((5 * rank + 2) % 4);
  expect_bytes(kGatherForms, counts, false);
}

TEST(CAllgatherExactness, OfEqualBlocks) {
  expect_bytes(kEqualGatherForms, std::vector<Bytes>(static_cast<std::size_t>(world_size()), 3),
               true);
}

}  // namespace
}  // namespace shunt::test
