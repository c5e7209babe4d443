#include "lab/picture/link_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "lab/flow/link_flow.hpp"
#include "lab/picture/frame.hpp"
#include "lab/picture/limits.hpp"
#include "model/counted.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr int kMostDimensions = 4;
constexpr double kPitch = 48;  ///< between neighbours
constexpr double kRadius = 9;
constexpr double kWidth = 4;    ///< of a stroke
constexpr double kAside = 3.5;  ///< between a link and the middle of its way
constexpr double kTip = 5;      ///< of an arrow
constexpr double kPlaneGap = 30;
constexpr double kWidestPlanes = 1100;  ///< pixels of planes side by side

/// Where a link of a dimension points to: forward, in steps of the pitch. The last dimension goes
/// right, the one before it down, others aslant.
Point direction_of(int from_last) {
  constexpr std::array<Point, kMostDimensions> kDirections{
      {{1, 0}, {0, 1}, {0.62, -0.62}, {0.62, 0.62}}};
  return kDirections[static_cast<std::size_t>(from_last)];
}

class LinkDrawing {
 public:
  LinkDrawing(const Extents& torus, Rim rim, const LinkFlow& flow)
      : torus_(torus),
        rim_(rim),
        flow_(flow),
        rows_(torus.dimensions() > 1 ? torus.extent(torus.dimensions() - 2) : 1),
        columns_(torus.extent(torus.dimensions() - 1)),
        title_height_(torus.dimensions() > 2 ? 24 : 0),
        scale_(Spacing::linear, 0, static_cast<double>(std::ranges::max(flow.links)), Unit::bytes) {
  }

  [[nodiscard]] std::string draw(const std::string& title) {
    const std::string line = busiest_text();
    const Rank planes = torus_.ranks() / (rows_ * columns_);
    const double plane_width = (columns_ + 1) * kPitch + kPlaneGap;
    const double plane_height = (rows_ + 1) * kPitch + title_height_;
    const Rank abreast =
        std::clamp(static_cast<Rank>(kWidestPlanes / plane_width), Rank{1}, planes);
    const double right =
        std::max(2 * kMargin + abreast * plane_width - kPlaneGap, title_width(title, line));
    double top = draw_title(svg_, title, line);
    top += draw_shades(svg_, {kMargin, top}, 320, scale_, "bytes of a link, over all stages");
    for (Rank plane = 0; plane < planes; ++plane) {
      const Rank row = plane / abreast;
      draw_plane(plane, {kMargin + plane % abreast * plane_width,
                         top + row * plane_height + title_height_});
    }
    const Rank rows = (planes - 1) / abreast + 1;
    const double bottom = top + rows * plane_height;
    return svg_.finish(right, bottom, title);
  }

 private:
  /// The first busiest link and the bytes that it carries, beside the mean of all.
  [[nodiscard]] std::string busiest_text() const {
    const auto place = std::ranges::find(flow_.links, std::ranges::max(flow_.links));
    const auto link = static_cast<int>(place - flow_.links.begin());
    const int dimension = link / 2 % torus_.dimensions();
    const Rank from = link / 2 / torus_.dimensions();
    const Rank to = torus_.neighbour(from, dimension, link % 2 == 0 ? 1 : -1);
    const auto links = static_cast<double>(
        std::ranges::count_if(flow_.links, [](Bytes bytes) { return bytes > 0; }));
    return fmt::format(
        "busiest link: {} bytes, from rank {} to rank {}; mean of the {} links used: {:.0f} bytes",
        *place, from, to, links, links > 0 ? static_cast<double>(flow_.travelled) / links : 0.0);
  }

  void draw_plane(Rank plane, Point corner) {
    const Rank first = plane * rows_ * columns_;
    if (torus_.dimensions() > 2) {
      std::vector<Rank> place = torus_.coordinates(first);
      place.resize(place.size() - 2);
      svg_.text({corner.x, corner.y + 2}, fmt::format("plane {}", fmt::join(place, ", ")),
                {.bold = true});
    }
    auto at = [&](Rank rank) {
      const Rank row = (rank - first) / columns_;
      return Point{corner.x + (rank % columns_ + 1) * kPitch, corner.y + (row + 1) * kPitch};
    };
    for (Rank rank = first; rank < first + rows_ * columns_; ++rank) draw_links_of(rank, at(rank));
    for (Rank rank = first; rank < first + rows_ * columns_; ++rank) {
      svg_.circle(at(rank), kRadius, kEmpty);
      svg_.text({at(rank).x, at(rank).y + 3.5}, std::to_string(rank),
                {.size = 9.5, .anchor = Anchor::middle});
    }
  }

