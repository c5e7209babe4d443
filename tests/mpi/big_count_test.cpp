// More than 2^31 bytes in one block, where an int would not do. Needs much memory, and so runs on
// two ranks only, and only where there is some.
#include <cstring>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "mpi/big_memory.hpp"

namespace shunt::test {
namespace {

/// Rank 0 sends one block of more than 2^31 bytes to rank 1.
struct BigCase {
  BigCase()
      : sends(world_rank() == 0),
        send(sends ? kBigBlock : 1, Pages::large),
        received(sends ? 1 : kBigBlock, Pages::large),
        out(Layout::packed(std::vector<Bytes>{0, sends ? kBigBlock : 0})),
        in(Layout::packed(std::vector<Bytes>{sends ? 0 : kBigBlock, 0})) {
    if (sends) write_marks(send.bytes());
  }

  [[nodiscard]] std::span<const std::byte> to_send() { return send.bytes(); }
  [[nodiscard]] std::span<std::byte> to_receive() { return received.bytes(); }

  /// Once per exchange: the marks are gone afterwards.
  void check() {
    if (sends) return;
    expect_marks(received.bytes());
    wipe_marks(received.bytes());
  }

  bool sends;
  LazyMemory send;
  LazyMemory received;
  Layout out;
  Layout in;
};

using BigCounts = BigTest<BigCase>;

TEST_F(BigCounts, OneShotLinear) {
  Communicator communicator(MPI_COMM_WORLD);
  const Counters counters =
      communicator.alltoallv(big()->to_send(), big()->out, big()->to_receive(), big()->in,
                             {"linear", Mode::dual_buffer, 512, {}});
  big()->check();
  const Bytes expected = big()->sends ? 0 : kBigBlock;
  EXPECT_EQ(counters.stages[0].received, expected);
  EXPECT_EQ(counters.stages[0].longest_received, expected);
}

/// In every stage half of the block crosses.
TEST_F(BigCounts, PlanFourStage) {
  Communicator communicator(MPI_COMM_WORLD);
  Plan plan = communicator.plan_alltoallv(big()->to_send(), big()->out, big()->to_receive(),
                                          big()->in, {"four-stage", Mode::single_buffer, 512, {}});
  plan.execute();
  big()->check();
}

/// Of a message that is longer than its first packet the rest has more than 2^31 bytes.
TEST_F(BigCounts, LabelledMessage) {
  Communicator communicator(MPI_COMM_WORLD);
  communicator.alltoallv(big()->to_send(), big()->out, big()->to_receive(), big()->in,
                         {"row-column", Mode::single_buffer, 512, {}});
  big()->check();
}

/// The length of the first packet, which covers all that the bound allows, is no int.
TEST_F(BigCounts, Bound) {
  Communicator communicator(MPI_COMM_WORLD);
  BoundedPlan plan =
      communicator.plan_bounded(2 * kBigBlock, {"row-column", Mode::dual_buffer, 512, {}});
  plan.execute(big()->to_send(), big()->out, big()->to_receive(), big()->in);
  big()->check();
}

/// MPI packs no more than an int counts at once. The elements of the type in pieces all lie at the
/// same place, so that they take little memory.
TEST(BigCountsOfTypes, ThatOnlyMpiPacks) {
  const std::string reason = reason_to_skip();
  if (!reason.empty()) GTEST_SKIP() << reason;
  if (world_rank() != 0) return;
  constexpr int kPieces = 5000;
  constexpr int kPiece = 2000;  // bytes
  constexpr Bytes kElement = Bytes{kPieces} * kPiece;
  constexpr Bytes kElements = kBigBlock / kElement + 1;
  MPI_Datatype pieces = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(kPieces, kPiece, 2 * kPiece, MPI_BYTE, &pieces);
  MPI_Type_create_resized(pieces, 0, 0, &type);
  MPI_Type_commit(&type);

  std::vector<std::byte> element(2 * kElement);
  std::vector<std::byte> packed;
  for (std::size_t i = 0; i < element.size(); ++i) {
    element[i] = byte_of(0, 1, static_cast<Bytes>(i));
    if (i / kPiece % 2 == 0) packed.push_back(element[i]);
  }
  LazyMemory memory(kElements * kElement, Pages::large);
  Communicator communicator(MPI_COMM_SELF);
  const Layout in_pieces{{kElements}, {0}};
  const Layout whole{{kElements * kElement}, {0}};
  communicator.alltoallv(element.data(), in_pieces, type, memory.bytes().data(), whole, MPI_BYTE);
  for (Bytes i = 0; i < kElements; ++i) {
    const std::byte* const at = memory.bytes().data() + i * kElement;
    ASSERT_EQ(std::memcmp(at, packed.data(), packed.size()), 0) << "element " << i;
  }

  std::vector<std::byte> returned(element.size(), std::byte{0xA5});
  communicator.alltoallv(memory.bytes().data(), whole, MPI_BYTE, returned.data(), in_pieces, type);
  for (std::size_t i = 0; i < element.size(); ++i) {
    ASSERT_EQ(returned[i], i / kPiece % 2 == 0 ? element[i] : std::byte{0xA5}) << i;
  }
  MPI_Type_free(&pieces);
  MPI_Type_free(&type);
}

}  // namespace
}  // namespace shunt::test
