// Records received by Yard::exchange.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "shunt/types.hpp"

namespace shunt {

/// Writes the destinations of `count` records that begin at `bytes` to `ranks`.
using RecordClassifier =
    std::function<void(const std::byte* bytes, std::size_t count, Rank* ranks)>;

struct RecordShape {
  std::size_t bytes;      ///< of a record
  std::size_t alignment;  ///< a power of 2: records lie at its multiples
};

template <class Record>
inline constexpr RecordShape kShapeOf{sizeof(Record), alignof(Record)};

/// Uninitialised memory that grows at the end without first being filled, from the C allocator.
class RawBuffer {
 public:
  RawBuffer() = default;
  /// For elements of this alignment, a power of 2.
  explicit RawBuffer(std::size_t alignment) : alignment_(alignment) {}

  [[nodiscard]] std::byte* data() { return data_.get(); }
  [[nodiscard]] const std::byte* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Makes room for `bytes` bytes in all; memory that is never written costs nothing. Throws
  /// std::bad_alloc.
  void reserve(std::size_t bytes);

  /// `bytes` more at the end; returns where they begin. Throws std::bad_alloc.
  std::byte* extend(std::size_t bytes);

  /// Forgets all but the first `bytes` bytes; requires bytes <= size().
  void truncate(std::size_t bytes) { size_ = bytes; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };

  std::unique_ptr<std::byte, Free> data_;
  std::size_t alignment_ = alignof(std::max_align_t);
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// Owns a contiguous sequence of records; a range like std::vector, which it is not because a
/// vector would write every element once before the exchange does. Records are aligned as their
/// type says.
template <class Record>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(RawBuffer bytes) : bytes_(std::move(bytes)) {}

  [[nodiscard]] std::size_t size() const { return bytes_.size() / sizeof(Record); }
  [[nodiscard]] bool empty() const { return bytes_.size() == 0; }
  [[nodiscard]] Record* data() { return reinterpret_cast<Record*>(bytes_.data()); }
  [[nodiscard]] const Record* data() const {
    return reinterpret_cast<const Record*>(bytes_.data());
  }
  [[nodiscard]] Record* begin() { return data(); }
  [[nodiscard]] Record* end() { return data() + size(); }
  [[nodiscard]] const Record* begin() const { return data(); }
  [[nodiscard]] const Record* end() const { return data() + size(); }
  [[nodiscard]] Record& operator[](std::size_t i) { return data()[i]; }
  [[nodiscard]] const Record& operator[](std::size_t i) const { return data()[i]; }

 private:
  RawBuffer bytes_;
};

}  // namespace shunt
