#include "shunt/records.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "context/byte_buffer.hpp"
#include "routing/move_bytes.hpp"

namespace shunt {

void RawBuffer::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  if (alignment_ <= alignof(std::max_align_t)) {
    // The C library moves large blocks by remapping their pages, without copying.
    auto* grown = static_cast<std::byte*>(std::realloc(data_.get(), bytes));
    if (grown == nullptr) throw std::bad_alloc();
    (void)data_.release();
    data_.reset(grown);
  } else {
    if (bytes > std::numeric_limits<std::size_t>::max() - alignment_) throw std::bad_alloc();
    const std::size_t whole = (bytes + alignment_ - 1) / alignment_ * alignment_;
    auto* grown = static_cast<std::byte*>(std::aligned_alloc(alignment_, whole));
    if (grown == nullptr) throw std::bad_alloc();
    move_bytes(grown, data_.get(), static_cast<Bytes>(size_));
    data_.reset(grown);
  }
  capacity_ = bytes;
  prefer_large_pages(data_.get(), bytes);
}

std::byte* RawBuffer::extend(std::size_t bytes) {
  const std::size_t needed = size_ + bytes;
  if (needed > capacity_) reserve(std::max(needed, capacity_ + capacity_ / 2));
  std::byte* const end = data_.get() + size_;
  size_ = needed;
  return end;
}

}  // namespace shunt
