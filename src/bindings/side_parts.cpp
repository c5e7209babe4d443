#include "bindings/side_parts.hpp"

namespace shunt {

namespace {

template <class Blocks>
Blocks part_of(const Blocks& whole, const Parts& parts, Bytes part) {
  Blocks blocks = whole;
  for (std::size_t k = 0; k < whole.bytes.size(); ++k) {
    blocks.offsets[k] += parts.begin(whole.bytes[k], part);
    blocks.bytes[k] = parts.bytes(whole.bytes[k], part);
  }
  return blocks;
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
  part_send_ = part_of(*send_, parts_, part);
  part_receive_ = part_of(*receive_, parts_, part);
}

}  // namespace shunt
