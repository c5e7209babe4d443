#include "lab/picture/holdings_picture.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lab/flow/allgather_flow.hpp"
#include "lab/picture/stage_maps.hpp"
#include "model/counted.hpp"

namespace shunt {

namespace {

/// What every rank has of every source's block, in bytes, as an all-gather goes on.
class Holdings {
 public:
  explicit Holdings(const Sources& sources)
      : sources_(sources),
        column_(index_of(sources.ranks()), 0),
        bytes_(index_of(sources.ranks()) * sources.list().size(), 0) {
    for (std::size_t k = 0; k < sources.list().size(); ++k) {
      const Rank source = sources.list()[k];
      column_[index_of(source)] = k;
      add(source, {source, 0, sources.length(source)});
    }
  }

  void add(Rank rank, const Share& share) {
    bytes_[index_of(rank) * sources_.list().size() + column_[index_of(share.source)]] +=
        share.end - share.begin;
  }

  [[nodiscard]] HeatMap in_percent() const {
    const std::size_t columns = sources_.list().size();
    HeatMap map(index_of(sources_.ranks()), columns);
    for (std::size_t place = 0; place < bytes_.size(); ++place) {
      const std::size_t column = place % columns;
      map.at(place / columns, column) =
          100 * static_cast<double>(bytes_[place]) /
          static_cast<double>(sources_.length(sources_.list()[column]));
    }
    return map;
  }

 private:
  const Sources& sources_;
  std::vector<std::size_t> column_;  ///< by source: its place among the sources
  std::vector<Bytes> bytes_;         ///< by rank, then by source
};

}  // namespace

std::string draw_holdings(const Allgather& allgather, Spacing spacing) {
  const Rank ranks = allgather.ranks();
  const auto sources = allgather.sources().list();
  check_drawn_maps(allgather.name(), ranks, allgather.stages());
  MapSeries held{{sources.begin(), sources.end()},
                 {},
                 {Spacing::linear, 0, 100, Unit::none},
                 "percent of the source's block; grey: nothing"};
  Holdings holdings(allgather.sources());
  held.maps.push_back(holdings.in_percent());
  const AllgatherFlow flow =
      follow_allgather(allgather, [&](int stage, Rank to, std::span<const Share> shares) {
        // All messages of the stages before have been told.
        while (std::ssize(held.maps) <= stage) held.maps.push_back(holdings.in_percent());
        for (const Share& share : shares) holdings.add(to, share);
      });
  while (held.maps.size() <= flow.size()) held.maps.push_back(holdings.in_percent());

  std::vector<HeatMap> messages;
  std::vector<std::string> names;
  for (const auto& stage : flow) {
    names.push_back(allgather.stage_name(static_cast<int>(names.size())));
    messages.push_back(map_of(stage, ranks));
  }
  const auto [least, most] = range_of(messages);
  return draw_stage_maps(
      {fmt::format("An all-gather from {} of {} by {}", sources.size(), counted(ranks, "rank"),
                   allgather.name()),
       "Above: what a rank (row) holds of a source's block (column). Below: the messages of a "
       "stage.",
       ranks,
       std::move(held),
       {all_ranks(ranks),
        std::move(messages),
        {spacing, least, most, Unit::bytes},
        "bytes of a message"},
       std::move(names)});
}

}  // namespace shunt