  void draw_links_of(Rank rank, Point at) {
    for (int dimension = 0; dimension < torus_.dimensions(); ++dimension) {
      if (torus_.extent(dimension) == 1) continue;
      const int from_last = torus_.dimensions() - 1 - dimension;
      const Rank coordinate = torus_.coordinate(rank, dimension);
      for (const int sign : {1, -1}) {
        const bool round = coordinate == (sign > 0 ? torus_.extent(dimension) - 1 : 0);
        if (round && rim_ == Rim::open) continue;
        // Over the rim, and out of the plane, a link is a stub.
        const double length = from_last > 1 ? 0.5 : round ? 0.6 : 1;
        draw_link(at, direction_of(from_last), sign, length * kPitch, from_last <= 1 && !round,
                  flow_.links[link_place(torus_, rank, dimension, sign)]);
      }
    }
  }

  /// Traffic keeps to the right, so that both ways are seen.
  void draw_link(Point at, Point direction, int sign, double length, bool whole, Bytes bytes) {
    const Point along{direction.x * sign, direction.y * sign};
    const double norm = std::hypot(along.x, along.y);
    const Point aside{-along.y / norm * kAside, along.x / norm * kAside};
    const double begin = kRadius - 1;
    const double end = whole ? length - kRadius - kTip : length;
    const std::string colour =
        bytes > 0 ? shade(scale_.position(static_cast<double>(bytes))).hex() : std::string(kFaint);
    const Point from{at.x + along.x * begin + aside.x, at.y + along.y * begin + aside.y};
    const Point to{at.x + along.x * end + aside.x, at.y + along.y * end + aside.y};
    svg_.line(from, to, {.colour = colour, .width = kWidth}, "link");
    const Point tip{to.x + along.x / norm * kTip, to.y + along.y / norm * kTip};
    svg_.polygon(std::array{tip, Point{to.x + aside.x * 1.1, to.y + aside.y * 1.1},
                            Point{to.x - aside.x * 1.1, to.y - aside.y * 1.1}},
                 colour);
  }

  const Extents& torus_;
  Rim rim_;
  const LinkFlow& flow_;
  Rank rows_;
  Rank columns_;
  double title_height_;  ///< of a plane, where there are several
  Scale scale_;
  Svg svg_;
};

/// `what` makes the traffic.
std::string draw(const Extents& torus, Rim rim, const LinkFlow& flow, const std::string& what) {
  if (torus.dimensions() > kMostDimensions) {
    throw Error(
        ErrorKind::argument,
        fmt::format("a {} of {} dimensions cannot be drawn; one of {} can be",
                    rim == Rim::closed ? "torus" : "mesh", torus.dimensions(), kMostDimensions));
  }
  const bool line = torus.dimensions() == 1;
  const char* const shape = rim == Rim::closed ? (line ? "ring" : "torus") : line ? "line" : "mesh";
  return LinkDrawing(torus, rim, flow)
      .draw(fmt::format("Links of a {} of {} under {}", shape, torus.name(), what));
}

}  // namespace

std::string draw_links(const Algorithm& algorithm, const Traffic& traffic, Bytes element) {
  check_drawn_ranks(algorithm.ranks());
  const LinkFlow flow = follow_links(algorithm, traffic, element);
  return draw(*algorithm.link_contention_free_on(), Rim::closed, flow,
              fmt::format("{}, {}", traffic.name(), algorithm.name()));
}

std::string draw_links(const Allgather& allgather, const Extents& array, Rim rim) {
  check_drawn_ranks(allgather.ranks());
  return draw(array, rim, follow_links(allgather, array, rim),
              fmt::format("an all-gather from {} of {}, {}", allgather.sources().count(),
                          counted(allgather.ranks(), "rank"), allgather.name()));
}

}  // namespace shunt
