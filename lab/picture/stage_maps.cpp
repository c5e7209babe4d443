#include "lab/picture/stage_maps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "lab/picture/cells.hpp"
#include "lab/picture/frame.hpp"
#include "lab/picture/limits.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr std::size_t kAbreast = 5;
constexpr double kMapSize = 240;  ///< about; a whole number of pixels a rank
constexpr double kLargestCell = 24;
constexpr double kMapLeft = 40;   ///< of a map, for its rows' labels
constexpr double kMapAbove = 50;  ///< of a map, for its title and its columns' labels
constexpr double kMapGap = 14;
constexpr double kLabelRoom = 24;
constexpr double kBarWidth = 320;  ///< of the shades in a legend
constexpr int kMapShades = 32;

/// Pixels of one of `count` cells side by side.
double cell_of(std::size_t count) {
  return std::clamp(std::round(kMapSize / static_cast<double>(std::max<std::size_t>(count, 1))),
                    1.0, kLargestCell);
}

class StageMapsDrawing {
 public:
  explicit StageMapsDrawing(const StageMaps& maps)
      : maps_(maps),
        row_(cell_of(static_cast<std::size_t>(maps.ranks))),
        // Titles need room that few ranks do not.
        width_(std::max({kMapLeft + width_of(maps.held), kMapLeft + width_of(maps.moved), 190.0}) +
               kMapGap),
        height_(kMapAbove + row_ * maps.ranks + kMapGap) {}

  [[nodiscard]] std::string draw() {
    const std::size_t columns = std::min(kAbreast, maps_.held.maps.size());
    const double right = std::max({2 * kMargin + static_cast<double>(columns) * width_,
                                   title_width(maps_.title, maps_.line), legend_width()});
    double top = draw_title(svg_, maps_.title, maps_.line);
    top += draw_legends(top) + 12;
    for (std::size_t over = 0; over < maps_.held.maps.size(); ++over) {
      const std::size_t band = over / kAbreast;
      const Point corner{kMargin + static_cast<double>(over % kAbreast) * width_,
                         top + static_cast<double>(band) * 2 * height_};
      draw_map(maps_.held, over, corner,
               over == 0 ? "before" : fmt::format("after stage {}", over));
      if (over == 0) continue;
      draw_map(maps_.moved, over - 1, {corner.x, corner.y + height_}, stage_title(over));
    }
    const std::size_t bands = (maps_.held.maps.size() - 1) / kAbreast + 1;
    return svg_.finish(right, top + static_cast<double>(bands) * 2 * height_ + 4, maps_.title);
  }

 private:
  [[nodiscard]] static double width_of(const MapSeries& series) {
    return cell_of(series.columns.size()) * static_cast<double>(series.columns.size());
  }

  /// Side by side, each as wide as its shades and its text need.
  [[nodiscard]] static double legend_room(const MapSeries& series) {
    return series.legend.empty() ? 0 : std::max(kBarWidth, text_width(series.legend, 12)) + 40;
  }

  [[nodiscard]] double legend_width() const {
    return 2 * kMargin + legend_room(maps_.held) + legend_room(maps_.moved);
  }

  double draw_legends(double top) {
    double height = 0;
    double left = kMargin;
    for (const MapSeries* const series : {&maps_.held, &maps_.moved}) {
      if (series->legend.empty()) continue;
      height = draw_shades(svg_, {left, top}, kBarWidth, series->scale, series->legend);
      left += legend_room(*series);
    }
    return height;
  }

  /// Of stage `number`, from 1: its name too, if it has room.
  [[nodiscard]] std::string stage_title(std::size_t number) const {
    const std::string name = fmt::format("{}: {}", number, maps_.stage_names[number - 1]);
    return text_width(name, 12) <= width_ - kMapLeft ? name : fmt::format("stage {}", number);
  }

  void draw_map(const MapSeries& series, std::size_t number, Point corner,
                const std::string& title) {
    const HeatMap& map = series.maps[number];
    const double column = cell_of(map.columns());
    const Point origin{corner.x + kMapLeft, corner.y + kMapAbove};
    svg_.text({origin.x, corner.y + 26}, title, {.bold = true});
    svg_.rectangle({origin.x, origin.y, width_of(series), row_ * maps_.ranks}, "#e4e4e4");
    Cells cells(false);
    for (std::size_t i = 0; i < map.values().size(); ++i) {
      if (map.values()[i] == 0) continue;
      cells.add(static_cast<int>(i % map.columns()), static_cast<int>(i / map.columns()),
                shade_of(map.values()[i], series.scale));
    }
    cells.draw(svg_, origin, column, row_, "map");
    label_columns(series, column, origin);
    label_rows(origin);
  }

  void label_columns(const MapSeries& series, double width, Point origin) {
    const auto every = static_cast<std::size_t>(label_every(width, kLabelRoom));
    for (std::size_t column = 0; column < series.columns.size(); column += every) {
      svg_.text({origin.x + (static_cast<double>(column) + 0.5) * width, origin.y - 4},
                std::to_string(series.columns[column]), {.size = 10, .anchor = Anchor::middle});
    }
  }

  void label_rows(Point origin) {
    for (Rank rank = 0; rank < maps_.ranks; rank += label_every(row_, kLabelRoom)) {
      svg_.text({origin.x - 4, origin.y + (rank + 0.5) * row_ + 3.5}, std::to_string(rank),
                {.size = 10, .anchor = Anchor::end});
    }
  }

  /// One of a few shades, so that neighbours often have the same one.
  [[nodiscard]] static Colour shade_of(double value, const Scale& scale) {
    return shade(std::round(scale.position(value) * (kMapShades - 1)) / (kMapShades - 1));
  }

  const StageMaps& maps_;
  double row_;     ///< height of a cell
  double width_;   ///< of a map, with what stands around it
  double height_;  ///< likewise
  Svg svg_;
};

}  // namespace

std::vector<Rank> all_ranks(Rank ranks) {
  std::vector<Rank> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::pair<double, double> range_of(const std::vector<HeatMap>& maps) {
  double least = 0;
  double most = 0;
  for (const HeatMap& map : maps) {
    for (const double value : map.values()) {
      if (value > 0 && (least == 0 || value < least)) least = value;
      most = std::max(most, value);
    }
  }
  return {least, most};
}

void check_drawn_maps(const std::string& name, Rank ranks, int stages) {
  check_drawn_ranks(ranks);
  if (stages > kMostDrawnStages) {
    throw Error(ErrorKind::argument,
                fmt::format("{} has {} stages, which is too many to draw; {} can be", name, stages,
                            kMostDrawnStages));
  }
}

std::string draw_stage_maps(const StageMaps& maps) { return StageMapsDrawing(maps).draw(); }

}  // namespace shunt
