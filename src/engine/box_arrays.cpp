#include "engine/box_arrays.hpp"

#include <algorithm>
#include <array>

#include "routing/move_bytes.hpp"
#include "routing/streaming_copy.hpp"

namespace shunt {

void BoxArrays::copy_box(const std::byte* source, BoxCursor& from, std::size_t array, BoxCursor& to,
                         Bytes bytes) const {
  const Pair& pair = pairs[array];
  if (pair.update || from.is_fine() || to.is_fine()) {
    // Through a piece that stays in the nearest cache.
    alignas(64) std::array<std::byte, 8192> piece;
    for (Bytes left = bytes; left > 0;) {
      const Bytes some = std::min(left, std::ssize(piece));
      from.read(source, piece.data(), some);
      unpack_box(array, to, piece.data(), some);
      left -= some;
    }
    return;
  }
  for (Bytes left = bytes; left > 0;) {
    const auto begin = from.stretch();
    const auto end = to.stretch();
    const Bytes some = std::min({begin.length, end.length, left});
    if (streaming) {
      streaming_copy(pair.to + end.offset, source + begin.offset, static_cast<std::size_t>(some));
    } else {
      move_bytes(pair.to + end.offset, source + begin.offset, some);
    }
    from.skip(some);
    to.skip(some);
    left -= some;
  }
  streaming_done();
}

}  // namespace shunt
