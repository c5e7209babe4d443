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
  /// An array from which elements are sent, and the one to which elements arrive.
  struct Pair {
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
    ElementUpdate update = {};  ///< none: what arrives is copied
  };

  std::vector<Pair> pairs = {};
  bool streaming = false;  ///< whether what arrives is copied past the caches

  /// Packs the next `bytes` bytes of the boxes into `message`.
  void pack(BoxSeries& boxes, std::byte* message, Bytes bytes) const {
    boxes.advance(bytes, [&](std::size_t array, BoxCursor& cursor, Bytes offset, Bytes length) {
      cursor.read(pairs[array].from, message + offset, length);
    });
  }
  /// Unpacks `message` into the next `bytes` bytes of the boxes. Whole elements where there is an
  /// update.
  void unpack(BoxSeries& boxes, const std::byte* message, Bytes bytes) const {
    boxes.advance(bytes, [&](std::size_t array, BoxCursor& cursor, Bytes offset, Bytes length) {
      unpack_box(array, cursor, message + offset, length);
    });
  }

  /// Copies the next `bytes` bytes of the box `from`, of an array at `source`, to the box `to` of
  /// array number `array`. Whole elements where there is an update.
  void copy_box(const std::byte* source, BoxCursor& from, std::size_t array, BoxCursor& to,
                Bytes bytes) const;

  /// Unpacks what lies in one box.
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
