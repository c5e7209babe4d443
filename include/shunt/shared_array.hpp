// Arrays in memory that all ranks of a node can read.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace shunt {

/// Owns this rank's elements in memory that the other ranks of its node can read: a contiguous
/// range that begins at a page. Made by Communicator::shared_array; movable, not copyable.
/// Redistributions from this memory copy elements once inside the node, where others copy them
/// twice.
template <class T>
class SharedArray {
 public:
  /// Makes an array of no elements.
  SharedArray() = default;
  /// Makes an array of `elements`, which exist as long as `memory` does. For
  /// Communicator::shared_array.
  SharedArray(std::shared_ptr<const void> memory, std::span<T> elements)
      : memory_(std::move(memory)), elements_(elements) {}
  /// Takes over the elements of `other`, which then has none.
  SharedArray(SharedArray&& other) noexcept
      : memory_(std::move(other.memory_)), elements_(std::exchange(other.elements_, {})) {}
  /// Frees this array's own elements as the destructor does, and takes over those of `other`.
  SharedArray& operator=(SharedArray&& other) noexcept {
    memory_ = std::move(other.memory_);
    elements_ = std::exchange(other.elements_, {});
    return *this;
  }
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;
  /// Frees the elements. Local, and allowed in any thread. No exchange that uses the elements may
  /// be under way.
  ~SharedArray() = default;

  /// Returns the number of elements.
  [[nodiscard]] std::size_t size() const { return elements_.size(); }
  /// Returns whether there is no element.
  [[nodiscard]] bool empty() const { return elements_.empty(); }
  /// Returns where the elements begin; null for an array made without memory.
  [[nodiscard]] T* data() { return elements_.data(); }
  /// Returns where the elements begin; null for an array made without memory.
  [[nodiscard]] const T* data() const { return elements_.data(); }
  /// Returns a pointer to the first element.
  [[nodiscard]] T* begin() { return data(); }
  /// Returns the pointer behind the last element.
  [[nodiscard]] T* end() { return data() + size(); }
  /// Returns a pointer to the first element.
  [[nodiscard]] const T* begin() const { return data(); }
  /// Returns the pointer behind the last element.
  [[nodiscard]] const T* end() const { return data() + size(); }
  /// Returns element i, i below size().
  [[nodiscard]] T& operator[](std::size_t i) { return elements_[i]; }
  /// Returns element i, i below size().
  [[nodiscard]] const T& operator[](std::size_t i) const { return elements_[i]; }

 private:
  std::shared_ptr<const void> memory_;
  std::span<T> elements_;
};

}  // namespace shunt
