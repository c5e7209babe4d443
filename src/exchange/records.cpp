#include "shunt/records.hpp"

#include <algorithm>
#include <memory>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace shunt {

namespace {

/// Asks for large pages, of which the first touch costs a fraction. Only a hint: failure is
/// ignored.
void prefer_large_pages(std::byte* memory, std::size_t bytes) {
  constexpr std::size_t kWorthwhile = std::size_t{4} << 20;
  if (bytes < kWorthwhile) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* begin = memory;
  if (std::align(page, page, begin, bytes) == nullptr) return;
  (void)madvise(begin, bytes / page * page, MADV_HUGEPAGE);
}

}  // namespace

void RawBuffer::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  // The C library moves large blocks by remapping their pages, without copying.
  auto* grown = static_cast<std::byte*>(std::realloc(data_.get(), bytes));
  if (grown == nullptr) throw std::bad_alloc();
  (void)data_.release();
  data_.reset(grown);
  capacity_ = bytes;
  prefer_large_pages(grown, bytes);
}

std::byte* RawBuffer::extend(std::size_t bytes) {
  const std::size_t needed = size_ + bytes;
  if (needed > capacity_) reserve(std::max(needed, capacity_ + capacity_ / 2));
  std::byte* const end = data_.get() + size_;
  size_ = needed;
  return end;
}

}  // namespace shunt
