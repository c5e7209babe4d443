// The two arrays of a redistribution on a rank, as its messages are packed from the one and
// unpacked into the other.
#pragma once

#include <cstddef>

#include "routing/box.hpp"
#include "shunt/element_update.hpp"
#include "shunt/types.hpp"

namespace shunt {

struct BoxArrays {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  ElementUpdate update = {};  ///< none: what arrives is copied
  bool streaming = false;     ///< whether it is copied past the caches

  /// The next `bytes` bytes of the box.
  void pack(BoxCursor& cursor, std::byte* message, Bytes bytes) const {
    cursor.read(from, message, bytes);
  }
  /// The same; whole elements where they are put together.
  void unpack(BoxCursor& cursor, const std::byte* message, Bytes bytes) const {
    if (update) {
      cursor.update(to, message, bytes, update);
    } else {
      cursor.write(to, message, bytes, streaming);
    }
  }
};

}  // namespace shunt
