// Copies past the caches: the same bytes as memcpy's, wherever they begin and end.
#include "routing/streaming_copy.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace shunt::test {
namespace {

constexpr std::size_t kLine = 64;

TEST(StreamingCopy, CopiesWhatItIsGivenAndNoMore) {
  std::vector<std::byte> source(8 * kLine);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 7 + 1);
  const std::vector<std::byte> poison(8 * kLine, std::byte{0xa5});
  for (std::size_t to = 0; to < kLine; ++to) {
    for (const std::size_t from : {std::size_t{0}, std::size_t{1}, std::size_t{16}, to}) {
      for (std::size_t bytes = 0; bytes <= 4 * kLine + 2; ++bytes) {
        std::vector<std::byte> expected = poison;
        std::copy_n(source.data() + from, bytes, expected.data() + to);
        std::vector<std::byte> target = poison;
        streaming_copy(target.data() + to, source.data() + from, bytes);
        streaming_done();
        ASSERT_EQ(target, expected) << bytes << " bytes from " << from << " to " << to;
      }
    }
  }
}

}  // namespace
}  // namespace shunt::test
