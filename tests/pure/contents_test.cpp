#include "routing/contents.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace shunt {
namespace {

std::vector<std::byte> encoded(const Contents& contents) {
  std::vector<std::byte> bytes(encoded_size(contents));
  encode(contents, bytes.data());
  return bytes;
}

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

/// Decodes from memory of exactly that size, so that a sanitizer sees a read beyond the end.
std::size_t decode_exactly(std::span<const std::byte> bytes, Rank ranks, Contents& contents) {
  const auto memory = std::make_unique_for_overwrite<std::byte[]>(bytes.size());
  std::ranges::copy(bytes, memory.get());
  return decode({memory.get(), bytes.size()}, ranks, contents);
}

void expect_round_trip(const Contents& contents, Rank ranks) {
  std::vector<std::byte> bytes = encoded(contents);
  const std::size_t size = bytes.size();
  // What follows, the payload, may look like anything and is left alone.
  bytes.insert(bytes.end(), 3, std::byte{0xFF});
  Contents decoded{{ranks, 99}};
  ASSERT_EQ(decode_exactly(bytes, ranks, decoded), size);
  ASSERT_EQ(decoded, contents);
}

/// Lengths of all magnitudes up to 2^62, and one entry in `sparsity` of the ranks.
Contents random_contents(std::mt19937_64& random, Rank ranks, int sparsity) {
  Contents contents;
  for (Rank destination = 0; destination < ranks; ++destination) {
    if (random() % static_cast<unsigned>(sparsity) != 0) continue;
    const auto bits = random() % 63;
    const Bytes length = static_cast<Bytes>(random() & ((std::uint64_t{1} << bits) - 1));
    contents.push_back({destination, (Bytes{1} << bits) | length / 2});
  }
  return contents;
}

TEST(Contents, ComeBackAsTheyWere) {
  std::mt19937_64 random(1);
  expect_round_trip({}, 1);
  expect_round_trip({{0, 1}}, 1);
  for (const Rank ranks : {1, 2, 127, 128, 129, 1000, 20000}) {
    for (const int sparsity : {1, 2, 10, 300}) {
      for (int i = 0; i < 20; ++i)
        expect_round_trip(random_contents(random, ranks, sparsity), ranks);
    }
  }
}

TEST(Contents, ComeBackAtTheLimitsOfTheIntegers) {
  constexpr Rank kMany = std::numeric_limits<Rank>::max();
  for (int bits = 0; bits <= 62; ++bits) {
    for (const Bytes length : {Bytes{1} << bits, (Bytes{1} << bits) - (bits > 0 ? 1 : 0)}) {
      expect_round_trip({{0, length}, {kMany - 1, length}}, kMany);
    }
  }
  expect_round_trip({{kMany - 1, std::numeric_limits<Bytes>::max()}}, kMany);
}

/// What is said of the form: two bytes an entry for a dense message of short blocks.
TEST(Contents, OfShortDenseBlocksTakeTwoBytesEach) {
  Contents contents;
  for (Rank destination = 0; destination < 100; ++destination) {
    contents.push_back({destination, 127 - destination});
  }
  EXPECT_EQ(encoded_size(contents), 1 + 2 * 100U);
  contents[50].length = 128;
  EXPECT_EQ(encoded_size(contents), 1 + 2 * 100U + 1);
}

TEST(Contents, CutOffAnywhereAreRefused) {
  std::mt19937_64 random(2);
  for (const Rank ranks : {1, 5, 200}) {
    const Contents contents = random_contents(random, ranks, 1);
    const std::vector<std::byte> bytes = encoded(contents);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      Contents decoded;
      test::expect_error(ErrorKind::truncated, "table of contents",
                         [&] { decode_exactly(std::span(bytes).first(size), ranks, decoded); });
    }
  }
}

TEST(Contents, ThatNoSenderWritesAreRefused) {
  auto refused = [](const std::vector<std::byte>& bytes, Rank ranks) {
    Contents decoded;
    test::expect_error(ErrorKind::truncated, "the ranks do not agree",
                       [&] { decode_exactly(bytes, ranks, decoded); });
  };
  refused(encoded({{0, 1}, {1, 1}, {2, 1}}), 2);     // more entries than ranks
  refused(encoded({{4, 1}}), 4);                     // a destination that is not there
  refused(encoded({{1, 1}, {4, 1}}), 4);             // likewise, behind another
  refused(encoded({{0, 0}}), 4);                     // an empty entry
  refused(encoded({{0, -1}}), 4);                    // a length that is negative, or beyond 2^63
  refused(bytes_of({1, 0x80}), 4);                   // an integer without its end
  refused(std::vector(12, std::byte{0x80}), 4);      // an integer of more than 64 bits
  std::vector<std::byte> far = bytes_of({2, 0, 1});  // a distance that overflows
  far.insert(far.end(), 9, std::byte{0xFF});
  far.push_back(std::byte{1});
  far.push_back(std::byte{1});
  refused(far, 4);
}

/// Whatever the bytes are, they are refused or are contents among these ranks.
void expect_sound_or_refused(std::span<const std::byte> bytes, Rank ranks) {
  Contents contents;
  std::size_t size = 0;
  try {
    size = decode_exactly(bytes, ranks, contents);
  } catch (const Error& error) {
    ASSERT_EQ(error.kind(), ErrorKind::truncated) << error.what();
    return;
  }
  ASSERT_LE(size, bytes.size());
  Rank previous = kNoRank;
  for (const Entry& entry : contents) {
    ASSERT_GT(entry.destination, previous);
    ASSERT_LT(entry.destination, ranks);
    ASSERT_GT(entry.length, 0);
    previous = entry.destination;
  }
}

TEST(Contents, FromHostileBytesAreSoundOrRefused) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    const Rank ranks = static_cast<Rank>(1 + random() % (i % 2 == 0 ? 8 : 1000000));
    std::vector<std::byte> bytes(random() % 40);
    // Small values are what gets far.
    const std::uint64_t mask = i % 3 == 0 ? 0xFF : 0x83;
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & mask);
    expect_sound_or_refused(bytes, ranks);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Contents, WithOneByteChangedAreSoundOrRefused) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 20000; ++i) {
    const Rank ranks = static_cast<Rank>(1 + random() % 50);
    std::vector<std::byte> bytes = encoded(random_contents(random, ranks, 2));
    bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    expect_sound_or_refused(bytes, ranks);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace shunt
