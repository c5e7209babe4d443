#include "bindings/byte_blocks.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bindings/checked.hpp"
#include "bindings/typed_side.hpp"

namespace shunt {

namespace {

struct ByteLayout {
  std::vector<Bytes> bytes;
  std::vector<Bytes> offsets;
};

ByteLayout within(std::size_t buffer, const Layout& layout, std::size_t element, Rank ranks,
                  const char* side) {
  check_layout(layout, ranks, side);
  const auto size = static_cast<Bytes>(element);
  const auto end = static_cast<Bytes>(buffer);
  ByteLayout result;
  result.bytes.reserve(layout.counts.size());
  result.offsets.reserve(layout.counts.size());
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
    result.bytes.push_back(bytes);
    result.offsets.push_back(offset);
  }
  return result;
}

}  // namespace

SendBlocks send_blocks(std::span<const std::byte> buffer, const Layout& layout, std::size_t element,
                       Rank ranks) {
  ByteLayout blocks = within(buffer.size(), layout, element, ranks, "send");
  return {buffer.data(), std::move(blocks.bytes), std::move(blocks.offsets)};
}

ReceiveBlocks receive_blocks(std::span<std::byte> buffer, const Layout& layout, std::size_t element,
                             Rank ranks) {
  ByteLayout blocks = within(buffer.size(), layout, element, ranks, "receive");
  return {buffer.data(), std::move(blocks.bytes), std::move(blocks.offsets)};
}

}  // namespace shunt
