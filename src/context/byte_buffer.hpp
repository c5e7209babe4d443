// Uninitialised memory, and buffers of it that are kept and only grow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "mpi_calls/simulated.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Asks the system for large pages where there is much memory that was never touched: the first
/// touch costs a fraction then, and copies from everywhere in it find their pages sooner. Only a
/// hint, whose failure is ignored.
void prefer_large_pages(std::byte* memory, std::size_t bytes);

/// Memory of one owner.
using OwnBytes = std::unique_ptr<std::byte[]>;

/// Uninitialised, and in large pages if it is long.
inline OwnBytes make_bytes(std::size_t bytes) {
  auto made = std::make_unique_for_overwrite<std::byte[]>(bytes);
  prefer_large_pages(made.get(), bytes);
  return made;
}

/// Memory as programs have it, to try exchanges with: in pages of the usual size, since single
/// copies from large ones take a third less; and touched, so that the first to use it does not pay
/// for that.
inline OwnBytes make_zeros(std::size_t bytes) { return std::make_unique<std::byte[]>(bytes); }

class ByteBuffer {
 public:
  /// At least `bytes` bytes. Former contents are lost if the buffer has to grow.
  std::byte* provide(Bytes bytes) {
    if (bytes > capacity_) {
      data_.reset();
      data_ = make_bytes(static_cast<std::size_t>(bytes));
      capacity_ = bytes;
    }
    return data_.get();
  }

  [[nodiscard]] Bytes capacity() const { return capacity_; }

  void release() {
    data_.reset();
    capacity_ = 0;
  }

 private:
  OwnBytes data_;
  Bytes capacity_ = 0;
};

/// A buffer for payload alone, whose memory a simulation may fold.
class PayloadBuffer {
 public:
  std::byte* provide(Bytes bytes) {
    capacity_ = std::max(capacity_, bytes);
    return payloads_are_real() ? memory_.provide(bytes) : folded_payload(bytes);
  }

  /// Returns the bytes that were provided, folded or not.
  [[nodiscard]] Bytes capacity() const { return capacity_; }

 private:
  ByteBuffer memory_;
  Bytes capacity_ = 0;
};

}  // namespace shunt
