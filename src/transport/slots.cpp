#include "transport/slots.hpp"

#include <algorithm>

namespace shunt {

Slots::Slots(Bytes room, std::span<const Bytes> lengths)
    : longest_(std::max(room, kBlocksRoom) / 2 / Region::kLine * Region::kLine) {
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
      piped_ += length;
    } else {
      room -= length;
    }
  }
  if (pipes == 0) return;
  const Bytes part = (room / pipes - kPipeExtra) / Region::kLine * Region::kLine;
  shortest_ = std::min(part, kShortestRing);
  spare_ = room - pipes * (shortest_ + kPipeExtra);
}

Bytes Slots::ring_for(Bytes length) const {
  const double share = static_cast<double>(length) / static_cast<double>(piped_);
  const auto more = static_cast<Bytes>(share * static_cast<double>(spare_));
  const Bytes ring = (shortest_ + more) / Region::kLine * Region::kLine;
  return std::min({ring, longest_, Region::whole_lines(length)});
}

SharedMessage Slots::next(Bytes length) {
  if (length <= whole_) {
    const Bytes offset = used_;
    used_ += length;
    payload_ += length;
    return {offset, length, 0};
  }
  const Bytes ring = ring_for(length);
  const Bytes offset = Region::whole_lines(used_);
  used_ = offset + Pipe::kHead + ring;
  payload_ += std::min(length, ring);
  return {offset, length, ring};
}

}  // namespace shunt
