#include "redistribution/message_steps.hpp"

#include <cstddef>
#include <optional>
#include <vector>

#include "model/array_layout.hpp"
#include "schedule/place_grid.hpp"
#include "schedule/redistribution_schedule.hpp"

namespace shunt {

namespace {

/// The places of one side as the schedule numbers them: by the dimensions of the part, which may
/// lie along other ones of the array.
class Side {
 public:
  explicit Side(const ArraySide& side) : side_(side), grid_(extents(side), PlaceOrder::row_major) {}

  [[nodiscard]] std::optional<Rank> number_of(Rank rank) const {
    const std::optional<Place> place = place_of(side_.layout, rank);
    if (!place) return std::nullopt;
    Rank number = 0;
    for (std::size_t d = 0; d < side_.axes.size(); ++d) {
      number += (*place)[side_.axes[d]] * grid_.stride(d);
    }
    return number;
  }
  [[nodiscard]] Rank rank_of(Rank number) const {
    Place place(side_.axes.size());
    for (std::size_t d = 0; d < place.size(); ++d) {
      place[side_.axes[d]] = grid_.coordinate(number, d);
    }
    return rank_at(side_.layout, place);
  }

 private:
  static std::vector<Rank> extents(const ArraySide& side) {
    std::vector<Rank> extents;
    for (const std::size_t axis : side.axes) {
      extents.push_back(side.layout.dimensions[axis].places);
    }
    return extents;
  }

  const ArraySide& side_;
  PlaceGrid grid_;
};

RedistributionSchedule schedule_of(const Redistribution& redistribution) {
  const ArraySide& from = redistribution.from();
  const ArraySide& to = redistribution.to();
  std::vector<RedistributionAxis> axes;
  for (std::size_t d = 0; d < from.axes.size(); ++d) {
    axes.push_back({from.layout.dimensions[from.axes[d]], to.layout.dimensions[to.axes[d]],
                    redistribution.extents()[d], from.begin[from.axes[d]], to.begin[to.axes[d]]});
  }
  return RedistributionSchedule(std::move(axes));
}

}  // namespace

MessageSteps scheduled_steps(const Redistribution& redistribution, Rank rank) {
  const RedistributionSchedule schedule = schedule_of(redistribution);
  const Side from(redistribution.from());
  const Side to(redistribution.to());
  MessageSteps steps;
  if (const auto sender = from.number_of(rank)) {
    for (const Step& step : schedule.sends(*sender)) {
      steps.sends[to.rank_of(step.to)] = step.number;
    }
  }
  if (const auto receiver = to.number_of(rank)) {
    for (const Step& step : schedule.receives(*receiver)) {
      steps.receives[from.rank_of(step.from)] = step.number;
    }
  }
  return steps;
}

}  // namespace shunt
