// All-gathers of more than 2^31 bytes, where an int would not do: in one block, and in a message of
// blocks that are that long only together.
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/big_memory.hpp"
#include "mpi/block_case.hpp"

namespace shunt::test {
namespace {

constexpr Bytes kShortBlock = 100;
constexpr Bytes kGap = 13;

/// Every rank's block is known by its marks; between blocks there are gaps.
class BigAllgather {
 public:
  explicit BigAllgather(const std::vector<Bytes>& counts)
      : layout(Layout::packed(counts)),
        own_(counts[static_cast<std::size_t>(world_rank())], Pages::large),
        received_(layout.displacements.back() + kGap * std::ssize(counts) + counts.back(),
                  Pages::large) {
    for (std::size_t k = 0; k < counts.size(); ++k) {
      layout.displacements[k] += kGap * static_cast<Bytes>(k);
    }
    write_marks(own_.bytes(), key_of(world_rank()));
  }

  [[nodiscard]] std::span<const std::byte> to_send() { return own_.bytes(); }
  [[nodiscard]] std::span<std::byte> to_receive() { return received_.bytes(); }

  /// Once per allgather: the marks are gone afterwards.
  void check() {
    for (Rank source = 0; source < world_size(); ++source) {
      SCOPED_TRACE("of rank " + std::to_string(source));
      const auto k = static_cast<std::size_t>(source);
      const std::span<std::byte> block =
          received_.bytes().subspan(static_cast<std::size_t>(layout.displacements[k]),
                                    static_cast<std::size_t>(layout.counts[k]));
      expect_marks(block, key_of(source));
      wipe_marks(block);
    }
  }

  static Bytes key_of(Rank source) { return 1 + source; }

  Layout layout;

 private:
  LazyMemory own_;
  LazyMemory received_;
};

/// Rank 0 has more than 2^31 bytes, and rank 1 a few that lie behind them.
struct LongBlockFirst : BigAllgather {
  LongBlockFirst() : BigAllgather({kBigBlock, kShortBlock}) {}
};

using BigAllgathers = BigTest<LongBlockFirst>;

TEST_F(BigAllgathers, OneShot) {
  Communicator communicator(MPI_COMM_WORLD);
  const Counters counters =
      communicator.allgatherv(big()->to_send(), big()->to_receive(), big()->layout,
                              {"recursive-halving", Mode::dual_buffer, 512, {}});
  big()->check();
  const Bytes expected = world_rank() == 0 ? kShortBlock : kBigBlock;
  EXPECT_EQ(counters.stages[0].received, expected);
  EXPECT_EQ(counters.stages[0].longest_received, expected);
}

/// The long block travels in halves.
TEST_F(BigAllgathers, PlanInParts) {
  Communicator communicator(MPI_COMM_WORLD);
  Plan plan = communicator.plan_allgatherv(big()->to_send(), big()->to_receive(), big()->layout,
                                           {"scatter-allgather", Mode::single_buffer, 512, {}});
  plan.execute();
  big()->check();
}

TEST_F(BigAllgathers, ChosenPlan) {
  Communicator communicator(MPI_COMM_WORLD);
  Plan plan =
      communicator.plan_allgatherv(big()->to_send(), big()->to_receive(), big()->layout, {});
  plan.execute();
  big()->check();
}

TEST_F(BigAllgathers, OfUnknownLength) {
  Communicator communicator(MPI_COMM_WORLD);
  const auto found = communicator.allgather_from(big()->to_send());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(std::ssize(found[0].data), kBigBlock);
  EXPECT_EQ(std::ssize(found[1].data), kShortBlock);
  for (const auto& [source, data] : found) expect_marks(data, BigAllgather::key_of(source));
}

/// Rank 0 gathers the blocks, and passes on those of ranks 0 and 1, which lie apart, in one message
/// to rank 2.
TEST(BigAllgathersOfPieces, ThatAreThatLongTogether) {
  const std::string reason = reason_to_skip(3);
  if (!reason.empty()) GTEST_SKIP() << reason;
  constexpr Bytes kBlock = kBigBlock / 2;
  BigAllgather big({kBlock, kBlock, kShortBlock});
  Communicator communicator(MPI_COMM_WORLD);
  const Counters counters = communicator.allgatherv(big.to_send(), big.to_receive(), big.layout,
                                                    {"gather-broadcast", Mode::blocking, 512, {}});
  big.check();
  const Bytes longest =
      std::ranges::max(counters.stages, {}, &StageCounters::longest_received).longest_received;
  EXPECT_EQ(longest == 2 * kBlock, world_rank() == 2) << longest;
  Plan plan = communicator.plan_allgatherv(big.to_send(), big.to_receive(), big.layout,
                                           {"gather-broadcast", Mode::dual_buffer, 512, {}});
  plan.execute();
  big.check();
}

}  // namespace
}  // namespace shunt::test
