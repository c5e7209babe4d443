// Which places send to which, and when, in the redistribution of an array of any number of
// dimensions: Guo, Nakata, Yamashita 2000, Section 4.3, for any blocks, grids and extents, in the
// fewest steps.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "schedule/axis_graph.hpp"
#include "schedule/place_grid.hpp"
#include "schedule/redistribution_axis.hpp"
#include "schedule/step.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A schedule of a redistribution. A sender meets those receivers that it meets along every
/// dimension. There are as many steps as the busiest place of either side has messages, which is
/// the least possible (Koenig); in a step a place sends at most one message and receives at most
/// one.
///
/// A place's steps cost O(messages * dimensions). Making the schedule costs what AxisGraph says of
/// each dimension; and where some dimensions have more receivers to a sender than senders to a
/// receiver, and others fewer, the colouring of the product of the quotients of all these.
class RedistributionSchedule {
 public:
  /// The dimensions of the array, which are those of both grids too. Throws Error(count) as
  /// PlaceGrid and `block_stride` do.
  explicit RedistributionSchedule(std::vector<RedistributionAxis> axes,
                                  PlaceOrder from = PlaceOrder::row_major,
                                  PlaceOrder to = PlaceOrder::row_major);

  [[nodiscard]] Rank senders() const { return from_.places(); }
  [[nodiscard]] Rank receivers() const { return to_.places(); }
  [[nodiscard]] int step_count() const { return step_count_; }

  /// The steps in which a place sends, or receives, ascending.
  [[nodiscard]] std::vector<Step> sends(Rank sender) const;
  [[nodiscard]] std::vector<Step> receives(Rank receiver) const;

  /// How many elements of the array go from one to the other.
  [[nodiscard]] Index elements(Rank sender, Rank receiver) const;

 private:
  /// The steps of some dimensions, numbered together, as a function of a meeting along each
  /// dimension.
  struct Part {
    int count;
    std::function<int(std::span<const Meeting>)> step;
  };

  void choose_parts();
  [[nodiscard]] Part own_part(std::size_t axis) const;
  [[nodiscard]] Part common_part(const std::vector<std::size_t>& axes) const;

  [[nodiscard]] int step_of(std::span<const Meeting> meetings) const;
  using MeetingsOf = std::vector<Meeting> (AxisGraph::*)(Rank) const;
  /// The steps of a place, each with one of its `peers`, which the step has as `peer`.
  [[nodiscard]] std::vector<Step> steps_of(Rank place, const PlaceGrid& own, const PlaceGrid& peers,
                                           MeetingsOf meetings_of, Rank Step::*peer) const;

  std::vector<RedistributionAxis> axes_;
  PlaceGrid from_;
  PlaceGrid to_;
  std::vector<std::unique_ptr<AxisGraph>> graphs_;  ///< by dimension
  std::vector<Part> parts_;
  int step_count_ = 1;
};

}  // namespace shunt
