// Pictures of exchanges: what is in them is what the schedules, the flows and the timelines say.
#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/broadcast_registry.hpp"
#include "algorithms/registry.hpp"
#include "picture/cells.hpp"
#include "picture/colour.hpp"
#include "picture/gantt_picture.hpp"
#include "picture/holdings_picture.hpp"
#include "picture/link_picture.hpp"
#include "picture/schedule_picture.hpp"
#include "picture/traffic_picture.hpp"
#include "pure/function_traffic.hpp"
#include "pure/occurrences.hpp"
#include "routing/flow.hpp"
#include "routing/link_flow.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::expect_error;
using test::occurrences;

/// Of an Algorithm or a Broadcast.
template <class Staged>
int messages_of(const Staged& algorithm) {
  int messages = 0;
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    for (Rank rank = 0; rank < algorithm.ranks(); ++rank) {
      for (const Step& step : algorithm.steps(stage, rank)) {
        if (step.to != kNoRank) ++messages;
      }
    }
  }
  return messages;
}

/// The lengths of all runs of cells ("M3 5h12") added up.
int cells_in(const std::string& picture) {
  int cells = 0;
  for (std::size_t at = picture.find(" d=\"M"); at != std::string::npos;
       at = picture.find(" d=\"M", at + 1)) {
    const std::string path = picture.substr(at + 4, picture.find('"', at + 4) - at - 4);
    for (std::size_t h = path.find('h'); h != std::string::npos; h = path.find('h', h + 1)) {
      int length = 0;
      std::from_chars(path.data() + h + 1, path.data() + path.size(), length);
      cells += length;
    }
  }
  return cells;
}

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

TEST(SchedulePicture, OfABroadcastHasItsMessagesAndMarksItsSources) {
  const std::vector<Rank> few{1, 4, 17};
  const Sources sources = Sources::equal(20, few, 100);
  const Extents torus({4, 5});
  for (const std::string& name : broadcast_names(20)) {
    const auto broadcast = make_broadcast(name, sources);
    for (const Extents* const distances : {static_cast<const Extents*>(nullptr), &torus}) {
      const std::string picture = draw_schedule(*broadcast, nullptr, distances);
      EXPECT_EQ(occurrences(picture, "h.92"), messages_of(*broadcast)) << name;
      EXPECT_GE(occurrences(picture, "class=\"source\""), 3) << name;
      EXPECT_EQ(occurrences(picture, "class=\"source\"") % 3, 0) << name;
      EXPECT_EQ(occurrences(picture, distances != nullptr ? "links away" : "ranks away"), 1);
      EXPECT_EQ(occurrences(picture, "itself"), 0);
    }
  }
}

TEST(SchedulePicture, OnNodesHasTheirColours) {
  const Machine machine = Machine::of_sizes(std::array<Rank, 3>{1, 2, 3});
  const auto algorithm = make_algorithm("hierarchical-factor", machine, 1);
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
  const auto algorithm = make_algorithm("hierarchical-factor", machine, 1);
  const std::string picture = draw_schedule(*algorithm, &machine);
  EXPECT_GT(occurrences(picture, ">rank<"), 1);
  EXPECT_EQ(occurrences(picture, "h.92"), 31 * 31);
}

TEST(SchedulePicture, RefusesWhatIsTooLarge) {
  expect_error(ErrorKind::argument, "257 ranks are too many to draw; 256 can be",
               [] { static_cast<void>(draw_schedule(*make_algorithm("a1", 257, 1), nullptr)); });
  const Machine machine = Machine::blocked(128, 16);
  const auto algorithm = make_algorithm("hierarchical-factor", machine, 1);
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
    static_cast<void>(draw_traffic(*make_algorithm("ring", 256, 1), *uniform, 1, Spacing::linear));
  });
  expect_error(ErrorKind::argument, "1000 ranks are too many to draw", [&] {
    static_cast<void>(draw_traffic(*make_algorithm("a1", 1000, 1), *uniform, 1, Spacing::linear));
  });
}

