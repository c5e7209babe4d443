// Memory for blocks of more than 2^31 bytes, where an int would not do.
#pragma once

#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <span>
#include <string>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "mpi/block_case.hpp"

namespace shunt::test {

inline constexpr Bytes kMebi = Bytes{1} << 20;
inline constexpr Bytes kBigBlock = (Bytes{1} << 31) + 3 * kMebi + 5;
inline constexpr Bytes kNeeded = 12 * 1024 * kMebi;

/// How much of lazy memory one write brings into being.
enum class Pages {
  small,  ///< little: where little is written
  large   ///< much, if the system likes: in a fraction of the time, where all is written or copied
};

/// Memory that exists only where it is written to.
class LazyMemory {
 public:
  LazyMemory(Bytes bytes, Pages pages) : bytes_(static_cast<std::size_t>(bytes)) {
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    if (pages == Pages::large) (void)madvise(memory_, bytes_, MADV_HUGEPAGE);
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
inline Bytes available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view kKey = "MemAvailable:";
    if (line.starts_with(kKey)) return std::stoll(line.substr(kKey.size())) * 1024;
  }
  return 0;
}

/// Why these tests, which are for so many ranks, cannot run here, on all ranks alike; empty if they
/// can.
inline std::string reason_to_skip(Rank ranks = 2) {
  if (world_size() != ranks) return "runs on " + std::to_string(ranks) + " ranks only";
  Bytes available = available_memory();
  MPI_Bcast(&available, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  if (available >= kNeeded) return "";
  return "needs 12 GiB of memory; " + std::to_string(available / kMebi) + " MiB are available";
}

/// All tests of a suite use one `Case`: to get so much memory takes longer than to fill it.
template <class Case>
class BigTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    reason() = reason_to_skip();
    if (reason().empty()) big() = std::make_unique<Case>();
  }
  static void TearDownTestSuite() { big().reset(); }

  void SetUp() override {
    if (!reason().empty()) GTEST_SKIP() << reason();
  }

  static std::string& reason() {
    static std::string reason;
    return reason;
  }
  static std::unique_ptr<Case>& big() {
    static std::unique_ptr<Case> big;
    return big;
  }
};

/// Memory that all tests of a suite receive into.
struct BigRoom {
  LazyMemory memory{2 * kBigBlock, Pages::large};
};

class BigRoomTest : public BigTest<BigRoom> {
 protected:
  void SetUp() override {
    ++tests();
    BigTest::SetUp();
  }

  /// The first bytes of the room, where other tests may have left what they received.
  static std::span<std::byte> room(Bytes bytes) {
    return big()->memory.bytes().first(static_cast<std::size_t>(bytes));
  }

  /// Known by it are this test's marks in the block of `source`, 0 or 1, and no others.
  static Bytes key_of(Rank source) { return 2 * tests() + source; }

 private:
  static Bytes& tests() {
    static Bytes tests = 0;
    return tests;
  }
};

/// What stands in the block that is known by `key`.
inline Bytes mark_at(Bytes at, Bytes key) { return at ^ 0x0123456789ABCDEF ^ (key << 56); }

/// Marks that stand in the block at odd places, one about every mebibyte and one at each end.
template <class Visit>
void for_each_mark(Bytes block, Visit&& visit) {
  for (Bytes at = 0; at + 8 < block; at += kMebi + 13) visit(at);
  visit(block - 8);
}

inline void write_marks(std::span<std::byte> block, Bytes key = 0) {
  for_each_mark(std::ssize(block), [&](Bytes at) {
    const Bytes mark = mark_at(at, key);
    std::memcpy(block.data() + at, &mark, sizeof(mark));
  });
}

inline void wipe_marks(std::span<std::byte> block) {
  for_each_mark(std::ssize(block), [&](Bytes at) { std::memset(block.data() + at, 0, 8); });
}

inline void expect_marks(std::span<const std::byte> block, Bytes key = 0) {
  Bytes wrong = 0;
  for_each_mark(std::ssize(block), [&](Bytes at) {
    Bytes mark = 0;
    std::memcpy(&mark, block.data() + at, sizeof(mark));
    if (mark != mark_at(at, key)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace shunt::test
