#include "lab/flow/torus_links.hpp"

#include <gtest/gtest.h>

#include "pure/sentences.hpp"

namespace shunt {
namespace {

using LinkBytes = std::vector<Bytes>;

LinkLoads check(const Extents& torus, const std::vector<LinkMessage>& messages) {
  return check_links(torus, messages);
}

TEST(Links, CarryAMessageOnTheShorterWay) {
  // By rank: forward, backward.
  const LinkLoads forward = check(Extents({5}), {{3, 0, Way::backward, 7}});
  EXPECT_EQ(forward.violations, kNothing);
  EXPECT_EQ(forward.bytes, (LinkBytes{0, 0, 0, 0, 0, 0, 7, 0, 7, 0}));
  EXPECT_EQ(forward.travelled, 14);
  EXPECT_EQ(forward.largest(), 7);
  const LinkLoads backward = check(Extents({5}), {{0, 4, Way::forward, 7}});
  EXPECT_EQ(backward.bytes, (LinkBytes{0, 7, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Links, CarryAMessageHalfWayRoundAsItSays) {
  EXPECT_EQ(check(Extents({4}), {{1, 3, Way::forward, 6}}).bytes,
            (LinkBytes{0, 0, 6, 0, 6, 0, 0, 0}));
  EXPECT_EQ(check(Extents({4}), {{1, 3, Way::backward, 6}}).bytes,
            (LinkBytes{0, 6, 0, 6, 0, 0, 0, 0}));
  EXPECT_EQ(check(Extents({4}), {{1, 3, Way::both, 7}}).bytes, (LinkBytes{0, 3, 4, 3, 4, 0, 0, 0}));
  EXPECT_EQ(check(Extents({2}), {{1, 0, Way::both, 8}}).bytes, (LinkBytes{0, 0, 4, 4}));
}

TEST(Links, LeadOverNoOpenRim) {
  const std::vector<LinkMessage> messages{{3, 0, Way::forward, 7}, {1, 3, Way::both, 5}};
  EXPECT_EQ(load_links(Extents({4}), Rim::open, messages).bytes,
            (LinkBytes{0, 0, 5, 7, 5, 7, 0, 7}));
  EXPECT_EQ(load_links(Extents({4}), Rim::closed, messages).bytes,
            (LinkBytes{0, 2, 3, 2, 3, 0, 7, 0}));
  // From corner to corner of 2 x 3, rows first: 0, 3, 4, 5.
  LinkBytes expected(24, 0);
  for (const std::size_t link : {0U, 14U, 18U}) expected[link] = 9;
  EXPECT_EQ(
      load_links(Extents({2, 3}), Rim::open, std::vector<LinkMessage>{{0, 5, Way::both, 9}}).bytes,
      expected);
}

TEST(Links, AreThoseOfTheMessagesDimension) {
  // Rank 1 of 2 x 3 lies above rank 4.
  const LinkLoads loads = check(Extents({2, 3}), {{1, 4, Way::forward, 5}, {1, 2, Way::both, 3}});
  EXPECT_EQ(loads.violations, kNothing);
  LinkBytes expected(24, 0);
  expected[4 * 1 + 0] = 5;
  expected[4 * 1 + 2] = 3;
  EXPECT_EQ(loads.bytes, expected);
}

TEST(Links, AreNotUsedByMessagesToOneself) {
  const LinkLoads loads = check(Extents({3, 3}), {{4, 4, Way::both, 5}, {4, 4, Way::both, 5}});
  EXPECT_EQ(loads.violations, kNothing);
  EXPECT_EQ(loads.travelled, 0);
  EXPECT_EQ(loads.largest(), 0);
}

TEST(Links, OppositeWaysAreDifferent) {
  const LinkLoads loads =
      check(Extents({6}), {{0, 1, Way::both, 1}, {0, 5, Way::both, 1}, {1, 0, Way::both, 1}});
  EXPECT_EQ(loads.violations, kNothing);
}

TEST(Links, CannotBeShared) {
  EXPECT_EQ(check(Extents({8}), {{0, 2, Way::both, 1}, {1, 3, Way::both, 1}}).violations,
            Sentences{"the link from rank 1 to rank 2 is used by the message from rank 0 to rank 2 "
                      "and by that from rank 1 to rank 3"});
  // AR's ways on four ranks do not meet, and would if all went the same way round.
  EXPECT_EQ(check(Extents({4}), {{0, 2, Way::forward, 1},
                                 {1, 3, Way::backward, 1},
                                 {2, 0, Way::forward, 1},
                                 {3, 1, Way::backward, 1}})
                .violations,
            kNothing);
  EXPECT_EQ(
      check(Extents({4}), {{0, 2, Way::forward, 1}, {1, 3, Way::forward, 1}}).violations.size(),
      1U);
}

TEST(Links, LeadAlongOneDimension) {
  EXPECT_EQ(check(Extents({2, 3}), {{0, 4, Way::both, 1}}).violations,
            Sentences{"the message from rank 0 to rank 4 goes along several dimensions"});
}

}  // namespace
}  // namespace shunt
