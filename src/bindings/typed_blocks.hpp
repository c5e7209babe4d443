// From typed elements to the bytes that the engine exchanges, and back.
#pragma once

#include <vector>

#include "bindings/typed_side.hpp"
#include "context/blocks.hpp"
#include "context/byte_buffer.hpp"
#include "model/parts.hpp"

namespace shunt {

/// The byte blocks of one side of an exchange. Where the elements of all blocks lie densely and in
/// order they are used where they are; otherwise a packed copy of the blocks stands in. The blocks
/// may be had in parts; then there is a copy of one part at a time.
class TypedBlocks {
 public:
  enum class Placement {
    in_place,  ///< where the types allow it
    copied     ///< always a copy
  };

  explicit TypedBlocks(TypedSide side, Placement placement = Placement::in_place);
  TypedBlocks(const TypedBlocks&) = delete;
  TypedBlocks& operator=(const TypedBlocks&) = delete;

  /// Divides the blocks into parts; until the next one is taken, all other functions concern the
  /// first. Called before the blocks are asked for.
  void divide(const Parts& parts);
  void take(Bytes part);

  /// Returns the lengths of the whole blocks, in bytes by rank.
  [[nodiscard]] const std::vector<Bytes>& lengths() const { return lengths_; }
  [[nodiscard]] bool is_copied() const { return copied_; }
  /// Whether MPI's ints suffice for its blocks, wherever they are and whatever part is taken.
  [[nodiscard]] bool fits_ints() const;
  /// Bytes of the packed copy that there is.
  [[nodiscard]] Bytes memory() const { return packed_.capacity(); }

  /// The blocks of the part, valid until the next one is taken.
  [[nodiscard]] const SendBlocks& to_send() const {
    send_ = {base(), bytes_, offsets_};
    return send_;
  }
  [[nodiscard]] const ReceiveBlocks& to_receive() const {
    receive_ = {base(), bytes_, offsets_};
    return receive_;
  }

  /// Fills the packed copy from the user's blocks, if there is one.
  void pack();

  /// Brings the packed copy to the user's blocks, if there is one.
  void unpack();

 private:
  /// Where the part begins in block `k`.
  [[nodiscard]] Bytes begin_of(std::size_t k) const {
    return parts_.count == 1 ? 0 : parts_.begin(lengths_[k], part_);
  }
  /// The lowest block, or the copy, for which there is memory from then on.
  [[nodiscard]] std::byte* base() const { return copied_ ? packed_.provide(longest_) : lowest_; }

  TypedSide side_;
  bool copied_;
  std::byte* lowest_ = nullptr;
  std::vector<Bytes> lengths_;
  std::vector<Bytes> places_;  ///< of the whole blocks, from the lowest one; 0 where it is a copy
  Parts parts_;
  Bytes part_ = 0;
  Bytes longest_ = 0;  ///< bytes of the longest part
  std::vector<Bytes> bytes_;
  std::vector<Bytes> offsets_;
  mutable ByteBuffer packed_;
  // Only one of these is used: that of the direction of these blocks.
  mutable SendBlocks send_;
  mutable ReceiveBlocks receive_;
};

}  // namespace shunt