TEST(TrafficPicture, OfNothingIsEmpty) {
  const auto nothing = make_traffic("zero", {.ranks = 5});
  const std::string picture =
      draw_traffic(*make_algorithm("a1", 5, 1), *nothing, 8, Spacing::logarithmic);
  EXPECT_EQ(cells_in(picture), 0);
}

TEST(HoldingsPicture, HasACellForEverythingHeldAndSent) {
  const Rank ranks = 23;
  const Sources sources = Sources::equal(ranks, std::vector<Rank>{0, 5, 6, 22}, 1000);
  for (const std::string& name : broadcast_names(ranks)) {
    const auto broadcast = make_broadcast(name, sources);
    // Who holds anything of whom: at the beginning, and after each stage.
    std::set<std::pair<Rank, Rank>> held{{0, 0}, {5, 5}, {6, 6}, {22, 22}};
    std::size_t cells = held.size();
    for (int stage = 0; stage < broadcast->stages(); ++stage) {
      for (Rank rank = 0; rank < ranks; ++rank) {
        for (const Step& step : broadcast->steps(stage, rank)) {
          if (step.to == kNoRank) continue;
          ++cells;
          std::vector<Share> shares;
          broadcast->shares(stage, rank, step.to, shares);
          for (const Share& share : shares) held.insert({step.to, share.source});
        }
      }
      cells += held.size();
    }
    EXPECT_EQ(held.size(), 23u * 4) << name;
    for (const Spacing spacing : {Spacing::linear, Spacing::logarithmic}) {
      const std::string picture = draw_holdings(*broadcast, spacing);
      EXPECT_EQ(cells_in(picture), static_cast<int>(cells)) << name;
      EXPECT_EQ(occurrences(picture, "class=\"map\""), 2 * broadcast->stages() + 1) << name;
    }
  }
}

/// The cells of a map have the shade of the share: of a block that is halved twice among four ranks
/// these have all, a quarter, a half and a quarter.
TEST(HoldingsPicture, ShadesSayHowMuchIsHeld) {
  const auto broadcast =
      make_broadcast("scatter-first", Sources::equal(4, std::vector<Rank>{0}, 800));
  const std::string picture = draw_holdings(*broadcast, Spacing::linear);
  const std::size_t first = picture.find("class=\"map\"", picture.find(">after stage 2<"));
  const std::string map = picture.substr(first, picture.find("</g>", first) - first);
  const auto cells = [&](const char* places, double position) {
    return occurrences(
        map, "d=\"" + std::string(places) + "\" stroke=\"" + shade(position).hex() + "\"");
  };
  EXPECT_EQ(cells("M0 0h1", 1), 1);
  EXPECT_EQ(cells("M0 2h1", 16.0 / 31), 1);
  EXPECT_EQ(cells("M0 1h1M0 3h1", 8.0 / 31), 1);
  EXPECT_EQ(cells_in(map), 4);
}

TEST(HoldingsPicture, RefusesWhatIsTooLarge) {
  const auto drawn = [](const char* name, Rank ranks) {
    return draw_holdings(*make_broadcast(name, Sources::equal(ranks, std::vector<Rank>{0}, 1)),
                         Spacing::linear);
  };
  expect_error(ErrorKind::argument, "257 ranks are too many to draw; 256 can be",
               [&] { static_cast<void>(drawn("br-lin", 257)); });
  expect_error(ErrorKind::argument, "has 99 stages, which is too many to draw; 64 can be",
               [&] { static_cast<void>(drawn("br-ring", 100)); });
}

