#include "lab/picture/schedule_picture.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "lab/flow/torus_links.hpp"
#include "lab/picture/cells.hpp"
#include "lab/picture/frame.hpp"
#include "lab/picture/limits.hpp"
#include "model/counted.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr int kMostDrawnSteps = 1024;
/// Beyond this many ranks cells are small and have no numbers.
constexpr Rank kMostNumbered = 100;
constexpr int kMostNamedNodes = 16;
constexpr Colour kInside{222, 222, 222};  ///< to oneself, and inside a node
constexpr double kCellTextSize = 9;
constexpr double kStageGap = 12;
constexpr double kWidestSteps = 1800;  ///< pixels of steps side by side; others follow below
constexpr int kMostListedStages = 8;
constexpr double kHead = 44;  ///< for the names of stages and the numbers of steps

/// What a message's colour says: how far it goes, or to which node.
class Colouring {
 public:
  Colouring(Rank ranks, const Machine* machine, const Extents* torus)
      : torus_(torus), machine_(machine), ranks_(ranks) {
    if (machine_ != nullptr) return;
    for (Rank to = 0; to < ranks_; ++to) farthest_ = std::max(farthest_, distance(0, to));
  }

  [[nodiscard]] Colour of(Rank from, Rank to) const {
    if (from == to) return kInside;
    if (machine_ == nullptr) return shade(static_cast<double>(distance(from, to)) / farthest_);
    const Rank node = machine_->node_of(to);
    return node == machine_->node_of(from) ? kInside : kind_colour(node, machine_->nodes());
  }

  /// `itself`: whether ranks have messages to themselves.
  double draw_legend_at(Svg& svg, Point at, double right, bool itself) const {
    if (machine_ == nullptr) {
      const Scale scale(Spacing::linear, 0, farthest_, Unit::none);
      const char* const unit = torus_ != nullptr ? "links" : "ranks";
      return draw_shades(
          svg, at, std::min(320.0, right - at.x), scale,
          fmt::format("the receiver is so many {} away{}", unit, itself ? "; grey: itself" : ""));
    }
    std::vector<LegendEntry> entries{{"to its own node", kInside}};
    if (machine_->nodes() > kMostNamedNodes) {
      const double height = draw_legend(svg, at, right, entries);
      return height + draw_shades(svg, {at.x, at.y + height}, std::min(320.0, right - at.x),
                                  {Spacing::linear, 0, machine_->nodes() - 1.0, Unit::none},
                                  "to this node");
    }
    for (Rank node = 0; node < machine_->nodes(); ++node) {
      entries.push_back({fmt::format("to node {}", node), kind_colour(node, machine_->nodes())});
    }
    return draw_legend(svg, at, right, entries);
  }

 private:
  [[nodiscard]] Rank distance(Rank from, Rank to) const {
    if (torus_ != nullptr) return torus_distance(*torus_, from, to);
    const Rank ahead = (to - from + ranks_) % ranks_;
    return std::min(ahead, ranks_ - ahead);
  }

  const Extents* torus_;
  const Machine* machine_;
  Rank ranks_;
  Rank farthest_ = 1;
};

/// Steps of a stage that are side by side.
struct Part {
  int stage;
  int first;  ///< step, from 1
  int last;
  double left;  ///< pixels from the first step of its line
};

/// All steps in lines that are not too long, also where a stage has to be parted for it.
template <class Staged>
std::vector<std::vector<Part>> lines_of(const Staged& algorithm, double width) {
  std::vector<std::vector<Part>> lines(1);
  double left = 0;
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    for (int first = 1; first <= algorithm.step_count(stage);) {
      const int room = static_cast<int>((kWidestSteps - left) / width);
      if (room < 1) {
        lines.emplace_back();
        left = 0;
        continue;
      }
      const int last = std::min(algorithm.step_count(stage), first + room - 1);
      lines.back().push_back({stage, first, last, left});
      left += (last - first + 1) * width;
      first = last + 1;
    }
    left += kStageGap;
  }
  std::erase_if(lines, [](const auto& parts) { return parts.empty(); });
  return lines;
}

