// Uninitialised memory that is kept and only grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "exchange/simulated.hpp"
#include "shunt/types.hpp"

namespace shunt {

class ByteBuffer {
 public:
  /// At least `bytes` bytes. Former contents are lost if the buffer has to grow.
  std::byte* provide(Bytes bytes) {
    if (bytes > capacity_) {
      data_.reset();
      data_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
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
  std::unique_ptr<std::byte[]> data_;
  Bytes capacity_ = 0;
};

/// The same for what is sent and received alone, which a simulation may fold.
class PayloadBuffer {
 public:
  std::byte* provide(Bytes bytes) {
    capacity_ = std::max(capacity_, bytes);
    return payloads_are_real() ? memory_.provide(bytes) : folded_payload(bytes);
  }

  /// Bytes that there are, or would be were they not folded.
  [[nodiscard]] Bytes capacity() const { return capacity_; }

 private:
  ByteBuffer memory_;
  Bytes capacity_ = 0;
};

}  // namespace shunt
