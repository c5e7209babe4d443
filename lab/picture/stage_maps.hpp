// What is where between stages, and what moves in them: heat maps, stage by stage.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "lab/picture/scale.hpp"
#include "shunt/types.hpp"

namespace shunt {

inline constexpr int kMostDrawnStages = 64;

/// Numbers of 0 or more, by row and column.
class HeatMap {
 public:
  HeatMap(std::size_t rows, std::size_t columns) : columns_(columns), values_(rows * columns, 0) {}

  double& at(std::size_t row, std::size_t column) { return values_[row * columns_ + column]; }

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  std::size_t columns_;
  std::vector<double> values_;
};

/// Maps that are drawn in the same shades, with a row for each rank.
struct MapSeries {
  std::vector<Rank> columns;  ///< the rank that each column is for
  std::vector<HeatMap> maps;
  Scale scale;
  std::string legend;  ///< what the shades say; empty: the same as those of the other series
};

/// All that is drawn. There is one more map of `held` than stages, and one of `moved` for each.
struct StageMaps {
  std::string title;
  std::string line;
  Rank ranks;
  MapSeries held;                        ///< by the number of stages that are over
  MapSeries moved;                       ///< by stage
  std::vector<std::string> stage_names;  ///< by stage
};

/// The ranks from 0 on: the columns of a map that has one for each.
[[nodiscard]] std::vector<Rank> all_ranks(Rank ranks);

/// The bytes of messages, each of which says `from`, `to` and `bytes`: by sender and receiver.
template <class Messages>
[[nodiscard]] HeatMap map_of(const Messages& messages, Rank ranks) {
  HeatMap map(static_cast<std::size_t>(ranks), static_cast<std::size_t>(ranks));
  for (const auto& message : messages) {
    map.at(static_cast<std::size_t>(message.from), static_cast<std::size_t>(message.to)) +=
        static_cast<double>(message.bytes);
  }
  return map;
}

/// The least number above 0 and the greatest one in all of the maps; 0 where there is none.
[[nodiscard]] std::pair<double, double> range_of(const std::vector<HeatMap>& maps);

/// Throws Error(argument) for more ranks or stages of `name` than there is room for.
void check_drawn_maps(const std::string& name, Rank ranks, int stages);

/// Returns the maps as SVG: above, what is held; below, what moves in the stage between.
[[nodiscard]] std::string draw_stage_maps(const StageMaps& maps);

}  // namespace shunt
