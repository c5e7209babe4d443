#include "shunt/records.hpp"

#include <algorithm>
#include <new>

namespace shunt {

std::byte* RawBuffer::extend(std::size_t bytes) {
  const std::size_t needed = size_ + bytes;
  if (needed > capacity_) {
    // The C library moves large blocks by remapping their pages, without copying.
    const std::size_t capacity = std::max(needed, capacity_ + capacity_ / 2);
    auto* grown = static_cast<std::byte*>(std::realloc(data_.get(), capacity));
    if (grown == nullptr) throw std::bad_alloc();
    (void)data_.release();
    data_.reset(grown);
    capacity_ = capacity;
  }
  std::byte* const end = data_.get() + size_;
  size_ = needed;
  return end;
}

}  // namespace shunt
