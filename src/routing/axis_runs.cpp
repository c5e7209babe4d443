#include "routing/axis_runs.hpp"

#include <algorithm>
#include <utility>

#include "model/ldd.hpp"

namespace shunt {

namespace {

/// Runs that touch become one.
void append_run(std::vector<LocalRun>& runs, const LocalRun& run) {
  if (!runs.empty() && runs.back().begin + runs.back().length == run.begin) {
    runs.back().length += run.length;
  } else {
    runs.push_back(run);
  }
}

/// Takes the periods of an overlap one after the other.
class Periods {
 public:
  Periods(const LddOverlap& overlap, const AxisPlace& mine, Index extent)
      : overlap_(overlap), mine_(mine), extent_(extent) {}

  [[nodiscard]] AxisRuns runs() {
    std::vector<RepeatedRuns> parts;
    const Index last_end = overlap_.stretches().back().begin + overlap_.stretches().back().length;
    if (overlap_.stretches().front().begin < 0) parts.push_back(next());
    if (!over() && last_end <= extent_ - base_) {
      const Index repeats = (extent_ - base_ - last_end) / overlap_.period() + 1;
      parts.push_back(next());
      if (repeats > 1) {
        parts.back().repeats = repeats;
        parts.back().shift = overlap_.period() / mine_.dimension.places;
        base_ += (repeats - 1) * overlap_.period();
        join_repeats(parts.back());
      }
    }
    while (!over()) parts.push_back(next());
    return AxisRuns(std::move(parts));
  }

 private:
  [[nodiscard]] bool over() const {
    return ended_ || overlap_.stretches().front().begin >= extent_ - base_;
  }

  /// The runs of one period, clipped.
  RepeatedRuns next() {
    RepeatedRuns part{{}, 1, 0};
    for (const auto& [begin, length] : overlap_.stretches()) {
      if (begin >= extent_ - base_) continue;
      const Index from = std::max(base_ + begin, Index{0});
      const Index end = length < extent_ - base_ - begin ? base_ + begin + length : extent_;
      append_run(part.runs, {mine_.dimension.local_index(mine_.begin + from), end - from});
    }
    ended_ = overlap_.period() >= extent_ - base_ - overlap_.stretches().front().begin;
    if (!ended_) base_ += overlap_.period();
    return part;
  }

  static void join_repeats(RepeatedRuns& part) {
    if (part.runs.size() == 1 && part.runs.front().length == part.shift) {
      part = {{{part.runs.front().begin, part.shift * part.repeats}}, 1, 0};
    }
  }

  const LddOverlap& overlap_;
  const AxisPlace& mine_;
  Index extent_;
  Index base_ = 0;
  bool ended_ = false;
};

}  // namespace

AxisRuns::AxisRuns(std::vector<RepeatedRuns> parts) : parts_(std::move(parts)) {
  for (const RepeatedRuns& part : parts_) {
    Index once = 0;
    for (const LocalRun& run : part.runs) once += run.length;
    count_ += once * part.repeats;
  }
}

AxisRuns runs_in_common(const AxisPlace& mine, const AxisPlace& other, Index extent) {
  const LddOverlap overlap(ldd_of(mine.dimension, mine.place, mine.begin),
                           ldd_of(other.dimension, other.place, other.begin), extent);
  if (overlap.empty() || extent <= 0) return {};
  return Periods(overlap, mine, extent).runs();
}

}  // namespace shunt
