#include "lab/picture/gantt_picture.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "lab/picture/frame.hpp"
#include "lab/picture/limits.hpp"
#include "model/counted.hpp"

namespace shunt {

namespace {

constexpr double kGanttLeft = 34;  ///< for the ranks' numbers
constexpr double kChartWidth = 960;
constexpr int kMostNamedStages = 16;

/// A message and the lane of its sender's row that it takes.
struct Bar {
  const Transfer* transfer;
  std::size_t lane;
};

/// The messages that one rank sends.
struct Row {
  std::vector<Bar> bars;
  std::size_t lanes = 1;
};

/// Each message takes the first lane that is free when it begins.
Row row_of(std::vector<const Transfer*> transfers) {
  std::ranges::sort(transfers, [](const Transfer* a, const Transfer* b) {
    return std::tie(a->begin, a->end, a->to) < std::tie(b->begin, b->end, b->to);
  });
  Row row;
  std::vector<double> free_from;  // by lane
  for (const Transfer* transfer : transfers) {
    auto lane =
        std::ranges::find_if(free_from, [&](double time) { return time <= transfer->begin; });
    if (lane == free_from.end()) lane = free_from.insert(lane, 0.0);
    *lane = transfer->end;
    row.bars.push_back({transfer, static_cast<std::size_t>(lane - free_from.begin())});
  }
  row.lanes = std::max<std::size_t>(1, free_from.size());
  return row;
}

class GanttDrawing {
 public:
  explicit GanttDrawing(const Timeline& timeline)
      : timeline_(timeline),
        scale_(Spacing::linear, 0, timeline.seconds, Unit::seconds),
        height_(timeline.ranks <= 32    ? 18
                : timeline.ranks <= 100 ? 12
                                        : 7) {
    std::vector<std::vector<const Transfer*>> sent(static_cast<std::size_t>(timeline.ranks));
    for (const Transfer& transfer : timeline.transfers) {
      sent[static_cast<std::size_t>(transfer.from)].push_back(&transfer);
    }
    for (auto& transfers : sent) rows_.push_back(row_of(std::move(transfers)));
  }

  [[nodiscard]] std::string draw(std::string_view name) {
    const std::string line = fmt::format(
        "{}, {}, {}; a bar is a message from its "
        "sender, the number in it its receiver",
        counted(timeline_.ranks, "rank"), counted(timeline_.transfers.size(), "message"),
        seconds_text(timeline_.seconds));
    const double right =
        std::max(2 * kMargin + kGanttLeft + kChartWidth + 20, title_width(name, line));
    double top = draw_title(svg_, name, line) + 4;
    top += draw_stages({kMargin, top}, right - kMargin) + 8;
    const Point corner{kMargin + kGanttLeft, top};
    draw_axis(corner);
    for (std::size_t rank = 0; rank < rows_.size(); ++rank) {
      draw_row(rows_[rank], {corner.x, corner.y + static_cast<double>(rank) * height_});
    }
    return svg_.finish(right, top + height_ * timeline_.ranks + 44, name);
  }

 private:
  [[nodiscard]] Colour colour_of(int stage) const { return kind_colour(stage, timeline_.stages); }

  double draw_stages(Point at, double right) {
    if (timeline_.stages > kMostNamedStages) {
      return draw_shades(svg_, at, 320, {Spacing::linear, 0, timeline_.stages + 0.0, Unit::none},
                         "stage");
    }
    std::vector<LegendEntry> entries;
    for (int stage = 0; stage < timeline_.stages; ++stage) {
      entries.push_back({fmt::format("stage {}", stage + 1), colour_of(stage)});
    }
    return draw_legend(svg_, at, right, entries);
  }

  void draw_axis(Point corner) {
    const double bottom = corner.y + height_ * timeline_.ranks;
    svg_.rectangle({corner.x, corner.y, kChartWidth, bottom - corner.y}, kEmpty);
    for (const Tick& tick : scale_.ticks(8)) {
      const double x = corner.x + kChartWidth * scale_.position(tick.value);
      svg_.line({x, corner.y}, {x, bottom + 5}, {.colour = "#b8b8b8"});
      svg_.text({x, bottom + 18}, tick.label, {.size = 11, .anchor = Anchor::middle});
    }
    svg_.text({corner.x + kChartWidth / 2, bottom + 34}, "time since the exchange began",
              {.anchor = Anchor::middle});
    const int every = label_every(height_, 12);
    for (Rank rank = 0; rank < timeline_.ranks; rank += every) {
      svg_.text({corner.x - 6, corner.y + (rank + 0.5) * height_ + 3.5}, std::to_string(rank),
                {.size = 10, .anchor = Anchor::end});
    }
  }

  void draw_row(const Row& row, Point corner) {
    const double lane_height = (height_ - 2) / static_cast<double>(row.lanes);
    for (const Bar& bar : row.bars) {
      const double begin = kChartWidth * scale_.position(bar.transfer->begin);
      const double width = kChartWidth * scale_.position(bar.transfer->end) - begin;
      const double top = corner.y + 1 + static_cast<double>(bar.lane) * lane_height;
      const Colour colour = colour_of(bar.transfer->stage);
      // A gap between bars, but never less than a hair of a bar.
      svg_.rectangle({corner.x + begin, top, std::max(width - 0.6, 0.4), lane_height}, colour.hex(),
                     "message");
      const std::string receiver = std::to_string(bar.transfer->to);
      const double size = std::min(10.0, lane_height);
      if (size >= 7 && text_width(receiver, size) + 2 <= width) {
        svg_.text({corner.x + begin + width / 2, top + lane_height / 2 + size * 0.36}, receiver,
                  {.size = size, .anchor = Anchor::middle, .ink = colour.ink()});
      }
    }
  }

  const Timeline& timeline_;
  Scale scale_;
  double height_;  ///< of a row
  std::vector<Row> rows_;
  Svg svg_;
};

}  // namespace

std::string draw_gantt(const Timeline& timeline, std::string_view name) {
  check_drawn_ranks(timeline.ranks);
  return GanttDrawing(timeline).draw(name);
}

}  // namespace shunt
