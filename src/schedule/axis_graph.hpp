// Who meets whom along one dimension of a redistribution.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "schedule/quotient.hpp"
#include "schedule/redistribution_axis.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A sender and a receiver that have indices in common, as one of them sees it.
struct Meeting {
  Rank peer;
  /// The class, and the numbers of sender and receiver among those with the same classes; where
  /// the dimension has no classes, the number of the meeting, and 0.
  Index number;
  Index x;
  Index y;
};

class AxisGraph {
 public:
  virtual ~AxisGraph() = default;

  /// How many receivers the sender with most of them has; and the other way round.
  [[nodiscard]] virtual Rank most_sends() const = 0;
  [[nodiscard]] virtual Rank most_receives() const = 0;

  /// Whom a place meets.
  [[nodiscard]] virtual std::vector<Meeting> sends(Rank sender) const = 0;
  [[nodiscard]] virtual std::vector<Meeting> receives(Rank receiver) const = 0;

  [[nodiscard]] virtual Quotient quotient() const = 0;
  [[nodiscard]] virtual QuotientEdge quotient_edge(const Meeting& meeting) const = 0;

  /// The step of each meeting, from 0, if this dimension is the only one: as few as the larger of
  /// `most_sends` and `most_receives`.
  [[nodiscard]] virtual std::function<int(const Meeting&)> steps() const = 0;
};

/// Where all that can meet does, as it must where the extent is no less than the least common
/// multiple of the two strides, in closed form: a place finds whom it meets in time proportional to
/// their number. Of a shorter extent all meetings are listed first, for each of the longer blocks
/// those with the places of the shorter ones in it, each once; and kept, if some do not happen.
/// Throws Error(count) as `block_stride` does.
[[nodiscard]] std::unique_ptr<AxisGraph> make_axis_graph(const RedistributionAxis& axis);

}  // namespace shunt
