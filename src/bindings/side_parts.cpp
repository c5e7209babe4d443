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

TrafficBound PlainParts::traffic() const { return traffic_of(send_->bytes, receive_->bytes); }

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

TrafficBound TypedParts::traffic() const {
  return traffic_of(send_->lengths(), receive_->lengths());
}

Bytes TypedParts::packed_sides() const {
  return (send_->is_copied() ? 1 : 0) + (receive_->is_copied() ? 1 : 0);
}

Bytes TypedParts::memory() const { return send_->memory() + receive_->memory(); }

void TypedParts::divide(const Parts& parts) {
  send_->divide(parts);
  receive_->divide(parts);
}

void TypedParts::take(Bytes part) {
  send_->take(part);
  receive_->take(part);
}

}  // namespace shunt
