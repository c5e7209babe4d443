// Records arrive as a multiset: every record at its destination, once.
#include <algorithm>
#include <array>
#include <cstring>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "mpi/own_communicator.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

/// A record that says where it came from and is for, padded to an odd size.
template <std::size_t kBytes>
struct Record {
  std::int32_t source;
  std::int32_t destination;
  std::int32_t number;
  std::array<std::uint8_t, kBytes - 12> filler;

  auto operator<=>(const Record&) const = default;
};

template <std::size_t kBytes>
Record<kBytes> make_record(Rank source, Rank destination, Bytes number) {
  Record<kBytes> record{source, destination, static_cast<std::int32_t>(number), {}};
  for (std::size_t i = 0; i < record.filler.size(); ++i) {
    record.filler[i] =
        std::to_integer<std::uint8_t>(byte_of(source, destination, number + static_cast<Bytes>(i)));
  }
  return record;
}

/// This rank's records, in an order that has nothing to do with their destinations.
template <std::size_t kBytes>
std::vector<Record<kBytes>> records_of(const Traffic& traffic, const Algorithm& algorithm) {
  std::vector<Record<kBytes>> records;
  for (Rank to = 0; to < traffic.ranks(); ++to) {
    if (!algorithm.supports_pair(world_rank(), to)) continue;
    for (Bytes i = 0; i < traffic.count(world_rank(), to); ++i) {
      records.push_back(make_record<kBytes>(world_rank(), to, i));
    }
  }
  std::ranges::sort(records, {}, [](const auto& record) {
    return std::pair{record.number * 7919 % 101, record.destination};
  });
  return records;
}

template <std::size_t kBytes>
std::vector<Record<kBytes>> expected_records(const Traffic& traffic, const Algorithm& algorithm) {
  std::vector<Record<kBytes>> records;
  for (Rank from = 0; from < traffic.ranks(); ++from) {
    if (!algorithm.supports_pair(from, world_rank())) continue;
    for (Bytes i = 0; i < traffic.count(from, world_rank()); ++i) {
      records.push_back(make_record<kBytes>(from, world_rank(), i));
    }
  }
  std::ranges::sort(records);
  return records;
}

template <std::size_t kBytes>
void check_exchange(const char* pattern, Bytes maximum, bool by_function) {
  Communicator communicator(MPI_COMM_WORLD);
  const Rank ranks = world_size();
  const auto traffic = make_traffic(pattern, {ranks, maximum, 1, 11});
  for (const std::string& name : algorithm_names(ranks)) {
    const auto algorithm = make_algorithm(name, ranks, 1);
    const auto records = records_of<kBytes>(*traffic, *algorithm);
    const auto expected = expected_records<kBytes>(*traffic, *algorithm);
    for (const Mode mode : kModes) {
      SCOPED_TRACE(name + ", " + name_of(mode));
      const Options options{name, mode, 512, {}};
      Buffer<Record<kBytes>> buffer;
      if (by_function) {
        buffer = communicator.exchange(
            std::span<const Record<kBytes>>(records),
            [](const Record<kBytes>& record) { return record.destination; }, options);
      } else {
        std::vector<int> destinations;
        for (const auto& record : records) destinations.push_back(record.destination);
        buffer =
            communicator.exchange(std::span<const Record<kBytes>>(records), destinations, options);
      }
      std::vector<Record<kBytes>> received(buffer.begin(), buffer.end());
      std::ranges::sort(received);
      ASSERT_EQ(received.size(), expected.size());
      ASSERT_TRUE(received == expected);
    }
  }
}

class Records : public testing::TestWithParam<const char*> {};

TEST_P(Records, ByFunction) { check_exchange<16>(GetParam(), 40, true); }
TEST_P(Records, ByRanks) { check_exchange<16>(GetParam(), 40, false); }
TEST_P(Records, OfOddSize) { check_exchange<29>(GetParam(), 25, false); }

INSTANTIATE_TEST_SUITE_P(Patterns, Records,
                         testing::Values("uniform", "pattern1", "zipf", "hot-receiver", "zero",
                                         "sparse:0.8"),
                         test_name_of);

/// Many packets a message, and messages that fill their last packet exactly; of more ranks, where
/// there is more to move and nothing else, messages of one length.
TEST(RecordPackets, ManyAndExactlyFull) {
  constexpr Rank kAllLengths = 9;
  for (const Bytes count : {Bytes{4096}, Bytes{4097}, Bytes{12288}}) {
    if (world_size() > kAllLengths && count != 4097) continue;
    check_exchange<16>("hot-receiver", count, true);
  }
}