/// Follows blocks of one byte on a ring of 5 by hand: links carry what lies 1 and 2 ahead.
TEST(LinkPicture, NamesTheBusiestLink) {
  const FunctionTraffic from_0("from 0", 5, [](Rank i, Rank) { return Bytes{i == 0 ? 1000 : 0}; });
  const auto ring = make_algorithm("ring-pipeline", 5, 1);
  const LinkFlow flow = follow_links(*ring, from_0, 1);
  EXPECT_EQ(flow.links, (std::vector<Bytes>{2000, 2000, 1000, 0, 0, 0, 0, 0, 0, 1000}));
  const std::string picture = draw_links(*ring, from_0, 1);
  EXPECT_EQ(occurrences(picture, "class=\"link\""), 10);
  EXPECT_EQ(occurrences(picture,
                        "busiest link: 2000 bytes, from rank 0 to rank 1; "
                        "mean of the 4 links used: 1500 bytes"),
            1);
}

/// From rank 0 straight to all, by hand: on the ring two ranks lie ahead and two behind.
TEST(LinkPicture, OfABroadcastOnARing) {
  const auto direct =
      make_broadcast("pers-all-to-all", Sources::equal(5, std::vector<Rank>{0}, 10));
  const Extents ring({5});
  const LinkFlow flow = follow_links(*direct, ring);
  EXPECT_EQ(flow.links, (std::vector<Bytes>{20, 20, 10, 0, 0, 0, 0, 0, 0, 10}));
  EXPECT_EQ(flow.travelled, 60);
  EXPECT_EQ(flow.least, 40);
  EXPECT_EQ(flow.busiest, (std::vector<Bytes>{20}));
  const std::string picture = draw_links(*direct, ring);
  EXPECT_EQ(occurrences(picture, "class=\"link\""), 10);
  EXPECT_EQ(occurrences(picture, ">Links of a ring of 5 under a broadcast from 1 of 5 ranks, "), 2)
      << "as a title and in the picture";
  EXPECT_EQ(occurrences(picture,
                        "busiest link: 20 bytes, from rank 0 to rank 1; "
                        "mean of the 4 links used: 15 bytes"),
            1);
}

/// Messages go along the first dimension first, and forward where both ways are as far.
TEST(LinkPicture, OfABroadcastOnATorus) {
  const auto direct =
      make_broadcast("pers-all-to-all", Sources::equal(6, std::vector<Rank>{0}, 10));
  std::vector<Bytes> links(24, 0);
  links[0] = 30;   // 0 forward to 3, for 3, 4 and 5
  links[2] = 10;   // 0 right to 1
  links[3] = 10;   // 0 left to 2
  links[14] = 10;  // 3 right to 4
  links[15] = 10;  // 3 left to 5
  EXPECT_EQ(follow_links(*direct, Extents({2, 3})).links, links);
  expect_error(ErrorKind::argument, "a torus of 2x2 has 4 ranks, but the broadcast has 6", [&] {
    static_cast<void>(follow_links(*direct, Extents({2, 2})));
  });
}

TEST(LinkPicture, ColoursTheLinkThatIsUsed) {
  const FunctionTraffic forward("to 1", 5, [](Rank i, Rank j) { return Bytes{i == 0 && j == 1}; });
  const std::string picture = draw_links(*make_algorithm("ring-pipeline", 5, 1), forward, 8);
  EXPECT_EQ(occurrences(picture, "stroke=\"" + shade(1).hex()), 1);
  EXPECT_EQ(occurrences(picture, "stroke=\"" + std::string(kFaint)), 9);
}

TEST(LinkPicture, HasEveryLinkOfTheTorus) {
  for (const auto& [name, ranks, links] : {std::tuple{"torus:8x8", 64, 256},
                                           {"split:5x7", 35, 140},
                                           {"split:4x4x4", 64, 384},
                                           {"split:2x3x4x3", 72, 576},
                                           {"split:1x6", 6, 12},
                                           {"ring", 16, 32}}) {
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
  expect_error(ErrorKind::argument, "a1 is not made for the links of a torus",
               [&] { static_cast<void>(draw_links(*make_algorithm("a1", 32, 1), *traffic, 1)); });
  expect_error(
      ErrorKind::argument, "a torus of 5 dimensions cannot be drawn; one of 4 can be", [&] {
        static_cast<void>(draw_links(*make_algorithm("split:2x2x2x2x2", 32, 1), *traffic, 1));
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
