// Pictures of exchanges: what is in them is what the schedules, the flows and the timelines say.
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/flow/flow.hpp"
#include "lab/flow/link_flow.hpp"
#include "lab/picture/cells.hpp"
#include "lab/picture/colour.hpp"
#include "lab/picture/gantt_picture.hpp"
#include "lab/picture/link_picture.hpp"
#include "lab/picture/schedule_picture.hpp"
#include "lab/picture/traffic_picture.hpp"
#include "lab/traffic/patterns.hpp"
#include "pure/function_traffic.hpp"
#include "pure/occurrences.hpp"
#include "pure/picture_contents.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::cells_in;
using test::expect_error;
using test::messages_of;
using test::occurrences;

TEST(SchedulePicture, HasACellForEveryMessage) {
  for (const Rank ranks : {1, 4, 8, 36, 61}) {
    for (const std::string& name : algorithm_names(ranks)) {
      const auto algorithm = make_algorithm(name, ranks, 1);
      const std::string picture = draw_schedule(*algorithm, nullptr);
      const int messages = messages_of(*algorithm);
      EXPECT_EQ(occurrences(picture, "h.92"), messages) << name << " " << ranks;
      EXPECT_GE(occurrences(picture, "class=\"messages\""), algorithm->stages()) << name;
    }
  }
}

TEST(SchedulePicture, OnNodesHasTheirColours) {
  const Machine machine = Machine::of_sizes(std::array<Rank, 3>{1, 2, 3});
  const auto algorithm = make_algorithm("node-pairwise", machine, 1);
  const std::string picture = draw_schedule(*algorithm, &machine);
  EXPECT_EQ(occurrences(picture, "h.92"), 36);
  EXPECT_EQ(occurrences(picture, ">to node 2<"), 1);
  // What is sent to node 0 comes from its 5 ranks of other nodes.
  const std::string path = "stroke=\"" + kind_colour(0, 3).hex() + "\"";
  const std::size_t end = picture.find(path);
  const std::size_t begin = picture.rfind("<path", end);
  EXPECT_EQ(occurrences(picture.substr(begin, end - begin), "h.92"), 5);
}

/// 31 ranks on random nodes need more steps than a line has room for.
TEST(SchedulePicture, GoesOnBelowWhereItIsTooWide) {
  const Machine machine = Machine::of_sizes(std::array<Rank, 4>{16, 9, 4, 2});
  const auto algorithm = make_algorithm("node-pairwise", machine, 1);
  const std::string picture = draw_schedule(*algorithm, &machine);
  EXPECT_GT(occurrences(picture, ">rank<"), 1);
  EXPECT_EQ(occurrences(picture, "h.92"), 31 * 31);
}

TEST(SchedulePicture, RefusesWhatIsTooLarge) {
  expect_error(ErrorKind::argument, "257 ranks are too many to draw; 256 can be", [] {
    static_cast<void>(draw_schedule(*make_algorithm("linear", 257, 1), nullptr));
  });
  const Machine machine = Machine::blocked(128, 16);
  const auto algorithm = make_algorithm("node-pairwise", machine, 1);
  expect_error(ErrorKind::argument, "steps, which is too many to draw; 1024 can be",
               [&] { static_cast<void>(draw_schedule(*algorithm, &machine)); });
}

TEST(Cells, AreJoinedInTheirRowsOnly) {
  const Colour colour = shade(0);
  Cells joined(false);
  Cells apart(true);
  for (Cells* cells : {&joined, &apart}) {
    cells->add(0, 0, colour);
    cells->add(1, 0, colour);
    cells->add(2, 1, colour);
    cells->add(4, 1, colour);
  }
  Svg svg;
  joined.draw(svg, {0, 0}, 10, 10, "joined");
  apart.draw(svg, {0, 0}, 10, 10, "apart");
  const std::string picture = svg.finish(1, 1, "");
  EXPECT_EQ(occurrences(picture, "d=\"M0 0h2M2 1h1M4 1h1\""), 1);
  EXPECT_EQ(occurrences(picture, "d=\"M0 0h.92M1 0h.92M2 1h.92M4 1h.92\""), 1);
}

TEST(TrafficPicture, HasACellForEverythingHeldAndSent) {
  const Rank ranks = 23;
  for (const std::string& name : algorithm_names(ranks)) {
    if (name.starts_with("groups")) continue;
    const auto algorithm = make_algorithm(name, ranks, 8);
    const FunctionTraffic traffic("sparse", ranks, [](Rank i, Rank j) {
      return scrambled(i, j, 2, 5) == 0 ? scrambled(i, j, 3, 5000) : 0;
    });
    Bytes cells = 0;
    const auto flows =
        follow_traffic(*algorithm, traffic, 8, [&](int, Rank, std::span<const Bytes> held) {
          cells += std::ssize(held) - std::ranges::count(held, 0);
        });
    for (const StageFlow& flow : flows) {
      cells += std::ranges::count_if(flow.messages, [](auto& m) { return m.bytes > 0; });
    }
    for (const Spacing spacing : {Spacing::linear, Spacing::logarithmic}) {
      const std::string picture = draw_traffic(*algorithm, traffic, 8, spacing);
      EXPECT_EQ(cells_in(picture), cells) << name;
      EXPECT_EQ(occurrences(picture, "class=\"map\""), 2 * algorithm->stages() + 1) << name;
    }
  }
}

