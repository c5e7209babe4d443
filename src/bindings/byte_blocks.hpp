// From layouts of plain elements in a span to blocks of bytes, checked.
#pragma once

#include <span>
#include <type_traits>

#include "context/blocks.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "shunt/communicator.hpp"

namespace shunt {

/// Makes `blocks` those of `layout` in a buffer of elements of `element` bytes, in the memory that
/// it has. Throws Error(count) where the layout has another number of blocks than `ranks` or a
/// negative count or overflows 64 bits, Error(buffer) where a block lies outside the buffer, or the
/// buffer on a device.
template <class Byte>
void read_blocks(BlocksOf<Byte>& blocks, std::type_identity_t<std::span<Byte>> buffer,
                 const Layout& layout, std::size_t element, Rank ranks);

/// Makes every block empty.
template <class Byte>
void clear_blocks(BlocksOf<Byte>& blocks, Rank ranks) {
  blocks.bytes.assign(index_of(ranks), 0);
  blocks.offsets.assign(index_of(ranks), 0);
}

}  // namespace shunt
