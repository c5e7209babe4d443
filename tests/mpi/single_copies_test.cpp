// Messages inside a node that are copied once, from the sender's memory to the receiver's.
#include "transport/single_copies.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "mpi/block_case.hpp"
#include "mpi/nodes.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/process_reads.hpp"
#include "mpi/stream.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

Options with_single_copies(const char* algorithm, Mode mode = Mode::dual_buffer) {
  return {.algorithm = algorithm, .mode = mode, .grain = 16, .single_copy = true};
}

/// Of this rank while `exchange` runs.
template <class Exchange>
Bytes bytes_read_by(Exchange&& exchange) {
  const Bytes before = ProcessReads::bytes;
  exchange();
  return ProcessReads::bytes - before;
}

/// A sender that went on too soon would write over what its receivers have still to read.
void expect_exact(Communicator& communicator, Bytes longest, const Options& options, int rounds) {
  SCOPED_TRACE(options.algorithm + ", " + name_of(options.mode));
  Stream both_ways(communicator, longest, options);
  Stream one_way(communicator, longest, options, true);
  std::minstd_rand random(static_cast<unsigned>(world_rank()) + 1);
  for (int round = 0; round < rounds; ++round) {
    for (Stream* stream : {&both_ways, &one_way}) {
      if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
      stream->execute(round);
      stream->exchange(round + 1);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

/// Around the length from which messages are exposed.
TEST(SharedMemorySingleCopies, AreExact) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const Mode mode : kModes) {
    for (const char* name : {"linear", "four-stage", "stages:3"}) {
      expect_exact(communicator, 2 * kLeastSingleCopy, with_single_copies(name, mode), 4);
      if (HasFatalFailure()) return;
    }
  }
}

/// On two ranks some are read in several pieces.
TEST(SharedMemorySingleCopies, AreExactWhenLong) {
  Communicator communicator(MPI_COMM_WORLD);
  const Bytes longest = world_size() == 2 ? Bytes{18'000'000} : Bytes{4'800'000} / world_size();
  expect_exact(communicator, longest, with_single_copies("linear"), 2);
}

/// Every message that is long enough is read where it lies, and no other one.
TEST(SharedMemorySingleCopies, AreForLongMessages) {
  if (!one_node()) GTEST_SKIP() << "MPI carries some of them";
  Communicator communicator(MPI_COMM_WORLD);
  for (const bool single_copy : {true, false}) {
    Options options = with_single_copies("linear");
    options.single_copy = single_copy;
    Stream stream(communicator, 3 * kLeastSingleCopy, options);
    const Bytes expected = single_copy ? stream.received_from_others(kLeastSingleCopy) : 0;
    EXPECT_EQ(bytes_read_by([&] { stream.execute(1); }), expected);
    EXPECT_EQ(bytes_read_by([&] { stream.exchange(2); }), expected);
    if (HasFatalFailure()) return;
  }
}

/// Whole pages, one block for each rank in so many of them.
class BlocksInPages {
 public:
  static constexpr Bytes kPage = 4096;
  static constexpr Bytes kBlock = 10 * kPage + 5;
  static constexpr Bytes kPages = 12;  ///< of a block

  /// The blocks begin so far behind the first of their pages.
  explicit BlocksInPages(Bytes behind)
      : counts_(static_cast<std::size_t>(world_size()), kBlock),
        memory_(static_cast<std::size_t>((kPages * world_size() + 1) * kPage), std::byte{0xa5}) {
    void* at = memory_.data();
    std::size_t room = memory_.size();
    const std::size_t needed = room - kPage;
    pages_ = {static_cast<std::byte*>(std::align(kPage, needed, at, room)), needed};
    for (int rank = 0; rank < world_size(); ++rank) {
      displacements_.push_back(rank * kPages * kPage + behind);
    }
  }

  [[nodiscard]] std::span<std::byte> pages() const { return pages_; }
  [[nodiscard]] Layout layout() const { return Layout::of(counts_, displacements_); }
  [[nodiscard]] std::span<std::byte> block(int rank) const {
    return pages_.subspan(static_cast<std::size_t>(displacements_[static_cast<std::size_t>(rank)]),
                          kBlock);
  }

 private:
  std::vector<Bytes> counts_;
  std::vector<Bytes> displacements_;
  std::vector<std::byte> memory_;
  std::span<std::byte> pages_;
};

/// As one rank sends it to another.
void fill_block(std::span<std::byte> block, int from, int to) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    block[i] = static_cast<std::byte>((i + static_cast<std::size_t>(from * 7 + to * 13)) % 251);
  }
}