TEST(TrafficPicture, RefusesWhatIsTooLarge) {
  const auto uniform = make_traffic("uniform", {.ranks = 256, .maximum = 1});
  expect_error(ErrorKind::argument, "has 128 stages, which is too many to draw; 64 can be", [&] {
    static_cast<void>(
        draw_traffic(*make_algorithm("torus-ring", 256, 1), *uniform, 1, Spacing::linear));
  });
  expect_error(ErrorKind::argument, "1000 ranks are too many to draw", [&] {
    static_cast<void>(
        draw_traffic(*make_algorithm("linear", 1000, 1), *uniform, 1, Spacing::linear));
  });
}

TEST(TrafficPicture, OfNothingIsEmpty) {
  const auto nothing = make_traffic("zero", {.ranks = 5});
  const std::string picture =
      draw_traffic(*make_algorithm("linear", 5, 1), *nothing, 8, Spacing::logarithmic);
  EXPECT_EQ(cells_in(picture), 0);
}

/// Follows blocks of one byte on a ring of 5 by hand: links carry what lies 1 and 2 ahead.
TEST(LinkPicture, NamesTheBusiestLink) {
  const FunctionTraffic from_0("from 0", 5, [](Rank i, Rank) { return Bytes{i == 0 ? 1000 : 0}; });
  const auto ring = make_algorithm("torus-ring-pipeline", 5, 1);
  const LinkFlow flow = follow_links(*ring, from_0, 1);
  EXPECT_EQ(flow.links, (std::vector<Bytes>{2000, 2000, 1000, 0, 0, 0, 0, 0, 0, 1000}));
  const std::string picture = draw_links(*ring, from_0, 1);
  EXPECT_EQ(occurrences(picture, "class=\"link\""), 10);
  EXPECT_EQ(occurrences(picture,
                        "busiest link: 2000 bytes, from rank 0 to rank 1; "
                        "mean of the 4 links used: 1500 bytes"),
            1);
}

TEST(LinkPicture, ColoursTheLinkThatIsUsed) {
  const FunctionTraffic forward("to 1", 5, [](Rank i, Rank j) { return Bytes{i == 0 && j == 1}; });
  const std::string picture = draw_links(*make_algorithm("torus-ring-pipeline", 5, 1), forward, 8);
  EXPECT_EQ(occurrences(picture, "stroke=\"" + shade(1).hex()), 1);
  EXPECT_EQ(occurrences(picture, "stroke=\"" + std::string(kFaint)), 9);
}

TEST(LinkPicture, HasEveryLinkOfTheTorus) {
  for (const auto& [name, ranks, links] : {std::tuple{"torus:8x8", 64, 256},
                                           {"torus-split:5x7", 35, 140},
                                           {"torus-split:4x4x4", 64, 384},
                                           {"torus-split:2x3x4x3", 72, 576},
                                           {"torus-split:1x6", 6, 12},
                                           {"torus-ring", 16, 32}}) {
    const auto algorithm = make_algorithm(name, ranks, 1);
    const auto traffic = make_traffic("uniform", {.ranks = ranks, .maximum = 1});
    const LinkFlow flow = follow_links(*algorithm, *traffic, 48);
    EXPECT_EQ(std::accumulate(flow.links.begin(), flow.links.end(), Bytes{0}), flow.travelled);
    const std::string picture = draw_links(*algorithm, *traffic, 48);
    EXPECT_EQ(occurrences(picture, "class=\"link\""), links) << name;
    EXPECT_EQ(occurrences(picture, "busiest link: " + std::to_string(std::ranges::max(flow.links)) +
                                       " bytes"),
              1)
        << name;
  }
}

TEST(LinkPicture, RefusesWhatHasNoLinksToDraw) {
  const auto traffic = make_traffic("uniform", {.ranks = 32, .maximum = 1});
  expect_error(ErrorKind::argument, "linear is not made for the links of a torus", [&] {
    static_cast<void>(draw_links(*make_algorithm("linear", 32, 1), *traffic, 1));
  });
  expect_error(
      ErrorKind::argument, "a torus of 5 dimensions cannot be drawn; one of 4 can be", [&] {
        static_cast<void>(draw_links(*make_algorithm("torus-split:2x2x2x2x2", 32, 1), *traffic, 1));
      });
}

TEST(GanttPicture, HasABarForEveryMessage) {
  // Rank 0 sends to 1 and 2 at once, and then to 1 again.
  const Timeline timeline{3,
                          2,
                          4e-6,
                          {{0, 0, 1, 100, 0, 2e-6},
                           {0, 0, 2, 100, 0, 1e-6},
                           {1, 0, 1, 100, 2e-6, 4e-6},
                           {0, 2, 2, 0, 0, 0}}};
  const std::string picture = draw_gantt(timeline, "three ranks");
  EXPECT_EQ(occurrences(picture, "class=\"message\""), 4);
  EXPECT_EQ(occurrences(picture, ">4 us<"), 1);
  // The first row is shared by two bars, of half its height, and half the width is the first one's.
  EXPECT_EQ(occurrences(picture, "height=\"8\""), 3);
  EXPECT_EQ(occurrences(picture, "width=\"479.4\" height=\"8\""), 2);
  EXPECT_EQ(occurrences(picture, ">stage 2<"), 1);
}

TEST(GanttPicture, RefusesWhatIsTooLarge) {
  const Timeline timeline{1000, 1, 1, {}};
  expect_error(ErrorKind::argument, "1000 ranks are too many to draw",
               [&] { static_cast<void>(draw_gantt(timeline, "")); });
}

}  // namespace
}  // namespace shunt
