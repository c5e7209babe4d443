// Which places meet along a dimension in which not all meet that could.
#pragma once

#include <functional>
#include <vector>

#include "schedule/axis_graph.hpp"

namespace shunt {

/// All meetings, found by merging the blocks of both sides. At most one for each block of either
/// side, nor more than a longer array has; for each of the longer blocks as many are looked at as
/// shorter ones lie in it, at most one for each place.
class ShortAxis : public AxisGraph {
 public:
  /// `most`: the most meetings that there can be; when they are found, no more are looked for.
  ShortAxis(const RedistributionAxis& axis, Index most);

  /// Returns the number of meetings.
  [[nodiscard]] Index meetings() const { return std::ssize(edges_); }

  [[nodiscard]] Rank most_sends() const override { return most_of(first_of_sender_); }
  [[nodiscard]] Rank most_receives() const override { return most_of(first_of_receiver_); }

  [[nodiscard]] std::vector<Meeting> sends(Rank sender) const override;
  [[nodiscard]] std::vector<Meeting> receives(Rank receiver) const override;

  /// Returns the graph itself: no places are counted as one.
  [[nodiscard]] Quotient quotient() const override { return {senders_, receivers_, edges_, 1}; }
  [[nodiscard]] QuotientEdge quotient_edge(const Meeting& meeting) const override {
    return {meeting.number, 0};
  }

  /// Colours the graph: costs as `colour_edges` does.
  [[nodiscard]] std::function<int(const Meeting&)> steps() const override;

 private:
  /// Where the meetings of each place begin in a list, and at the end its length.
  using Firsts = std::vector<std::size_t>;

  static Rank most_of(const Firsts& firsts);
  void count_meetings();

  Rank senders_;
  Rank receivers_;
  std::vector<Edge> edges_;  ///< by sender, and then by receiver
  Firsts first_of_sender_;
  Firsts first_of_receiver_;
  std::vector<std::size_t> by_receiver_;  ///< the places of edges in `edges_`
};

}  // namespace shunt
