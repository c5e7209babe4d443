// Pictures of allgathers: schedules, who holds what, and links.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/allgather_registry.hpp"
#include "lab/flow/link_flow.hpp"
#include "lab/picture/colour.hpp"
#include "lab/picture/holdings_picture.hpp"
#include "lab/picture/link_picture.hpp"
#include "lab/picture/schedule_picture.hpp"
#include "lab/traffic/source_patterns.hpp"
#include "pure/occurrences.hpp"
#include "pure/picture_contents.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::cells_in;
using test::expect_error;
using test::messages_of;
using test::occurrences;

TEST(SchedulePicture, OfAAllgatherHasItsMessagesAndMarksItsSources) {
  const std::vector<Rank> few{1, 4, 17};
  const Sources sources = with_equal_blocks(20, few, 100);
  const Extents torus({4, 5});
  for (const std::string& name : allgather_names(20)) {
    const auto allgather = make_allgather(name, sources);
    for (const Extents* const distances : {static_cast<const Extents*>(nullptr), &torus}) {
      const std::string picture = draw_schedule(*allgather, nullptr, distances);
      EXPECT_EQ(occurrences(picture, "h.92"), messages_of(*allgather)) << name;
      EXPECT_GE(occurrences(picture, "class=\"source\""), 3) << name;
      EXPECT_EQ(occurrences(picture, "class=\"source\"") % 3, 0) << name;
      EXPECT_EQ(occurrences(picture, distances != nullptr ? "links away" : "ranks away"), 1);
      EXPECT_EQ(occurrences(picture, "itself"), 0);
    }
  }
}

TEST(HoldingsPicture, HasACellForEverythingHeldAndSent) {
  const Rank ranks = 23;
  const Sources sources = with_equal_blocks(ranks, std::vector<Rank>{0, 5, 6, 22}, 1000);
  for (const std::string& name : allgather_names(ranks)) {
    const auto allgather = make_allgather(name, sources);
    // Its 92 stages are more than can be drawn.
    if (name == "node-ring:3") continue;
    // Who holds anything of whom: at the beginning, and after each stage.
    std::set<std::pair<Rank, Rank>> held{{0, 0}, {5, 5}, {6, 6}, {22, 22}};
    std::size_t cells = held.size();
    for (int stage = 0; stage < allgather->stages(); ++stage) {
      for (Rank rank = 0; rank < ranks; ++rank) {
        for (const Step& step : allgather->steps(stage, rank)) {
          if (step.to == kNoRank) continue;
          ++cells;
          std::vector<Share> shares;
          allgather->shares(stage, rank, step.to, shares);
          for (const Share& share : shares) held.insert({step.to, share.source});
        }
      }
      cells += held.size();
    }
    EXPECT_EQ(held.size(), 23u * 4) << name;
    for (const Spacing spacing : {Spacing::linear, Spacing::logarithmic}) {
      const std::string picture = draw_holdings(*allgather, spacing);
      EXPECT_EQ(cells_in(picture), static_cast<int>(cells)) << name;
      EXPECT_EQ(occurrences(picture, "class=\"map\""), 2 * allgather->stages() + 1) << name;
    }
  }
}

/// The cells of a map have the shade of the share: of a block that is halved twice among four ranks
/// these have all, a quarter, a half and a quarter.
TEST(HoldingsPicture, ShadesSayHowMuchIsHeld) {
  const auto allgather =
      make_allgather("scatter-allgather", with_equal_blocks(4, std::vector<Rank>{0}, 800));
  const std::string picture = draw_holdings(*allgather, Spacing::linear);
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
    return draw_holdings(*make_allgather(name, with_equal_blocks(ranks, std::vector<Rank>{0}, 1)),
                         Spacing::linear);
  };
  expect_error(ErrorKind::argument, "257 ranks are too many to draw; 256 can be",
               [&] { static_cast<void>(drawn("recursive-halving", 257)); });
  expect_error(ErrorKind::argument, "has 99 stages, which is too many to draw; 64 can be",
               [&] { static_cast<void>(drawn("ring", 100)); });
}

/// From rank 0 straight to all, by hand: on the ring two ranks lie ahead and two behind.
TEST(LinkPicture, OfAAllgatherOnARing) {
  const auto direct = make_allgather("direct", with_equal_blocks(5, std::vector<Rank>{0}, 10));
  const Extents ring({5});
  const LinkFlow flow = follow_links(*direct, ring);
  EXPECT_EQ(flow.links, (std::vector<Bytes>{20, 20, 10, 0, 0, 0, 0, 0, 0, 10}));
  EXPECT_EQ(flow.travelled, 60);
  EXPECT_EQ(flow.least, 40);
  EXPECT_EQ(flow.busiest, (std::vector<Bytes>{20}));
  const std::string picture = draw_links(*direct, ring);
  EXPECT_EQ(occurrences(picture, "class=\"link\""), 10);
  EXPECT_EQ(occurrences(picture, ">Links of a ring of 5 under an all-gather from 1 of 5 ranks, "),
            2)
      << "as a title and in the picture";
  EXPECT_EQ(occurrences(picture,
                        "busiest link: 20 bytes, from rank 0 to rank 1; "
                        "mean of the 4 links used: 15 bytes"),
            1);
}

/// The same on a line, where there is one way only.
TEST(LinkPicture, OfAAllgatherOnAMesh) {
  const auto direct = make_allgather("direct", with_equal_blocks(5, std::vector<Rank>{0}, 10));
  EXPECT_EQ(follow_links(*direct, Extents({5}), Rim::open).links,
            (std::vector<Bytes>{40, 0, 30, 0, 20, 0, 10, 0, 0, 0}));
  const std::string line = draw_links(*direct, Extents({5}), Rim::open);
  EXPECT_EQ(occurrences(line, "class=\"link\""), 8);
  EXPECT_EQ(occurrences(line, ">Links of a line of 5 under an all-gather from 1 of 5 ranks, "), 2);
  const auto many =
      make_allgather("recursive-halving", with_equal_blocks(6, std::vector<Rank>{0}, 10));
  const std::string mesh = draw_links(*many, Extents({2, 3}), Rim::open);
  EXPECT_EQ(occurrences(mesh, "class=\"link\""), 2 * 7);
  EXPECT_EQ(occurrences(mesh, ">Links of a mesh of 2x3 under"), 2);
  expect_error(ErrorKind::argument, "a mesh of 2x2 has 4 ranks, but the all-gather has 5", [&] {
    (void)follow_links(*direct, Extents({2, 2}), Rim::open);
  });
}

/// Messages go along the first dimension first, and forward where both ways are as far.
TEST(LinkPicture, OfAAllgatherOnATorus) {
  const auto direct = make_allgather("direct", with_equal_blocks(6, std::vector<Rank>{0}, 10));
  std::vector<Bytes> links(24, 0);
  links[0] = 30;   // 0 forward to 3, for 3, 4 and 5
  links[2] = 10;   // 0 right to 1
  links[3] = 10;   // 0 left to 2
  links[14] = 10;  // 3 right to 4
  links[15] = 10;  // 3 left to 5
  EXPECT_EQ(follow_links(*direct, Extents({2, 3})).links, links);
  expect_error(ErrorKind::argument, "a torus of 2x2 has 4 ranks, but the all-gather has 6", [&] {
    static_cast<void>(follow_links(*direct, Extents({2, 2})));
  });
}

}  // namespace
}  // namespace shunt
