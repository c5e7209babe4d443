#include "lab/picture/traffic_picture.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lab/flow/flow.hpp"
#include "lab/picture/stage_maps.hpp"
#include "model/counted.hpp"

namespace shunt {

namespace {

/// Both series of maps in the shades of all of them; those of `held` explain them.
void share_scale(MapSeries& held, MapSeries& moved, Spacing spacing) {
  const auto [least_held, most_held] = range_of(held.maps);
  const auto [least_moved, most_moved] = range_of(moved.maps);
  const double least = least_held > 0 && least_moved > 0 ? std::min(least_held, least_moved)
                                                         : std::max(least_held, least_moved);
  held.scale = Scale(spacing, least, std::max(most_held, most_moved), Unit::bytes);
  moved.scale = held.scale;
}

}  // namespace

std::string draw_traffic(const Algorithm& algorithm, const Traffic& traffic, Bytes element,
                         Spacing spacing) {
  const Rank ranks = algorithm.ranks();
  check_drawn_maps(algorithm.name(), ranks, algorithm.stages());
  const HeatMap nothing(index_of(ranks), index_of(ranks));
  const Scale unknown(spacing, 0, 0, Unit::bytes);
  MapSeries held{all_ranks(ranks),
                 std::vector<HeatMap>(static_cast<std::size_t>(algorithm.stages()) + 1, nothing),
                 unknown, "bytes; grey: nothing"};
  MapSeries moved{all_ranks(ranks), {}, unknown, ""};
  std::vector<std::string> names;
  const auto flows =
      follow_traffic(algorithm, traffic, element,
                     [&](int stages_over, Rank destination, std::span<const Bytes> bytes) {
                       HeatMap& map = held.maps[static_cast<std::size_t>(stages_over)];
                       for (std::size_t rank = 0; rank < bytes.size(); ++rank) {
                         map.at(rank, index_of(destination)) = static_cast<double>(bytes[rank]);
                       }
                     });
  for (const StageFlow& flow : flows) {
    names.push_back(algorithm.stage_name(static_cast<int>(names.size())));
    moved.maps.push_back(map_of(flow.messages, ranks));
  }
  share_scale(held, moved, spacing);
  return draw_stage_maps(
      {fmt::format("{} under {} on {}", traffic.name(), algorithm.name(), counted(ranks, "rank")),
       "Above: bytes that a rank (row) holds for a destination (column). Below: the messages of a "
       "stage.",
       ranks, std::move(held), std::move(moved), std::move(names)});
}

}  // namespace shunt
