// Long memory asks for large pages.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "context/byte_buffer.hpp"
#include "mpi/big_memory.hpp"

namespace shunt::test {
namespace {

/// The flags of the mapping that has `at`, as /proc/self/smaps spells them; empty if it has none.
std::string flags_of_mapping_at(const std::byte* at) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  std::ifstream mappings("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(mappings, line);) {
    std::istringstream words(line);
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    if (words >> std::hex >> begin >> dash >> end && dash == '-') {
      here = begin <= address && address < end;
    } else if (here && line.starts_with("VmFlags:")) {
      return line + ' ';
    }
  }
  return "";
}

bool has_large_pages(const std::byte* at) {
  return flags_of_mapping_at(at).find(" hg ") != std::string::npos;
}

bool gets_large_pages(Bytes bytes) {
  LazyMemory memory(bytes, Pages::small);
  prefer_large_pages(memory.bytes().data(), memory.bytes().size());
  return has_large_pages(memory.bytes().data());
}

TEST(LargePages, AreAskedForWhereMemoryIsLong) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage")) {
    GTEST_SKIP() << "this system has no large pages of its own accord";
  }
  EXPECT_TRUE(gets_large_pages(4 * kMebi));
  EXPECT_FALSE(gets_large_pages(4 * kMebi - 1));
  // Its middle, since pages at its ends may be others' too.
  ByteBuffer buffer;
  EXPECT_TRUE(has_large_pages(buffer.provide(64 * kMebi) + 32 * kMebi));
}

/// Programs have small ones, mostly, and trials are to take as long as what they do.
TEST(LargePages, AreNotForTrials) {
  EXPECT_FALSE(has_large_pages(make_zeros(64 * kMebi).get() + 32 * kMebi));
}

}  // namespace
}  // namespace shunt::test
