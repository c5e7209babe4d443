// The arrays of a redistribution on a rank, as its messages are packed from the ones and unpacked
// into the others.
#pragma once

#include <cstddef>
#include <vector>

#include "routing/box_series.hpp"
#include "shunt/element_update.hpp"
#include "shunt/types.hpp"

namespace shunt {

struct BoxArrays {
  /// An array of which elements are sent, and the one that has theirs.
  struct Pair {
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
    ElementUpdate update = {};  ///< none: what arrives is copied
  };

  std::vector<Pair> pairs = {};
  bool streaming = false;  ///< whether what arrives is copied past the caches

  /// The next `bytes` bytes of the boxes.
  void pack(BoxSeries& boxes, std::byte* message, Bytes bytes) const {
    boxes.advance(bytes, [&](std::size_t array, BoxCursor& cursor, Bytes offset, Bytes length) {
      cursor.read(pairs[array].from, message + offset, length);
    });
  }
  /// The same; whole elements where they are put together.
  void unpack(BoxSeries& boxes, const std::byte* message, Bytes bytes) const {
    boxes.advance(bytes, [&](std::size_t array, BoxCursor& cursor, Bytes offset, Bytes length) {
      unpack_box(array, cursor, message + offset, length);
    });
  }

  /// The next `bytes` bytes of a box of an array at `source` to one of the array with this number;
  /// whole elements where they are put together.
  void copy_box(const std::byte* source, BoxCursor& from, std::size_t array, BoxCursor& to,
                Bytes bytes) const;

  /// What lies in one box.
  void unpack_box(std::size_t array, BoxCursor& cursor, const std::byte* message,
                  Bytes bytes) const {
    const Pair& pair = pairs[array];
    if (pair.update) {
      cursor.update(pair.to, message, bytes, pair.update);
    } else {
      cursor.write(pair.to, message, bytes, streaming);
    }
  }
};

}  // namespace shunt
