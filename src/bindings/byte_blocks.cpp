#include "bindings/byte_blocks.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bindings/checked.hpp"
#include "bindings/typed_side.hpp"

namespace shunt {

namespace {

/// Enters the blocks of one side, "send" or "receive", in a buffer of `buffer` bytes.
template <class Blocks>
void enter(Blocks& blocks, std::size_t buffer, const Layout& layout, std::size_t element,
           Rank ranks, const char* side) {
  check_layout(layout, ranks, side);
  const auto size = static_cast<Bytes>(element);
  const auto end = static_cast<Bytes>(buffer);
  blocks.bytes.clear();
  blocks.offsets.clear();
  blocks.bytes.reserve(layout.counts.size());
  blocks.offsets.reserve(layout.counts.size());
  for (std::size_t k = 0; k < layout.counts.size(); ++k) {
    const Bytes bytes = times(layout.counts[k], size, "a count");
    const Bytes offset = times(layout.displacements[k], size, "a displacement");
    if (bytes > 0 && (offset < 0 || offset > end || bytes > end - offset)) {
      throw Error(
          ErrorKind::buffer,
          fmt::format("{} block {} is {} elements at displacement {}, outside the buffer of "
                      "{} elements",
                      side, k, layout.counts[k], layout.displacements[k], buffer / element));
    }
    blocks.bytes.push_back(bytes);
    blocks.offsets.push_back(offset);
  }
}

}  // namespace

SendBlocks send_blocks(std::span<const std::byte> buffer, const Layout& layout, std::size_t element,
                       Rank ranks, SendBlocks former) {
  enter(former, buffer.size(), layout, element, ranks, "send");
  former.base = buffer.data();
  return former;
}

ReceiveBlocks receive_blocks(std::span<std::byte> buffer, const Layout& layout, std::size_t element,
                             Rank ranks, ReceiveBlocks former) {
  enter(former, buffer.size(), layout, element, ranks, "receive");
  former.base = buffer.data();
  return former;
}

}  // namespace shunt
