// One side of an exchange as its caller gave it, checked: a block of typed elements for each rank.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include <mpi.h>

#include "bindings/addresses.hpp"
#include "bindings/element_type.hpp"
#include "shunt/communicator.hpp"

namespace shunt {

struct TypedBlock {
  Bytes address = 0;  ///< of the first element
  Bytes count = 0;    ///< of elements
  Bytes bytes = 0;    ///< of data; the type matters only if there are any
  const ElementType* type = nullptr;

  [[nodiscard]] bool is_contiguous() const { return bytes == 0 || type->is_contiguous(count); }

  /// Where the data of a contiguous block begins.
  [[nodiscard]] Bytes data() const { return address + type->map->front(); }
};

class TypedSide {
 public:
  /// `name` is "send" or "receive". `base` is what displacements start from; MPI_BOTTOM too.
  TypedSide(const char* name, const void* base);

  /// Throws Error(type) where the type cannot be used.
  const ElementType& use(MPI_Datatype type, Rank peer = kNoRank);

  /// The next rank's block: `count` elements of `type`, `place` bytes after the base. Throws
  /// Error(count) where the counts exceed 64 bits, Error(buffer) for data at the null pointer or
  /// on a device.
  void add(const ElementType& type, Bytes count, Bytes place);

  /// Adds a block `displacement` extents of the type after the base.
  void add_at(const ElementType& type, Bytes count, Bytes displacement);

  void reserve(Rank ranks) { blocks_.reserve(static_cast<std::size_t>(ranks)); }

  /// The next rank has no block. What else is said of it does not matter.
  void add_empty() { blocks_.emplace_back(); }

  /// Returns this side without the blocks for which `leave_out(rank)` is true.
  template <class LeaveOut>
  [[nodiscard]] TypedSide without(LeaveOut&& leave_out) const {
    TypedSide rest = *this;
    for (std::size_t k = 0; k < rest.blocks_.size(); ++k) {
      if (leave_out(static_cast<Rank>(k))) rest.blocks_[k] = {};
    }
    return rest;
  }

  [[nodiscard]] const std::vector<TypedBlock>& blocks() const { return blocks_; }

  /// Returns the bytes of each block, by rank. Their sum fits into 64 bits.
  [[nodiscard]] std::vector<Bytes> bytes() const;

 private:
  const char* name_;
  Bytes base_;
  Bytes total_ = 0;
  std::vector<std::shared_ptr<const ElementType>> types_;  ///< their owner may free them
  std::map<MPI_Datatype, const ElementType*> known_;
  std::vector<TypedBlock> blocks_;
};

/// Throws Error(count) unless `layout` has one count and one displacement for each of `ranks`, and
/// no count is negative.
void check_layout(const Layout& layout, Rank ranks, const char* side);

/// What is wrong with `count`, of the block for `peer`, if it is negative.
[[nodiscard]] Error negative_count(Bytes count, const char* side, std::size_t peer);

/// The side of elements of one type that `layout` describes. Throws as `check_layout` and
/// `TypedSide::add` do.
[[nodiscard]] TypedSide typed_side(const void* base, const Layout& layout, MPI_Datatype type,
                                   Rank ranks, const char* side);

/// A side on which every block is empty.
[[nodiscard]] TypedSide no_blocks(const char* side, Rank ranks);

/// The side of a single block. Throws as `typed_side` does.
[[nodiscard]] TypedSide typed_block(const void* data, Bytes count, MPI_Datatype type);

}  // namespace shunt
