#include "lab/schedules/guo_grid_schedule.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

namespace {

PlaceGrid grid_of(const std::vector<GuoGridSchedule::Axis>& axes,
                  Dealing GuoGridSchedule::Axis::*side) {
  std::vector<Rank> extents;
  for (const GuoGridSchedule::Axis& axis : axes) extents.push_back((axis.*side).places);
  return {extents, PlaceOrder::row_major};
}

}  // namespace

GuoGridSchedule::GuoGridSchedule(const std::vector<Axis>& axes)
    : from_(grid_of(axes, &Axis::from)), to_(grid_of(axes, &Axis::to)) {
  Rank receives = 1;
  for (const Axis& axis : axes) {
    if (axis.from.block % axis.to.block != 0 && axis.to.block % axis.from.block != 0) {
      throw Error(ErrorKind::argument,
                  fmt::format("Algorithm 2 wants one block to be a multiple of the other; they are "
                              "{} and {}",
                              axis.from.block, axis.to.block));
    }
    dimensions_.push_back({axis, {axis.from, axis.to}});
    steps_ *= dimensions_.back().classes.most_sends();
    receives *= dimensions_.back().classes.most_receives();
  }
  if (receives > steps_) {
    throw Error(ErrorKind::argument,
                fmt::format("Algorithm 2 has {} steps, but some place receives {} messages", steps_,
                            receives));
  }
}

Rank GuoGridSchedule::Along::first_receiver(Rank sender) const {
  return static_cast<Rank>(sender * axis.from.block / axis.to.block % axis.to.places);
}

Rank GuoGridSchedule::Along::number_among_alike(Rank sender) const {
  const Index beta = axis.to.block / axis.from.block;
  // Senders whose first blocks lie in the same block, and those of the receiver's next blocks.
  if (beta > 0) {
    return static_cast<Rank>(sender % beta + beta * (sender / beta / axis.to.places));
  }
  const Index apart =
      axis.to.places / std::gcd(axis.from.block / axis.to.block, Index{axis.to.places});
  return static_cast<Rank>(sender / apart);
}

std::vector<Rank> GuoGridSchedule::Along::ring(Rank sender) const {
  std::vector<Rank> ring;
  classes.for_each_receiver(sender, [&](Index, Rank receiver) { ring.push_back(receiver); });
  std::ranges::sort(ring);
  std::ranges::rotate(ring, std::ranges::find(ring, first_receiver(sender)));
  return ring;
}

std::vector<Rank> GuoGridSchedule::receivers_of(Rank sender) const {
  std::vector<Rank> all{0};
  Index begin = 0;
  for (std::size_t k = 0; k < dimensions_.size(); ++k) {
    const Rank place = from_.coordinate(sender, k);
    const std::vector<Rank> ring = dimensions_[k].ring(place);
    std::vector<Rank> longer;
    for (const Rank receiver : all) {
      for (const Rank along : ring) longer.push_back(receiver + along * to_.stride(k));
    }
    all = std::move(longer);
    begin = begin * std::ssize(ring) + dimensions_[k].number_among_alike(place);
  }
  std::ranges::rotate(all, all.begin() + begin % std::ssize(all));
  return all;
}

bool GuoGridSchedule::is_free_of_contention() const {
  std::vector<bool> hears(static_cast<std::size_t>(receivers()) * static_cast<std::size_t>(steps_));
  for (Rank sender = 0; sender < senders(); ++sender) {
    std::size_t step = 0;
    for (const Rank receiver : receivers_of(sender)) {
      const std::size_t at = static_cast<std::size_t>(receiver) * static_cast<std::size_t>(steps_);
      if (hears[at + step]) return false;
      hears[at + step] = true;
      ++step;
    }
  }
  return true;
}

}  // namespace shunt
