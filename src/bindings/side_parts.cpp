#include "bindings/side_parts.hpp"

namespace shunt {

TrafficBound PlainParts::traffic() const { return traffic_of(send_.bytes, receive_.bytes); }

bool PlainParts::fits_ints() const {
  return ends_fit_ints(send_.bytes, send_.offsets) &&
         ends_fit_ints(receive_.bytes, receive_.offsets);
}

void PlainParts::divide(const Parts& parts) {
  parts_ = parts;
  part_ = 0;
}

template <class Blocks>
Blocks PlainParts::part_of(const Blocks& whole) const {
  if (parts_.count == 1) return whole;
  Blocks part = whole;
  for (std::size_t k = 0; k < whole.bytes.size(); ++k) {
    part.offsets[k] += parts_.begin(whole.bytes[k], part_);
    part.bytes[k] = parts_.bytes(whole.bytes[k], part_);
  }
  return part;
}

template SendBlocks PlainParts::part_of(const SendBlocks& whole) const;
template ReceiveBlocks PlainParts::part_of(const ReceiveBlocks& whole) const;

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
