#include "schedule/halving.hpp"

#include <bit>

namespace shunt {

int Halving::stages() const {
  return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(size_ - 1)));
}

std::vector<Halving::Segment> Halving::segments(int stage, Rank place) const {
  std::vector<Segment> segments{{0, size_}};
  for (int level = 0; level < stage; ++level) {
    segments.push_back(segments.back().half_with(place));
  }
  return segments;
}

std::vector<Step> Halving::steps_in(const Segment& segment, Rank place) {
  const Rank half = segment.half();
  const Rank pairs = segment.size - half;
  const Rank at = place - segment.begin;
  if (pairs == 0) return {};
  const Rank last = segment.begin + segment.size - 1;
  if (at == pairs && at < half) return {{2, last, kNoRank}};
  const Rank partner = at < half ? place + half : place - half;
  std::vector<Step> steps{{1, partner, partner}};
  if (place == last && half > pairs) steps.push_back({2, kNoRank, segment.begin + half - 1});
  return steps;
}

std::vector<Step> Halving::steps(int stage, Rank place) const {
  return steps_in(segments(stage, place).back(), place);
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
  for (const Step& step : steps_in(segments.back(), place)) {
    if (step.from != kNoRank) append_origins(before, step.from, origins);
  }
}

void Halving::origins(int stage, Rank place, std::vector<Rank>& origins) const {
  const std::vector<Segment> chain = segments(stage, place);
  append_origins(std::span(chain).first(static_cast<std::size_t>(stage)), place, origins);
}

}  // namespace shunt
