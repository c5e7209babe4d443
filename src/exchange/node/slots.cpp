#include "exchange/node/slots.hpp"

#include <algorithm>

namespace shunt {

Slots::Slots(Bytes room, std::span<const Bytes> lengths) {
  room = std::min(room, kMostRoom);
  Bytes sum = 0;
  Bytes longest = 0;
  for (const Bytes length : lengths) {
    sum += length;
    longest = std::max(longest, length);
  }
  if (longest <= kLongestWhole && sum <= room) return;
  // What is shorter than an equal part lies there whole; the others share what is left.
  const auto messages =
      static_cast<Bytes>(std::ssize(lengths) - std::ranges::count(lengths, Bytes{0}));
  whole_ = std::min(kLongestWhole, room / messages);
  Bytes pipes = 0;
  for (const Bytes length : lengths) {
    if (length > whole_) {
      ++pipes;
    } else {
      room -= length;
    }
  }
  if (pipes == 0) return;
  ring_ = std::min((room / pipes - kPipeExtra) / Region::kLine * Region::kLine, kLongestRing);
}

SharedMessage Slots::next(Bytes length) {
  if (length <= whole_) {
    const Bytes offset = used_;
    used_ += length;
    payload_ += length;
    return {offset, length, 0};
  }
  const Bytes ring = std::min(ring_, Region::whole_lines(length));
  const Bytes offset = Region::whole_lines(used_);
  used_ = offset + Pipe::kHead + ring;
  payload_ += std::min(length, ring);
  return {offset, length, ring};
}

}  // namespace shunt
