// From typed elements to the bytes that the engine exchanges, and back.
#pragma once

#include <vector>

#include "bindings/typed_side.hpp"
#include "exchange/blocks.hpp"
#include "exchange/byte_buffer.hpp"

namespace shunt {

/// The byte blocks of one side of an exchange. Where the elements of all blocks lie densely and in
/// order they are used where they are; otherwise a packed copy of the blocks stands in.
class TypedBlocks {
 public:
  enum class Placement {
    in_place,  ///< where the types allow it
    copied     ///< always a copy
  };

  explicit TypedBlocks(TypedSide side, Placement placement = Placement::in_place);
  TypedBlocks(const TypedBlocks&) = delete;
  TypedBlocks& operator=(const TypedBlocks&) = delete;

  [[nodiscard]] SendBlocks to_send() const { return {base_, bytes_, offsets_}; }
  [[nodiscard]] ReceiveBlocks to_receive() const { return {base_, bytes_, offsets_}; }

  /// Fills the packed copy from the user's blocks, if there is one.
  void pack();

  /// Brings the packed copy to the user's blocks, if there is one.
  void unpack();

 private:
  TypedSide side_;
  bool copied_;
  std::byte* base_;  ///< the lowest block, or the copy
  std::vector<Bytes> bytes_;
  std::vector<Bytes> offsets_;
  ByteBuffer packed_;
};

}  // namespace shunt
