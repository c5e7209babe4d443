#include "schedule/halving.hpp"

#include <bit>

namespace shunt {

int Halving::stages() const {
  return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(size_ - 1)));
}

Halving::Segment Halving::segment(int stage, Rank place) const {
  Segment segment{0, size_};
  for (int level = 0; level < stage; ++level) segment = segment.half_with(place);
  return segment;
}

std::optional<Rank> Halving::Segment::partner(Rank place) const {
  const Rank at = place - begin;
  if (at < size / 2) return place + half();
  return at < half() ? std::nullopt : std::optional(place - half());
}

std::vector<Step> Halving::steps(int stage, Rank place) const {
  const Segment in = segment(stage, place);
  if (in.size == 1) return {};
  const std::optional<Rank> partner = in.partner(place);
  if (!partner) return {{2, in.last(), kNoRank}};
  std::vector<Step> steps{{1, *partner, *partner}};
  if (in.has_single() && place == in.last()) steps.push_back({2, kNoRank, in.single()});
  return steps;
}

int Halving::step_count(int stage) const {
  // Segments of a stage differ by one place at most; the first is the longest, the last the
  // shortest.
  Segment first{0, size_};
  Segment last{0, size_};
  for (int level = 0; level < stage; ++level) {
    first = first.half_with(first.begin);
    last = last.half_with(last.begin + last.size - 1);
  }
  if (first.size == 1) return 0;
  const bool odd = first.size % 2 != 0 || (last.size % 2 != 0 && last.size > 1);
  return odd ? 2 : 1;
}

void Halving::append_origins(std::span<const Segment> segments, Rank place,
                             std::vector<Rank>& origins) {
  if (segments.empty()) {
    origins.push_back(place);
    return;
  }
  // The senders of a stage are in the receiver's segment of that stage, and of all before.
  const std::span<const Segment> before = segments.first(segments.size() - 1);
  append_origins(before, place, origins);
  const Segment& segment = segments.back();
  if (segment.size == 1) return;
  if (const auto partner = segment.partner(place)) append_origins(before, *partner, origins);
  if (segment.has_single() && place == segment.last()) {
    append_origins(before, segment.single(), origins);
  }
}

void Halving::origins(int stage, Rank place, std::vector<Rank>& origins) const {
  std::vector<Segment> before;
  Segment segment{0, size_};
  for (int level = 0; level < stage; ++level) {
    before.push_back(segment);
    segment = segment.half_with(place);
  }
  append_origins(before, place, origins);
}

}  // namespace shunt
