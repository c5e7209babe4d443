#include "bindings/side_parts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "bindings/block_copy.hpp"

namespace shunt {

namespace {

/// Makes `blocks` the part of `whole`, in the memory that they have.
template <class Blocks>
void set_part(Blocks& blocks, const Blocks& whole, const Parts& parts, Bytes part) {
  blocks = whole;
  for (std::size_t k = 0; k < whole.bytes.size() && parts.count > 1; ++k) {
    blocks.offsets[k] += parts.begin(whole.bytes[k], part);
    blocks.bytes[k] = parts.bytes(whole.bytes[k], part);
  }
}

bool all_contiguous(const TypedSide& side) {
  return std::ranges::all_of(side.blocks(), &TypedBlock::is_contiguous);
}

}  // namespace

bool PlainParts::fits_ints() const {
  return ends_fit_ints(send_->bytes, send_->offsets) &&
         ends_fit_ints(receive_->bytes, receive_->offsets);
}

void PlainParts::divide(const Parts& parts) {
  parts_ = parts;
  take(0);
}

void PlainParts::take(Bytes part) {
  if (parts_.count == 1) return;
  set_part(part_send_, *send_, parts_, part);
  set_part(part_receive_, *receive_, parts_, part);
}

TypedBlocks::TypedBlocks(TypedSide side, Placement placement)
    : side_(std::move(side)),
      copied_(placement == Placement::copied || !all_contiguous(side_)),
      whole_{nullptr, side_.bytes(), std::vector<Bytes>(side_.blocks().size())} {
  if (!copied_) {
    // Displacements may be absolute addresses, which is too far from any base to be an offset.
    Bytes lowest = std::numeric_limits<Bytes>::max();
    for (const TypedBlock& block : side_.blocks()) {
      if (block.bytes > 0) lowest = std::min(lowest, block.data());
    }
    for (std::size_t k = 0; k < whole_.bytes.size(); ++k) {
      if (whole_.bytes[k] > 0) whole_.offsets[k] = side_.blocks()[k].data() - lowest;
    }
    if (lowest < std::numeric_limits<Bytes>::max()) whole_.base = at_address(lowest);
  }
  divide({});
}

void TypedBlocks::divide(const Parts& parts) {
  parts_ = parts;
  take(0);
  longest_ = total_bytes(blocks_.bytes);
}

void TypedBlocks::take(Bytes part) {
  part_ = part;
  set_part(blocks_, whole_, parts_, part);
  if (!copied_) return;
  std::exclusive_scan(blocks_.bytes.begin(), blocks_.bytes.end(), blocks_.offsets.begin(),
                      Bytes{0});
}

bool TypedBlocks::fits_ints() const {
  return copied_ ? std::in_range<int>(total_bytes(whole_.bytes))
                 : ends_fit_ints(whole_.bytes, whole_.offsets);
}

void TypedBlocks::pack() {
  if (!copied_) return;
  for (std::size_t k = 0; k < blocks_.bytes.size(); ++k) {
    pack_part(side_.blocks()[k], begin_of(k), blocks_.bytes[k], base() + blocks_.offsets[k]);
  }
}

void TypedBlocks::unpack() {
  if (!copied_) return;
  for (std::size_t k = 0; k < blocks_.bytes.size(); ++k) {
    unpack_part(side_.blocks()[k], begin_of(k), blocks_.bytes[k], base() + blocks_.offsets[k]);
  }
}

}  // namespace shunt
