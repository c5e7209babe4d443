#include "shunt/records.hpp"

#include <algorithm>
#include <new>

#include "exchange/large_pages.hpp"

namespace shunt {

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
