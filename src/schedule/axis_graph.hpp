// Which senders and receivers meet along one dimension of a redistribution.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "schedule/edge_colouring.hpp"
#include "schedule/redistribution_axis.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A sender and a receiver that have indices in common, as one of them sees it.
struct Meeting {
  Rank peer;
  /// The class, and the numbers of sender and receiver among those with equal classes; where the
  /// dimension has no classes, the number of the meeting, and 0.
  Index number;
  Index x;
  Index y;
};

class AxisGraph {
 public:
  virtual ~AxisGraph() = default;

  /// The most receivers that a sender has (`most_sends`), or senders that a receiver has
  /// (`most_receives`).
  [[nodiscard]] virtual Rank most_sends() const = 0;
  [[nodiscard]] virtual Rank most_receives() const = 0;

  /// The meetings of a sender, or of a receiver.
  [[nodiscard]] virtual std::vector<Meeting> sends(Rank sender) const = 0;
  [[nodiscard]] virtual std::vector<Meeting> receives(Rank receiver) const = 0;

  [[nodiscard]] virtual Quotient quotient() const = 0;
  [[nodiscard]] virtual QuotientEdge quotient_edge(const Meeting& meeting) const = 0;

  /// The step of each meeting, from 0, if this dimension is the only one: as few as the larger of
  /// `most_sends` and `most_receives`.
  [[nodiscard]] virtual std::function<int(const Meeting&)> steps() const = 0;
};

/// Returns the graph of a dimension. Where all places meet that can, as they must where the extent
/// is no less than the least common multiple of the two strides, the graph has a closed form: a
/// place finds its meetings in time proportional to their number. For a shorter extent all meetings
/// are listed first, for each of the longer blocks those with the places of the shorter ones in it,
/// each once; the list is kept if some places that can meet do not. Throws Error(count) as
/// `block_stride` does.
[[nodiscard]] std::unique_ptr<AxisGraph> make_axis_graph(const RedistributionAxis& axis);

}  // namespace shunt
