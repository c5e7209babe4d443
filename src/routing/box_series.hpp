// Boxes of several arrays, one after the other, as one message carries them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "routing/box.hpp"
#include "shunt/types.hpp"

namespace shunt {

class BoxSeries {
 public:
  /// A box of one of the arrays, which the caller numbers.
  struct Part {
    std::size_t array;
    Bytes bytes;
    BoxCursor cursor;
  };

  /// `box` has elements.
  void add(std::size_t array, const Box& box) {
    parts_.push_back({array, box.bytes(), BoxCursor(box)});
    bytes_ += parts_.back().bytes;
  }

  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] std::vector<Part>& parts() { return parts_; }

  void rewind() {
    current_ = 0;
    done_ = 0;
  }

  /// Goes through the next `bytes` bytes, where at least that many are left: calls move(array,
  /// cursor, offset, length) for each of the boxes that they lie in, with the offset among those
  /// bytes.
  template <class Move>
  void advance(Bytes bytes, Move&& move) {
    for (Bytes offset = 0; offset < bytes;) {
      Part& part = parts_[current_];
      if (done_ == 0) part.cursor.rewind();
      const Bytes length = std::min(bytes - offset, part.bytes - done_);
      move(part.array, part.cursor, offset, length);
      offset += length;
      done_ += length;
      if (done_ == part.bytes) {
        ++current_;
        done_ = 0;
      }
    }
  }

 private:
  std::vector<Part> parts_;
  Bytes bytes_ = 0;
  std::size_t current_ = 0;
  Bytes done_ = 0;  ///< of the current part
};

}  // namespace shunt
