#include "context/byte_buffer.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace shunt {

void prefer_large_pages(std::byte* memory, std::size_t bytes) {
  // Two of the large pages of most machines.
  constexpr std::size_t kWorthwhile = std::size_t{4} << 20;
  if (bytes < kWorthwhile) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* begin = memory;
  if (std::align(page, page, begin, bytes) == nullptr) return;
  (void)madvise(begin, bytes / page * page, MADV_HUGEPAGE);
}

}  // namespace shunt
