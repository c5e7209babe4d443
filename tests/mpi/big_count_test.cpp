// More than 2^31 bytes in one block, where an int would not do. Needs much memory, and so runs on
// two ranks only, and only where there is some.
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "mpi/block_case.hpp"

namespace shunt::test {
namespace {

constexpr Bytes kMebi = Bytes{1} << 20;
constexpr Bytes kBlock = (Bytes{1} << 31) + 3 * kMebi + 5;
constexpr Bytes kNeeded = 12 * 1024 * kMebi;

/// Memory that exists only where it is written to.
class LazyMemory {
 public:
  explicit LazyMemory(Bytes bytes) : bytes_(static_cast<std::size_t>(bytes)) {
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~LazyMemory() { munmap(memory_, bytes_); }
  LazyMemory(const LazyMemory&) = delete;
  LazyMemory& operator=(const LazyMemory&) = delete;

  [[nodiscard]] std::span<std::byte> bytes() { return {static_cast<std::byte*>(memory_), bytes_}; }

 private:
  std::size_t bytes_;
  void* memory_;
};

/// Bytes of memory that is free on this machine; 0 if nobody knows.
Bytes available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view kKey = "MemAvailable:";
    if (line.starts_with(kKey)) return std::stoll(line.substr(kKey.size())) * 1024;
  }
  return 0;
}

/// Why these tests cannot run here, on all ranks alike; empty if they can.
std::string reason_to_skip() {
  if (world_size() != 2) return "runs on two ranks only";
  Bytes available = available_memory();
  MPI_Bcast(&available, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  if (available >= kNeeded) return "";
  return "needs 12 GiB of memory; " + std::to_string(available / kMebi) + " MiB are available";
}

/// Marks that stand in the block at odd places, one about every mebibyte and one at each end.
template <class Visit>
void for_each_mark(Bytes block, Visit&& visit) {
  for (Bytes at = 0; at + 8 < block; at += kMebi + 13) visit(at);
  visit(block - 8);
}

void write_marks(std::span<std::byte> block) {
  for_each_mark(std::ssize(block), [&](Bytes at) {
    const Bytes mark = at ^ 0x0123456789ABCDEF;
    std::memcpy(block.data() + at, &mark, sizeof(mark));
  });
}

void wipe_marks(std::span<std::byte> block) {
  for_each_mark(std::ssize(block), [&](Bytes at) { std::memset(block.data() + at, 0, 8); });
}

void expect_marks(std::span<const std::byte> block) {
  Bytes wrong = 0;
  for_each_mark(std::ssize(block), [&](Bytes at) {
    Bytes mark = 0;
    std::memcpy(&mark, block.data() + at, sizeof(mark));
    if (mark != (at ^ 0x0123456789ABCDEF)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

/// Rank 0 sends one block of more than 2^31 bytes to rank 1.
struct BigCase {
  BigCase()
      : sends(world_rank() == 0),
        send(sends ? kBlock : 1),
        received(sends ? 1 : kBlock),
        out(Layout::packed(std::vector<Bytes>{0, sends ? kBlock : 0})),
        in(Layout::packed(std::vector<Bytes>{sends ? 0 : kBlock, 0})) {
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

/// All tests use the same memory: to get it takes longer than to fill it.
class BigCounts : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    reason() = reason_to_skip();
    if (reason().empty()) big() = std::make_unique<BigCase>();
  }
  static void TearDownTestSuite() { big().reset(); }

  void SetUp() override {
    if (!reason().empty()) GTEST_SKIP() << reason();
  }

  static std::string& reason() {
    static std::string reason;
    return reason;
  }
  static std::unique_ptr<BigCase>& big() {
    static std::unique_ptr<BigCase> big;
    return big;
  }
};

TEST_F(BigCounts, OneShotA1) {
  Yard yard(MPI_COMM_WORLD);
  const Counters counters = yard.alltoallv(big()->to_send(), big()->out, big()->to_receive(),
                                           big()->in, {"a1", Mode::dual_buffer, 512, {}});
  big()->check();
  const Bytes expected = big()->sends ? 0 : kBlock;
  EXPECT_EQ(counters.stages[0].received, expected);
  EXPECT_EQ(counters.stages[0].longest_received, expected);
}

/// In every stage half of the block crosses.
TEST_F(BigCounts, PlanA4) {
  Yard yard(MPI_COMM_WORLD);
  Plan plan = yard.plan_alltoallv(big()->to_send(), big()->out, big()->to_receive(), big()->in,
                                  {"a4", Mode::single_buffer, 512, {}});
  plan.execute();
  big()->check();
}

/// Of a message that is longer than its first packet the rest has more than 2^31 bytes.
TEST_F(BigCounts, LabelledMessage) {
  Yard yard(MPI_COMM_WORLD);
  yard.alltoallv(big()->to_send(), big()->out, big()->to_receive(), big()->in,
                 {"a3", Mode::single_buffer, 512, {}});
  big()->check();
}

/// The length of the first packet, which covers all that the bound allows, is no int.
TEST_F(BigCounts, Bound) {
  Yard yard(MPI_COMM_WORLD);
  BoundedPlan plan = yard.plan_bounded(2 * kBlock, {"a3", Mode::dual_buffer, 512, {}});
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
  constexpr int kPiece = 200;  // bytes
  constexpr Bytes kElement = Bytes{kPieces} * kPiece;
  constexpr Bytes kElements = kBlock / kElement + 1;
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
  LazyMemory memory(kElements * kElement);
  Yard yard(MPI_COMM_SELF);
  const Layout in_pieces{{kElements}, {0}};
  const Layout whole{{kElements * kElement}, {0}};
  yard.alltoallv(element.data(), in_pieces, type, memory.bytes().data(), whole, MPI_BYTE);
  for (Bytes i = 0; i < kElements; ++i) {
    const std::byte* const at = memory.bytes().data() + i * kElement;
    ASSERT_EQ(std::memcmp(at, packed.data(), packed.size()), 0) << "element " << i;
  }

  std::vector<std::byte> returned(element.size(), std::byte{0xA5});
  yard.alltoallv(memory.bytes().data(), whole, MPI_BYTE, returned.data(), in_pieces, type);
  for (std::size_t i = 0; i < element.size(); ++i) {
    ASSERT_EQ(returned[i], i / kPiece % 2 == 0 ? element[i] : std::byte{0xA5}) << i;
  }
  MPI_Type_free(&pieces);
  MPI_Type_free(&type);
}

}  // namespace
}  // namespace shunt::test