/// Draws the schedule of an Algorithm or of an Allgather.
template <class Staged>
class ScheduleDrawing {
 public:
  /// `sources` is null where all ranks are alike.
  ScheduleDrawing(const Staged& algorithm, const Machine* machine, const Extents* torus,
                  const Sources* sources)
      : algorithm_(algorithm),
        machine_(machine),
        sources_(sources),
        colouring_(algorithm.ranks(), machine, torus) {
    check_drawn_ranks(algorithm.ranks());
    if (algorithm.start_ups() > kMostDrawnSteps) {
      throw Error(ErrorKind::argument,
                  fmt::format("{} has {} steps, which is too many to draw; {} can be",
                              algorithm.name(), algorithm.start_ups(), kMostDrawnSteps));
    }
    const auto digits = static_cast<double>(std::to_string(algorithm.ranks() - 1).size());
    if (numbered()) {
      width_ = std::max(16.0, digits * 5.6 + 6);
      height_ = 14;
    }
    order_rows();
    lines_ = lines_of(algorithm, width_);
  }

  [[nodiscard]] std::string draw() {
    const std::string title = fmt::format("The schedule of {} on {}", algorithm_.name(),
                                          counted(algorithm_.ranks(), "rank"));
    const std::string line = fmt::format(
        "{}{}{}{}{}", machine_ != nullptr ? counted(machine_->nodes(), "node") + ", " : "",
        sources_ != nullptr ? counted(sources_->count(), "source") + ", " : "",
        counted(algorithm_.start_ups(), "step"),
        numbered() ? "; the number in a cell is the rank that the message goes to" : "",
        sources_ != nullptr ? "; a bar at the left: a source" : "");
    const std::string stages = stage_list();
    const double left = kMargin + (machine_ != nullptr ? 92 : 34);
    double right = std::max(title_width(title, line), title_width(title, stages));
    for (const std::vector<Part>& parts : lines_) {
      right = std::max(right, left + parts.back().left + width_of(parts.back()) + kMargin);
    }
    double top = draw_title(svg_, title, line) + 4;
    if (!stages.empty()) {
      svg_.text({kMargin, top}, stages);
      top += 12;
    }
    top += colouring_.draw_legend_at(svg_, {kMargin, top}, right - kMargin, sources_ == nullptr);
    for (const std::vector<Part>& parts : lines_) {
      top += kHead;
      for (const Part& part : parts) draw_part(part, {left + part.left, top});
      draw_row_labels({left, top}, left + parts.back().left + width_of(parts.back()));
      top += height_ * algorithm_.ranks();
    }
    return svg_.finish(right, top + kMargin, title);
  }

 private:
  [[nodiscard]] bool numbered() const { return algorithm_.ranks() <= kMostNumbered; }

  void order_rows() {
    if (machine_ == nullptr) {
      for (Rank rank = 0; rank < algorithm_.ranks(); ++rank) rows_.push_back(rank);
      return;
    }
    for (Rank node = 0; node < machine_->nodes(); ++node) {
      rows_.insert(rows_.end(), machine_->ranks_of(node).begin(), machine_->ranks_of(node).end());
    }
  }

  [[nodiscard]] double width_of(const Part& part) const {
    return (part.last - part.first + 1) * width_;
  }

  [[nodiscard]] std::string stage_name(int stage) const {
    return fmt::format("{} {}", stage + 1, algorithm_.stage_name(stage));
  }

  [[nodiscard]] bool has_room(const Part& part) const {
    return text_width(stage_name(part.stage), 11) <= width_of(part) + kStageGap - 4;
  }

  /// The names of the stages, where one has no room above its steps, and they are few.
  [[nodiscard]] std::string stage_list() const {
    const bool all_fit = std::ranges::all_of(lines_, [&](const auto& parts) {
      return std::ranges::all_of(parts, [&](const Part& part) { return has_room(part); });
    });
    if (all_fit || algorithm_.stages() > kMostListedStages) return "";
    std::vector<std::string> names;
    for (int stage = 0; stage < algorithm_.stages(); ++stage) names.push_back(stage_name(stage));
    return fmt::format("stages: {}", fmt::join(names, "; "));
  }

