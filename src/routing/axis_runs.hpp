// What a place has in common with a place of another layout, along one dimension, as runs in the
// memory of the first. Guo, Nakata, Yamashita 2000, Section 3: the work is done once per dimension.
#pragma once

#include <vector>

#include "shunt/array_layout.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Consecutive local indices.
struct LocalRun {
  Index begin;
  Index length;

  friend bool operator==(const LocalRun&, const LocalRun&) = default;
};

/// Runs that occur `repeats` times, each time `shift` local indices further.
struct RepeatedRuns {
  std::vector<LocalRun> runs;
  Index repeats;
  Index shift;
};

/// Runs of local indices, ascending. A period of both layouts is listed once, however often it
/// occurs.
class AxisRuns {
 public:
  AxisRuns() = default;
  explicit AxisRuns(std::vector<RepeatedRuns> parts);

  [[nodiscard]] const std::vector<RepeatedRuns>& parts() const { return parts_; }
  /// Returns how many indices the runs have.
  [[nodiscard]] Index count() const { return count_; }

 private:
  std::vector<RepeatedRuns> parts_;
  Index count_ = 0;
};

/// A coordinate in a dimension, of which a part begins at index `begin`.
struct AxisPlace {
  const BlockCyclic& dimension;
  Rank place;
  Index begin;
};

/// What of the `extent` indices of a part `mine` and `other` both have, in the memory of `mine`,
/// which keeps its indices without gaps.
[[nodiscard]] AxisRuns runs_in_common(const AxisPlace& mine, const AxisPlace& other, Index extent);

}  // namespace shunt
