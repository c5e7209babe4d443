// From elements to bytes: the user's layouts and datatypes, checked.
#pragma once

#include <span>
#include <vector>

#include <mpi.h>

#include "exchange/blocks.hpp"
#include "exchange/byte_buffer.hpp"
#include "exchange/yard_state.hpp"
#include "shunt/yard.hpp"

namespace shunt {

/// The byte blocks of `layout` in a buffer of elements of `element` bytes. Throws Error(count)
/// where the layout has another number of blocks than `ranks` or a negative count or overflows 64
/// bits, Error(buffer) where a block lies outside the buffer. `side` is "send" or "receive".
[[nodiscard]] SendBlocks send_blocks(std::span<const std::byte> buffer, const Layout& layout,
                                     std::size_t element, Rank ranks);
[[nodiscard]] ReceiveBlocks receive_blocks(std::span<std::byte> buffer, const Layout& layout,
                                           std::size_t element, Rank ranks);

/// One side of an exchange of elements of an MPI datatype. A type whose elements lie densely and
/// in order is used where it is; for any other a packed copy of the blocks stands in.
class TypedBlocks {
 public:
  /// `type` stays the caller's; it is duplicated, so that it may be freed before this.
  /// Packs on the duplicate communicator, whose errors are returned.
  TypedBlocks(const YardState& yard, const void* base, const Layout& layout, MPI_Datatype type,
              const char* side);
  ~TypedBlocks();
  TypedBlocks(const TypedBlocks&) = delete;
  TypedBlocks& operator=(const TypedBlocks&) = delete;

  [[nodiscard]] SendBlocks to_send() const;
  [[nodiscard]] ReceiveBlocks to_receive() const;

  /// Fills the packed copy from the user's blocks, if there is one.
  void pack();

  /// Brings the packed copy to the user's blocks, if there is one.
  void unpack();

 private:
  MPI_Comm comm_;
  const std::byte* base_;
  Layout layout_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  bool dense_ = true;
  Bytes size_ = 0;
  Bytes extent_ = 0;
  std::vector<Bytes> bytes_;
  std::vector<Bytes> offsets_;
  ByteBuffer packed_;
};

}  // namespace shunt