  void draw_part(const Part& part, Point corner) {
    svg_.rectangle({corner.x, corner.y, width_of(part), height_ * algorithm_.ranks()}, kEmpty);
    draw_head(part, corner);
    Cells cells(true);
    constexpr std::array<std::string_view, 2> inks{kInk, kPaper};
    std::array<std::vector<std::pair<Point, Rank>>, 2> numbers;  // by ink
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (const Step& step : algorithm_.steps(part.stage, rows_[row])) {
        const bool shown = step.number >= part.first && step.number <= part.last;
        if (step.to == kNoRank || !shown) continue;
        const Colour colour = colouring_.of(rows_[row], step.to);
        cells.add(step.number - part.first, static_cast<int>(row), colour);
        const Point middle{corner.x + (step.number - part.first + 0.5) * width_,
                           corner.y + (static_cast<double>(row) + 0.5) * height_ + 3.2};
        numbers[colour.ink() == kInk ? 0 : 1].emplace_back(middle, step.to);
      }
    }
    cells.draw(svg_, corner, width_, height_, "messages");
    if (!numbered()) return;
    for (std::size_t ink = 0; ink < inks.size(); ++ink) {
      svg_.begin_group(
          fmt::format("class=\"receivers\" font-size=\"{}\" text-anchor=\"middle\" "
                      "fill=\"{}\"",
                      kCellTextSize, inks[ink]));
      for (const auto& [place, rank] : numbers[ink]) svg_.text(place, std::to_string(rank));
      svg_.end_group();
    }
  }

  /// The stage's name where there is room for it, else its number; and the steps.
  void draw_head(const Part& part, Point corner) {
    const double width = width_of(part);
    const bool fits = has_room(part);
    svg_.text({fits ? corner.x : corner.x + width / 2, corner.y - 26},
              fits ? stage_name(part.stage) : std::to_string(part.stage + 1),
              {.size = 11, .anchor = fits ? Anchor::start : Anchor::middle, .bold = true});
    svg_.line({corner.x, corner.y - 20}, {corner.x + width, corner.y - 20}, {});
    const int every = label_every(width_, text_width(std::to_string(part.last), kCellTextSize) + 4);
    for (int step = part.first; step <= part.last; ++step) {
      if (step > 1 && step % every != 0) continue;
      svg_.text({corner.x + (step - part.first + 0.5) * width_, corner.y - 6}, std::to_string(step),
                {.size = kCellTextSize, .anchor = Anchor::middle});
    }
  }

  void draw_row_labels(Point corner, double right) {
    const int every = label_every(height_, 11);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (sources_ != nullptr && sources_->is_source(rows_[row])) {
        svg_.rectangle(
            {corner.x - 4, corner.y + static_cast<double>(row) * height_ + 0.5, 3, height_ - 1},
            kInk, "source");
      }
      if (row % static_cast<std::size_t>(every) != 0) continue;
      svg_.text({corner.x - 6, corner.y + (static_cast<double>(row) + 0.5) * height_ + 3.5},
                std::to_string(rows_[row]), {.size = 10, .anchor = Anchor::end});
    }
    svg_.text({corner.x - 6, corner.y - 6}, "rank", {.size = 10, .anchor = Anchor::end});
    if (machine_ == nullptr) return;
    double y = corner.y;
    double labelled = y - 100;
    for (Rank node = 0; node < machine_->nodes(); ++node) {
      if (node > 0) svg_.line({kMargin, y}, {right, y}, {.colour = "#888888"});
      const double middle = y + machine_->size_of(node) * height_ / 2 + 3.5;
      if (middle - labelled >= 12) {
        svg_.text({kMargin, middle}, fmt::format("node {}", node), {.size = 10, .bold = true});
        labelled = middle;
      }
      y += machine_->size_of(node) * height_;
    }
  }

  const Staged& algorithm_;
  const Machine* machine_;  ///< null: every rank is a node
  const Sources* sources_;
  Colouring colouring_;
  std::vector<Rank> rows_;                ///< by row: its rank
  std::vector<std::vector<Part>> lines_;  ///< one below the other
  double width_ = 7;                      ///< of a cell
  double height_ = 6;
  Svg svg_;
};

}  // namespace

std::string draw_schedule(const Algorithm& algorithm, const Machine* machine) {
  return ScheduleDrawing(algorithm, machine, algorithm.link_contention_free_on(), nullptr).draw();
}

std::string draw_schedule(const Allgather& allgather, const Machine* machine,
                          const Extents* torus) {
  return ScheduleDrawing(allgather, machine, torus, &allgather.sources()).draw();
}

}  // namespace shunt