/// None is read by the system to where it would copy a byte a cycle.
TEST(SharedMemorySingleCopies, AreExactAndFastWhereverBlocksLieInTheirPages) {
  if (!one_node()) GTEST_SKIP() << "MPI carries some of them";
  Communicator communicator(MPI_COMM_WORLD);
  const BlocksInPages sent(0);
  for (int to = 0; to < world_size(); ++to) fill_block(sent.block(to), world_rank(), to);
  const int slow = ProcessReads::slow;
  for (const Bytes behind : {0, 1, 8, 31, 32, 63, 64, 4095}) {
    const BlocksInPages received(behind);
    const BlocksInPages expected(behind);
    for (int from = 0; from < world_size(); ++from) {
      fill_block(expected.block(from), from, world_rank());
    }
    communicator.alltoallv(std::span<const std::byte>(sent.pages()), sent.layout(),
                           received.pages(), received.layout(), with_single_copies("linear"));
    EXPECT_TRUE(std::ranges::equal(received.pages(), expected.pages())) << behind << " behind";
  }
  EXPECT_EQ(ProcessReads::slow, slow);
}

TEST(SharedMemorySingleCopies, AreLeftToMpiWhereTheSystemRefuses) {
  ProcessReads::refused = true;
  const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(comm.get());
  ProcessReads::refused = false;
  Stream stream(communicator, 3 * kLeastSingleCopy, with_single_copies("linear"));
  EXPECT_EQ(stream.peak_shared(), 0);
  for (int round = 0; round < 3; ++round) {
    stream.execute(round);
    stream.exchange(round + 1);
    if (HasFatalFailure()) return;
  }
}

/// Memory that its own process may not read either.
class Unreadable {
 public:
  static constexpr std::size_t kBytes = 65536;

  Unreadable() : at_(::mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  Unreadable(const Unreadable&) = delete;
  Unreadable& operator=(const Unreadable&) = delete;
  ~Unreadable() { ::munmap(at_, kBytes); }

  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(at_), kBytes};
  }

 private:
  void* at_;
};

/// Rank 0 sends rank 1 what lies there; afterwards all goes well again.
TEST(SharedMemorySingleCopies, SayWhatCannotBeRead) {
  if (world_size() == 1) GTEST_SKIP() << "there is nobody to send to";
  if (!one_node()) GTEST_SKIP() << "MPI finds out, in its own words";
  Communicator communicator(MPI_COMM_WORLD);
  Stream stream(communicator, 2 * kLeastSingleCopy, with_single_copies("linear"));
  const Unreadable memory;
  std::vector<std::byte> received(Unreadable::kBytes);
  std::vector<Bytes> out(static_cast<std::size_t>(world_size()), 0);
  std::vector<Bytes> in(out);
  if (world_rank() == 0) out[1] = 3 * kLeastSingleCopy;
  if (world_rank() == 1) in[0] = 3 * kLeastSingleCopy;
  const Layout send = Layout::packed(out);
  const Layout receive = Layout::packed(in);
  Plan plan = communicator.plan_alltoallv(memory.bytes(), send, std::span(received), receive,
                                          with_single_copies("linear"));
  const auto expect = [&](auto&& exchange) {
    if (world_rank() == 1) {
      expect_error(ErrorKind::buffer, "24576 bytes of the send buffer of process", exchange);
    } else {
      exchange();
    }
    stream.exchange(1);
    stream.execute(2);
  };
  expect([&] { plan.execute(); });
  expect([&] {
    communicator.alltoallv(memory.bytes(), send, std::span(received), receive,
                           with_single_copies("linear"));
  });
}

TEST(SharedMemorySingleCopies, TellWhereLengthsDoNotAgree) {
  if (world_size() == 1) GTEST_SKIP() << "there is nobody to send to";
  if (!one_node()) GTEST_SKIP() << "MPI finds out, in its own words";
  Communicator communicator(MPI_COMM_WORLD);
  Stream stream(communicator, 2 * kLeastSingleCopy, with_single_copies("linear"));
  std::vector<std::byte> data(50000);
  std::vector<std::byte> received(50000);
  for (const auto& [sent, expected] : {std::pair{20000, 30000}, {30000, 20000}, {30000, 8}}) {
    std::vector<Bytes> out(static_cast<std::size_t>(world_size()), 0);
    std::vector<Bytes> in(out);
    if (world_rank() == 0) out[1] = sent;
    if (world_rank() == 1) in[0] = expected;
    Plan plan = communicator.plan_alltoallv(std::span<const std::byte>(data), Layout::packed(out),
                                            std::span(received), Layout::packed(in),
                                            with_single_copies("linear"));
    const std::function<void()> exchanges[] = {
        [&] {
          communicator.alltoallv(std::span<const std::byte>(data), Layout::packed(out),
                                 std::span(received), Layout::packed(in),
                                 with_single_copies("linear"));
        },
        [&] { plan.execute(); }};
    for (const auto& exchange : exchanges) {
      if (world_rank() == 1) {
        expect_error(ErrorKind::truncated, "the message from rank 0 has another length", exchange);
      } else {
        exchange();
      }
      stream.exchange(1);
      stream.execute(2);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace shunt::test
