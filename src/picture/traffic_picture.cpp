#include "picture/traffic_picture.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "picture/cells.hpp"
#include "picture/frame.hpp"
#include "picture/limits.hpp"
#include "routing/flow.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr int kMostStages = 64;
constexpr std::size_t kAbreast = 5;
constexpr double kMapSize = 240;  ///< about; a whole number of pixels a rank
constexpr double kLargestCell = 24;
constexpr double kLeft = 40;   ///< of a map, for its rows' labels
constexpr double kAbove = 50;  ///< of a map, for its title and its columns' labels
constexpr double kGap = 14;
constexpr int kShades = 32;

/// Bytes by row and column.
class Matrix {
 public:
  explicit Matrix(Rank ranks)
      : ranks_(ranks), bytes_(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)) {}

  Bytes& at(Rank row, Rank column) {
    return bytes_[static_cast<std::size_t>(row) * static_cast<std::size_t>(ranks_) +
                  static_cast<std::size_t>(column)];
  }
  [[nodiscard]] Rank ranks() const { return ranks_; }
  [[nodiscard]] const std::vector<Bytes>& bytes() const { return bytes_; }

 private:
  Rank ranks_;
  std::vector<Bytes> bytes_;
};

/// All that is drawn.
struct Maps {
  std::vector<Matrix> held;      ///< by the number of stages that are over: rank, destination
  std::vector<Matrix> messages;  ///< by stage: sender, receiver
};

Maps maps_of(const Algorithm& algorithm, const Traffic& traffic, Bytes element) {
  const Rank ranks = algorithm.ranks();
  const auto stages = static_cast<std::size_t>(algorithm.stages());
  Maps maps{std::vector<Matrix>(stages + 1, Matrix(ranks)), {}};
  const auto flows =
      follow_traffic(algorithm, traffic, element,
                     [&](int stages_over, Rank destination, std::span<const Bytes> held) {
                       Matrix& map = maps.held[static_cast<std::size_t>(stages_over)];
                       for (Rank rank = 0; rank < ranks; ++rank) {
                         map.at(rank, destination) = held[static_cast<std::size_t>(rank)];
                       }
                     });
  for (const StageFlow& flow : flows) {
    maps.messages.emplace_back(ranks);
    for (const FlowMessage& message : flow.messages) {
      maps.messages.back().at(message.from, message.to) += message.bytes;
    }
  }
  return maps;
}

Scale scale_of(const Maps& maps, Spacing spacing) {
  Bytes least = 0;
  Bytes most = 0;
  for (const auto* const group : {&maps.held, &maps.messages}) {
    for (const Matrix& map : *group) {
      for (const Bytes bytes : map.bytes()) {
        if (bytes > 0 && (least == 0 || bytes < least)) least = bytes;
        most = std::max(most, bytes);
      }
    }
  }
  return {spacing, static_cast<double>(least), static_cast<double>(most), Unit::bytes};
}

class TrafficDrawing {
 public:
  TrafficDrawing(const Algorithm& algorithm, Maps maps, Spacing spacing)
      : algorithm_(algorithm),
        maps_(std::move(maps)),
        scale_(scale_of(maps_, spacing)),
        cell_(std::clamp(std::round(kMapSize / algorithm.ranks()), 1.0, kLargestCell)),
        // Titles need room that few ranks do not.
        width_(std::max(kLeft + cell_ * algorithm.ranks(), 190.0) + kGap),
        height_(kAbove + cell_ * algorithm.ranks() + kGap) {}

  [[nodiscard]] std::string draw(const std::string& traffic) {
    const std::string title =
        fmt::format("{} under {} on {} ranks", traffic, algorithm_.name(), algorithm_.ranks());
    const std::string line =
        "Above: bytes that a rank (row) holds for a destination (column). Below: the messages of a "
        "stage.";
    const std::size_t columns = std::min(kAbreast, maps_.held.size());
    const double right =
        std::max(2 * kMargin + static_cast<double>(columns) * width_, title_width(title, line));
    double top = draw_title(svg_, title, line);
    top += draw_shades(svg_, {kMargin, top}, 320, scale_, "bytes; grey: nothing") + 12;
    for (std::size_t over = 0; over < maps_.held.size(); ++over) {
      const std::size_t band = over / kAbreast;
      const Point corner{kMargin + static_cast<double>(over % kAbreast) * width_,
                         top + static_cast<double>(band) * 2 * height_};
      draw_map(maps_.held[over], corner,
               over == 0 ? "before" : fmt::format("after stage {}", over));
      if (over == 0) continue;
      draw_map(maps_.messages[over - 1], {corner.x, corner.y + height_}, stage_title(over));
    }
    const std::size_t bands = (maps_.held.size() - 1) / kAbreast + 1;
    return svg_.finish(right, top + static_cast<double>(bands) * 2 * height_ + 4, title);
  }

 private:
  /// Of stage `number`, from 1: its name too, if it has room.
  [[nodiscard]] std::string stage_title(std::size_t number) const {
    const std::string name =
        fmt::format("{}: {}", number, algorithm_.stage_name(static_cast<int>(number) - 1));
    return text_width(name, 12) <= width_ - kLeft ? name : fmt::format("stage {}", number);
  }

  void draw_map(const Matrix& map, Point corner, const std::string& title) {
    const Point origin{corner.x + kLeft, corner.y + kAbove};
    const double size = cell_ * map.ranks();
    svg_.text({origin.x, corner.y + 26}, title, {.bold = true});
    svg_.rectangle({origin.x, origin.y, size, size}, "#e4e4e4");
    Cells cells(false);
    for (std::size_t i = 0; i < map.bytes().size(); ++i) {
      if (map.bytes()[i] == 0) continue;
      const auto ranks = static_cast<std::size_t>(map.ranks());
      cells.add(static_cast<int>(i % ranks), static_cast<int>(i / ranks), shade_of(map.bytes()[i]));
    }
    cells.draw(svg_, origin, cell_, cell_, "map");
    const int every = label_every(cell_, 24);
    for (Rank rank = 0; rank < map.ranks(); rank += every) {
      const double middle = (rank + 0.5) * cell_;
      svg_.text({origin.x + middle, origin.y - 4}, std::to_string(rank),
                {.size = 10, .anchor = Anchor::middle});
      svg_.text({origin.x - 4, origin.y + middle + 3.5}, std::to_string(rank),
                {.size = 10, .anchor = Anchor::end});
    }
  }

  /// One of a few shades, so that neighbours often have the same one.
  [[nodiscard]] Colour shade_of(Bytes bytes) const {
    const double position = scale_.position(static_cast<double>(bytes));
    return shade(std::round(position * (kShades - 1)) / (kShades - 1));
  }

  const Algorithm& algorithm_;
  Maps maps_;
  Scale scale_;
  double cell_;
  double width_;   ///< of a map, with what stands around it
  double height_;  ///< likewise
  Svg svg_;
};

}  // namespace

std::string draw_traffic(const Algorithm& algorithm, const Traffic& traffic, Bytes element,
                         Spacing spacing) {
  check_drawn_ranks(algorithm.ranks());
  if (algorithm.stages() > kMostStages) {
    throw Error(ErrorKind::argument,
                fmt::format("{} has {} stages, which is too many to draw; {} can be",
                            algorithm.name(), algorithm.stages(), kMostStages));
  }
  return TrafficDrawing(algorithm, maps_of(algorithm, traffic, element), spacing)
      .draw(traffic.name());
}

}  // namespace shunt
