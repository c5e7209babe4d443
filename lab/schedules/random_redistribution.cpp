#include "lab/schedules/random_redistribution.hpp"

#include <numeric>
#include <random>

#include <fmt/format.h>

namespace shunt {

namespace {

constexpr Index kLongestBlock = 16;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  /// 0 to most - 1.
  Index below(Index most) {
    return static_cast<Index>(random_() % static_cast<std::uint64_t>(most));
  }

 private:
  std::mt19937_64 random_;
};

BlockCyclic random_side(Dice& dice, Rank most_places) {
  const auto places = static_cast<Rank>(1 + dice.below(most_places));
  const Index block = 1 + dice.below(kLongestBlock);
  return {0, block, places, static_cast<Rank>(dice.below(places))};
}

RedistributionAxis random_axis(Dice& dice, Rank most_places) {
  RedistributionAxis axis{random_side(dice, most_places), random_side(dice, most_places), 0};
  const Index period = std::lcm(axis.from.block * axis.from.places, axis.to.block * axis.to.places);
  axis.extent = dice.below(3) == 0 ? dice.below(2 * period + 1) : dice.below(8 * kLongestBlock);
  axis.from_begin = dice.below(100);
  axis.to_begin = dice.below(100);
  axis.from.extent = axis.from_begin + axis.extent;
  axis.to.extent = axis.to_begin + axis.extent;
  return axis;
}

std::string name_of(const BlockCyclic& side, Index begin) {
  return fmt::format("CYCLIC({}) onto {} from place {} and index {}", side.block, side.places,
                     side.first, begin);
}

const char* name_of(PlaceOrder order) {
  return order == PlaceOrder::row_major ? "row by row" : "column by column";
}

}  // namespace

std::string RandomRedistribution::name() const {
  std::string text;
  for (const RedistributionAxis& axis : axes) {
    text += fmt::format("{}{} indices, {} to {}", text.empty() ? "" : "; ", axis.extent,
                        name_of(axis.from, axis.from_begin), name_of(axis.to, axis.to_begin));
  }
  return text + fmt::format("; places {}, and {}", name_of(from), name_of(to));
}

RandomRedistribution random_redistribution(std::uint64_t seed) {
  constexpr Rank kMostPlaces[] = {24, 6, 4};
  Dice dice(seed);
  const Index dimensions = 1 + dice.below(3);
  RandomRedistribution redistribution;
  for (Index k = 0; k < dimensions; ++k) {
    redistribution.axes.push_back(random_axis(dice, kMostPlaces[dimensions - 1]));
  }
  const auto order = [&] {
    return dice.below(2) == 0 ? PlaceOrder::row_major : PlaceOrder::column_major;
  };
  redistribution.from = order();
  redistribution.to = order();
  return redistribution;
}

}  // namespace shunt
