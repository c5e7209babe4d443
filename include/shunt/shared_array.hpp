// Arrays in memory that the ranks of a node share.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace shunt {

/// This rank's elements in memory that the other ranks of its node can read: a contiguous range,
/// with the first one at the beginning of a page. Made by Yard::shared_array. Redistributions from
/// it are copied once inside the node.
template <class T>
class SharedArray {
 public:
  SharedArray() = default;
  /// `memory` keeps the elements where they are.
  SharedArray(std::shared_ptr<const void> memory, std::span<T> elements)
      : memory_(std::move(memory)), elements_(elements) {}
  SharedArray(SharedArray&& other) noexcept
      : memory_(std::move(other.memory_)), elements_(std::exchange(other.elements_, {})) {}
  SharedArray& operator=(SharedArray&& other) noexcept {
    memory_ = std::move(other.memory_);
    elements_ = std::exchange(other.elements_, {});
    return *this;
  }
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;
  /// Local; no exchange that uses the elements is under way.
  ~SharedArray() = default;

  [[nodiscard]] std::size_t size() const { return elements_.size(); }
  [[nodiscard]] bool empty() const { return elements_.empty(); }
  [[nodiscard]] T* data() { return elements_.data(); }
  [[nodiscard]] const T* data() const { return elements_.data(); }
  [[nodiscard]] T* begin() { return data(); }
  [[nodiscard]] T* end() { return data() + size(); }
  [[nodiscard]] const T* begin() const { return data(); }
  [[nodiscard]] const T* end() const { return data() + size(); }
  [[nodiscard]] T& operator[](std::size_t i) { return elements_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return elements_[i]; }

 private:
  std::shared_ptr<const void> memory_;
  std::span<T> elements_;
};

}  // namespace shunt
