#include "bindings/byte_blocks.hpp"

#include <fmt/format.h>

#include "bindings/checked.hpp"
#include "bindings/typed_side.hpp"
#include "context/device_memory.hpp"

namespace shunt {

template <class Byte>
void read_blocks(BlocksOf<Byte>& blocks, std::type_identity_t<std::span<Byte>> buffer,
                 const Layout& layout, std::size_t element, Rank ranks) {
  const char* const side = std::is_const_v<Byte> ? "send" : "receive";
  check_layout(layout, ranks, side);
  const auto size = static_cast<Bytes>(element);
  const auto end = static_cast<Bytes>(buffer.size());
  expect_host_memory(buffer.data(), side);
  blocks.base = buffer.data();
  blocks.bytes.resize(layout.counts.size());
  blocks.offsets.resize(layout.counts.size());
  for (std::size_t k = 0; k < layout.counts.size(); ++k) {
    const Bytes bytes = times(layout.counts[k], size, "a count");
    const Bytes offset = times(layout.displacements[k], size, "a displacement");
    if (bytes > 0 && (offset < 0 || offset > end || bytes > end - offset)) {
      throw Error(
          ErrorKind::buffer,
          fmt::format("{} block {} is {} elements at displacement {}, outside the buffer of "
                      "{} elements",
                      side, k, layout.counts[k], layout.displacements[k], buffer.size() / element));
    }
    blocks.bytes[k] = bytes;
    blocks.offsets[k] = offset;
  }
}

template void read_blocks(SendBlocks&, std::span<const std::byte>, const Layout&, std::size_t,
                          Rank);
template void read_blocks(ReceiveBlocks&, std::span<std::byte>, const Layout&, std::size_t, Rank);

}  // namespace shunt
