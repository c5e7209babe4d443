// The records that Communicator::exchange sends and receives.
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

/// Writes the destinations of `count` records, which lie one after the other at `bytes`, to
/// ranks[0] to ranks[count - 1]. The records need not be aligned.
using RecordClassifier =
    std::function<void(const std::byte* bytes, std::size_t count, Rank* ranks)>;

/// Size and alignment of a type of records.
struct RecordShape {
  std::size_t bytes;      ///< of one record
  std::size_t alignment;  ///< of received records, a power of 2
};

/// The shape of the type `Record`.
template <class Record>
inline constexpr RecordShape kShapeOf{sizeof(Record), alignof(Record)};

/// Owns memory from the C allocator, which is not initialised and grows at its end. Movable, not
/// copyable; nothing but the destructor and assignment may be called on one that was moved from.
class RawBuffer {
 public:
  /// Makes an empty buffer with the alignment of std::max_align_t.
  RawBuffer() = default;
  /// Makes an empty buffer that begins at a multiple of `alignment`, a power of 2.
  explicit RawBuffer(std::size_t alignment) : alignment_(alignment) {}

  /// Returns where the memory begins; null where none was reserved. Valid until it grows.
  [[nodiscard]] std::byte* data() { return data_.get(); }
  /// Returns where the memory begins; null where none was reserved. Valid until it grows.
  [[nodiscard]] const std::byte* data() const { return data_.get(); }
  /// Returns the number of bytes.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Makes room for `bytes` bytes in all, size() staying the same. The system gives memory once it
  /// is written. Throws std::bad_alloc.
  void reserve(std::size_t bytes);

  /// Adds `bytes` bytes at the end and returns where they begin. Takes amortised O(bytes). Throws
  /// std::bad_alloc.
  std::byte* extend(std::size_t bytes);

  /// Removes all but the first `bytes` bytes, at most size(). Frees nothing.
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

/// Owns a contiguous sequence of records, aligned as their type says. A range like std::vector,
/// which it is not because a vector would write every record once before the exchange does.
/// Movable, not copyable; nothing but the destructor and assignment may be called on one that was
/// moved from.
template <class Record>
class Buffer {
 public:
  /// Makes an empty sequence.
  Buffer() = default;
  /// Takes over `bytes`, which hold whole records at the alignment of their type.
  explicit Buffer(RawBuffer bytes) : bytes_(std::move(bytes)) {}

  /// Returns the number of records.
  [[nodiscard]] std::size_t size() const { return bytes_.size() / sizeof(Record); }
  /// Returns whether there is no record.
  [[nodiscard]] bool empty() const { return bytes_.size() == 0; }
  /// Returns where the records begin; maybe null where there is none.
  [[nodiscard]] Record* data() { return reinterpret_cast<Record*>(bytes_.data()); }
  /// Returns where the records begin; maybe null where there is none.
  [[nodiscard]] const Record* data() const {
    return reinterpret_cast<const Record*>(bytes_.data());
  }
  /// Returns a pointer to the first record.
  [[nodiscard]] Record* begin() { return data(); }
  /// Returns the pointer behind the last record.
  [[nodiscard]] Record* end() { return data() + size(); }
  /// Returns a pointer to the first record.
  [[nodiscard]] const Record* begin() const { return data(); }
  /// Returns the pointer behind the last record.
  [[nodiscard]] const Record* end() const { return data() + size(); }
  /// Returns record i, i below size().
  [[nodiscard]] Record& operator[](std::size_t i) { return data()[i]; }
  /// Returns record i, i below size().
  [[nodiscard]] const Record& operator[](std::size_t i) const { return data()[i]; }

 private:
  RawBuffer bytes_;
};

}  // namespace shunt
