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
      lengths_(side_.bytes()),
      places_(lengths_.size()) {
  if (!copied_) {
    // Displacements may be absolute addresses, which is too far from any base to be an offset.
    Bytes lowest = std::numeric_limits<Bytes>::max();
    for (const TypedBlock& block : side_.blocks()) {
      if (block.bytes > 0) lowest = std::min(lowest, block.data());
    }
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (lengths_[k] > 0) places_[k] = side_.blocks()[k].data() - lowest;
    }
    if (lowest < std::numeric_limits<Bytes>::max()) lowest_ = at_address(lowest);
  }
  divide({});
}

void TypedBlocks::divide(const Parts& parts) {
  parts_ = parts;
  take(0);
  longest_ = total_bytes(bytes_);
}

void TypedBlocks::take(Bytes part) {
  part_ = part;
  bytes_ = lengths_;
  offsets_ = places_;
  for (std::size_t k = 0; k < lengths_.size() && parts_.count > 1; ++k) {
    bytes_[k] = parts_.bytes(lengths_[k], part);
    offsets_[k] += parts_.begin(lengths_[k], part);
  }
  if (copied_) std::exclusive_scan(bytes_.begin(), bytes_.end(), offsets_.begin(), Bytes{0});
}

bool TypedBlocks::fits_ints() const {
  return copied_ ? std::in_range<int>(total_bytes(lengths_)) : ends_fit_ints(lengths_, places_);
}

void TypedBlocks::pack() {
  if (!copied_) return;
  for (std::size_t k = 0; k < bytes_.size(); ++k) {
    pack_part(side_.blocks()[k], begin_of(k), bytes_[k], base() + offsets_[k]);
  }
}

void TypedBlocks::unpack() {
  if (!copied_) return;
  for (std::size_t k = 0; k < bytes_.size(); ++k) {
    unpack_part(side_.blocks()[k], begin_of(k), bytes_[k], base() + offsets_[k]);
  }
}

}  // namespace shunt
