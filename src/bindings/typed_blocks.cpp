#include "bindings/typed_blocks.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "bindings/block_copy.hpp"

namespace shunt {

namespace {

bool all_contiguous(const TypedSide& side) {
  return std::ranges::all_of(side.blocks(), &TypedBlock::is_contiguous);
}

}  // namespace

TypedBlocks::TypedBlocks(TypedSide side, Placement placement)
    : side_(std::move(side)),
      copied_(placement == Placement::copied || !all_contiguous(side_)),
      bytes_(side_.bytes()),
      offsets_(bytes_.size()) {
  if (copied_) {
    std::exclusive_scan(bytes_.begin(), bytes_.end(), offsets_.begin(), Bytes{0});
    base_ = packed_.provide(total_bytes(bytes_));
    return;
  }
  // Displacements may be absolute addresses, which is too far from any base to be an offset.
  Bytes lowest = std::numeric_limits<Bytes>::max();
  for (const TypedBlock& block : side_.blocks()) {
    if (block.bytes > 0) lowest = std::min(lowest, block.data());
  }
  for (std::size_t k = 0; k < bytes_.size(); ++k) {
    offsets_[k] = bytes_[k] > 0 ? side_.blocks()[k].data() - lowest : 0;
  }
  base_ = lowest == std::numeric_limits<Bytes>::max() ? nullptr : at_address(lowest);
}

void TypedBlocks::pack() {
  if (!copied_) return;
  for (std::size_t k = 0; k < bytes_.size(); ++k) {
    pack_block(side_.blocks()[k], base_ + offsets_[k]);
  }
}

void TypedBlocks::unpack() {
  if (!copied_) return;
  for (std::size_t k = 0; k < bytes_.size(); ++k) {
    unpack_block(side_.blocks()[k], base_ + offsets_[k]);
  }
}

}  // namespace shunt