/// A record that lies at multiples of its size only.
template <std::size_t kAlignment>
struct alignas(kAlignment) Aligned {
  Rank destination;
  int number;
};

/// Buffers that grow many times, are moved and have holes.
template <std::size_t kAlignment>
void expect_aligned(int count) {
  using Body = Aligned<kAlignment>;
  const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(world.get());
  const auto ranks = static_cast<std::size_t>(communicator.ranks());
  std::vector<Body> mine(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < mine.size(); ++k) {
    // Rank 0 gets half of all, which is more than it expects.
    mine[k] = {static_cast<Rank>(k % 2 == 0 ? 0 : k / 2 % ranks), static_cast<int>(k)};
  }
  const auto is_aligned = [](const Body* place) {
    return reinterpret_cast<std::uintptr_t>(place) % kAlignment == 0;
  };
  const auto to = [](const Body& body) { return body.destination; };
  for (const char* algorithm : {"linear", "two-stage"}) {
    for (const Mode mode : kModes) {
      const Buffer<Body> got =
          communicator.exchange(std::span<const Body>(mine), to, {algorithm, mode});
      EXPECT_TRUE(is_aligned(got.data())) << kAlignment << ' ' << algorithm;
      Bytes sum = 0;
      for (const Body& body : got) sum += body.number;
      Bytes expected = 0;
      for (const Body& body : mine) {
        if (body.destination == communicator.rank())
          expected += Bytes{body.number} * communicator.ranks();
      }
      EXPECT_EQ(sum, expected);
    }
  }
  const FromSources<Body> all = communicator.allgather_from(std::span<const Body>(mine).first(3));
  EXPECT_EQ(all.all().size(), 3 * ranks);
  EXPECT_TRUE(is_aligned(all.all().data()));
  EXPECT_EQ(all.all().back().number, 2);
}

TEST(RecordAlignment, IsThatOfTheType) {
  expect_aligned<8>(3000);
  expect_aligned<32>(3000);
  expect_aligned<64>(3000);
  expect_aligned<4096>(300);
  expect_aligned<65536>(8);
}

TEST(RecordErrors, BadDestinationNamesTheRecord) {
  Communicator communicator(MPI_COMM_SELF);
  const std::vector<int> records{1, 2, 3};
  try {
    (void)communicator.exchange(std::span<const int>(records), [](int) { return 5; });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::rank);
    EXPECT_NE(std::string(error.what()).find("record 0 is for rank 5"), std::string::npos)
        << error.what();
  }
}

/// 2^32 is no rank, though its lower half is 0.
TEST(RecordErrors, DestinationsAreNotCut) {
  enum class Owner : std::uint64_t { far = Bytes{1} << 32 };
  Communicator communicator(MPI_COMM_SELF);
  const std::vector<int> records{1};
  const std::span<const int> all(records);
  const auto refuses = [&](const auto& destination, const char* words) {
    expect_error(ErrorKind::rank, words, [&] { (void)communicator.exchange(all, destination); });
  };
  constexpr Bytes kFar = Bytes{1} << 32;
  const char* const far = "the destination of a record is 4294967296, which 32 bits do not hold";
  refuses(std::vector<Bytes>{kFar}, far);
  refuses(std::vector<std::size_t>{std::size_t{kFar}}, far);
  refuses([](int) { return kFar; }, far);
  refuses([](int) { return std::size_t{kFar}; }, far);
  refuses([](int) { return Owner::far; }, far);
  refuses([](int) { return std::uint32_t{4294967295}; },
          "the destination of a record is 4294967295");
  refuses(std::vector<std::uint64_t>{~std::uint64_t{0}}, "is 18446744073709551615, which 32 bits");
  refuses([](int) { return -1 - kFar; }, "is -4294967297");
  EXPECT_EQ(communicator.exchange(all, [](int) { return false; }).size(), 1);
  EXPECT_EQ(communicator.exchange(all, std::vector<std::uint8_t>{0}).size(), 1);
}

TEST(RecordErrors, OneDestinationPerRecord) {
  Communicator communicator(MPI_COMM_SELF);
  const std::vector<int> records{1, 2, 3};
  const std::vector<int> destinations{0};
  EXPECT_THROW((void)communicator.exchange(std::span<const int>(records), destinations), Error);
}

}  // namespace
}  // namespace shunt::test
