#include "schedule/hierarchy.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "lab/proof/checker.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

/// The groups of a level by their first rank, each with its members.
std::map<Rank, std::vector<Rank>> groups_of(const Hierarchy& hierarchy, int level) {
  std::map<Rank, std::vector<Rank>> groups;
  for (Rank rank = 0; rank < hierarchy.ranks(); ++rank) {
    groups[hierarchy.group_of(rank, level).start].push_back(rank);
  }
  return groups;
}

void expect_sound(const Hierarchy& hierarchy) {
  for (int level = 0; level < hierarchy.levels(); ++level) {
    std::set<Rank> sizes;
    for (const auto& [start, members] : groups_of(hierarchy, level)) {
      const Group group = hierarchy.group_of(start, level);
      ASSERT_EQ(group.array.nodes(), std::ssize(members));
      sizes.insert(group.array.nodes());
      for (Rank node = 0; node < group.array.nodes(); ++node) {
        ASSERT_EQ(group.rank_of(node), members[static_cast<std::size_t>(node)]);
        ASSERT_EQ(group.node_of(group.rank_of(node)), node);
      }
    }
    const std::vector<Rank> stated = hierarchy.group_sizes(level);
    ASSERT_EQ(std::set<Rank>(stated.begin(), stated.end()), sizes);
    const auto violations = check_schedule(hierarchy.ranks(), hierarchy.step_count(level),
                                           [&](Rank rank) { return hierarchy.steps(rank, level); });
    ASSERT_TRUE(violations.empty()) << violations.front();
  }
  // Below the last level, every column is a single rank.
  for (const Rank nodes : hierarchy.group_sizes(hierarchy.levels() - 1)) {
    ASSERT_EQ(hierarchy.array_for(nodes, hierarchy.levels() - 1).columns(), nodes);
  }
}

TEST(Hierarchy, PartitionsTheRanksOnEveryLevel) {
  for (Rank ranks = 1; ranks <= 200; ++ranks) {
    for (int levels = 1; levels <= 5; ++levels) {
      SCOPED_TRACE(testing::Message() << ranks << " ranks, " << levels << " levels");
      const Hierarchy hierarchy = Hierarchy::balanced(ranks, levels);
      ASSERT_EQ(hierarchy.levels(), levels);
      expect_sound(hierarchy);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Hierarchy, TakesGivenDimensions) {
  for (Rank ranks = 1; ranks <= 130; ++ranks) {
    for (const std::vector<Rank>& columns :
         {std::vector<Rank>{4}, {3, 2}, {2, 3}, {4, 4, 4}, {1, 7}, {200}}) {
      SCOPED_TRACE(testing::Message() << ranks << " ranks, " << columns.size() << " dimensions");
      expect_sound(Hierarchy::with_columns(ranks, columns));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Hierarchy, AddsALevelWhereTheDimensionsLeaveMoreThanOneNode) {
  EXPECT_EQ(Hierarchy::with_columns(64, {4, 4, 4}).levels(), 3);
  EXPECT_EQ(Hierarchy::with_columns(65, {4, 4, 4}).levels(), 4);
  EXPECT_EQ(Hierarchy::with_columns(64, {64}).levels(), 1);
  EXPECT_EQ(Hierarchy::with_columns(64, {8}).levels(), 2);
}

TEST(Hierarchy, TakesAsManyStepsAsTheSumOfTheRoots) {
  for (Rank root = 2; root <= 6; ++root) {
    const Hierarchy cube = Hierarchy::balanced(root * root * root, 3);
    for (int level = 0; level < 3; ++level) EXPECT_EQ(cube.step_count(level), root);
  }
}

TEST(Hierarchy, HasGroupsOfThreeSizesWhereArraysAreRearranged) {
  // Columns of 11 and of 10 nodes; 11 nodes stand in 3 columns, 10 in 4.
  EXPECT_EQ(Hierarchy::balanced(41, 3).group_sizes(2), (std::vector<Rank>{2, 3, 4}));
}

TEST(Hierarchy, RejectsWhatIsNoShape) {
  EXPECT_THROW((void)Hierarchy::balanced(0, 2), Error);
  EXPECT_THROW((void)Hierarchy::balanced(-1, 2), Error);
  EXPECT_THROW((void)Hierarchy::balanced(4, 0), Error);
  EXPECT_THROW((void)Hierarchy::balanced(4, 31), Error);
  EXPECT_THROW((void)Hierarchy::with_columns(4, {}), Error);
  EXPECT_THROW((void)Hierarchy::with_columns(4, {2, 0}), Error);
}

}  // namespace
}  // namespace shunt
