// Copies the data of typed blocks to and from packed bytes.
#pragma once

#include "bindings/typed_side.hpp"

namespace shunt {

/// Packs the whole block.
void pack_block(const TypedBlock& block, std::byte* to);

/// Unpacks the whole block.
void unpack_block(const TypedBlock& block, const std::byte* from);

/// Packs the `bytes` packed bytes of the block from `begin` on.
void pack_part(const TypedBlock& block, Bytes begin, Bytes bytes, std::byte* to);

/// Unpacks them; the rest of the block stays as it is.
void unpack_part(const TypedBlock& block, Bytes begin, Bytes bytes, const std::byte* from);

}  // namespace shunt
