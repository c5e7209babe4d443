// From layouts of plain elements in a span to blocks of bytes, checked.
#pragma once

#include <span>

#include "exchange/blocks.hpp"
#include "shunt/yard.hpp"

namespace shunt {

/// The byte blocks of `layout` in a buffer of elements of `element` bytes. Throws Error(count)
/// where the layout has another number of blocks than `ranks` or a negative count or overflows 64
/// bits, Error(buffer) where a block lies outside the buffer. The blocks of a former call, which
/// are no longer needed, give their memory.
[[nodiscard]] SendBlocks send_blocks(std::span<const std::byte> buffer, const Layout& layout,
                                     std::size_t element, Rank ranks, SendBlocks former = {});
[[nodiscard]] ReceiveBlocks receive_blocks(std::span<std::byte> buffer, const Layout& layout,
                                           std::size_t element, Rank ranks,
                                           ReceiveBlocks former = {});

}  // namespace shunt
