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

/// Reads or writes a block's packed bytes piece by piece, from the first to the last.
class BlockCursor {
 public:
  /// Begins at the packed byte `begin`.
  explicit BlockCursor(const TypedBlock& block, Bytes begin = 0) : block_(block), done_(begin) {}

  /// The next `bytes` packed bytes: where they lie, if that is in one piece, else null.
  [[nodiscard]] std::byte* in_place(Bytes bytes);

  void read(std::byte* to, Bytes bytes);
  void write(const std::byte* from, Bytes bytes);

 private:
  TypedBlock block_;
  Bytes done_;
};

}  // namespace shunt
