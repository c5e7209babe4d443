// Recursive halving of a line: Algorithm Br_Lin of Hambrusch, Khokhar, Liu 1998, Section 2.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "schedule/step.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A line of `size` places, cut into segments that are halved in each stage, the first half being
/// the longer one. In a stage each place of a first half exchanges what it has with the place at
/// the same position in the second. Where a segment has an odd number of places, the last one of
/// the first half sends to the last of the second, in a second step. So each segment has everything
/// once, spread over its places, and in the end each place has everything.
class Halving {
 public:
  struct Segment {
    Rank begin;
    Rank size;

    [[nodiscard]] Rank half() const { return size - size / 2; }
    /// Where the second half begins.
    [[nodiscard]] Rank middle() const { return begin + half(); }
    [[nodiscard]] Rank last() const { return begin + size - 1; }

    /// The last place of the longer half, if one is; it has no partner.
    [[nodiscard]] bool has_single() const { return size % 2 != 0; }
    [[nodiscard]] Rank single() const { return middle() - 1; }
    [[nodiscard]] std::optional<Rank> partner(Rank place) const;

    [[nodiscard]] Segment half_with(Rank place) const {
      if (place < middle()) return {begin, half()};
      return {middle(), size - half()};
    }
  };

  explicit Halving(Rank size) : size_(size) {}

  /// ceil(log2 size).
  [[nodiscard]] int stages() const;

  /// The segment in which `place` is in `stage`.
  [[nodiscard]] Segment segment(int stage, Rank place) const;

  /// The steps of a place, in terms of places: two at most.
  [[nodiscard]] std::vector<Step> steps(int stage, Rank place) const;

  /// 2 where the stage has a segment of an odd number of places, or else 1; 0 from stages() on.
  [[nodiscard]] int step_count(int stage) const;

  /// Appends the places whose data is at `place` before `stage`. Costs O(what it
  /// appends + stage).
  void origins(int stage, Rank place, std::vector<Rank>& origins) const;

 private:
  /// `segments`: those in which `place` is in the stages before.
  static void append_origins(std::span<const Segment> segments, Rank place,
                             std::vector<Rank>& origins);

  Rank size_;
};

}  // namespace shunt
