#include "tools/common/layout_options.hpp"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "lab/traffic/distribution_text.hpp"
#include "model/array_layout.hpp"
#include "schedule/place_grid.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// As many as the command starts.
constexpr Rank kMostRanks = 1 << 20;

}  // namespace

Option LayoutOptions::add_to(Command command, const std::string& help) {
  const Option from_option = command.add_option("--from", from,
                                                help +
                                                    "\n'CYCLIC(6) onto 4', 'BLOCK onto 4',\n"
                                                    "'(BLOCK, CYCLIC(2)) onto 2x4' ..");
  const Option to_option = command.add_option("--to", to, ".. and how it is to be");
  const Option shape_option = command.add_option("--shape", shape, "Its extents, as 120000 or 8x8");
  command.add_flag("--column-major", column_major, "Number the places of a grid column by column")
      .needs(from_option);
  from_option.needs(to_option).needs(shape_option);
  to_option.needs(from_option);
  shape_option.needs(from_option);
  return from_option;
}

ArrayLayout LayoutOptions::layout(const std::string& distribution) const {
  ArrayLayout layout{parse_distribution(distribution, parse_shape(shape))};
  if (const Rank places = grid_places(layout); places > kMostRanks) {
    throw Error(
        ErrorKind::argument,
        fmt::format("the grid has {} places; there are at most {} ranks", places, kMostRanks));
  }
  if (!column_major) return layout;
  std::vector<Rank> extents;
  for (const BlockCyclic& dimension : layout.dimensions) extents.push_back(dimension.places);
  const PlaceGrid rows(extents, PlaceOrder::row_major);
  const PlaceGrid columns(extents, PlaceOrder::column_major);
  for (Rank place = 0; place < rows.places(); ++place) {
    Rank number = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      number += rows.coordinate(place, d) * columns.stride(d);
    }
    layout.ranks.push_back(number);
  }
  return layout;
}

}  // namespace shunt
