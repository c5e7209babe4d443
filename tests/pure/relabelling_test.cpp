// The fewest elements move: as few as with any permutation of the ranks.
#include "shunt/relabelling.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "shunt/error.hpp"
#include "support/dealt_array.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

/// Elements of the part that do not stay on their rank, one by one.
Index count_moved(const RedistributionCase& made, const ArrayLayout& to) {
  Index moved = 0;
  for_each_index(made.extents, [&](const std::vector<Index>& index) {
    const Rank from = spot_of(made.from.layout, in_array(made.from, index)).rank;
    moved += spot_of(to, in_array(made.to, index)).rank == from ? 0 : 1;
  });
  return moved;
}

/// `to` with rank permuted[r] for rank r.
ArrayLayout permuted_layout(const ArrayLayout& to, const std::vector<Rank>& permuted) {
  ArrayLayout layout = to;
  layout.ranks.clear();
  for (Rank number = 0; number < grid_places(to); ++number) {
    const Rank given = to.ranks.empty() ? number : to.ranks[static_cast<std::size_t>(number)];
    layout.ranks.push_back(permuted[static_cast<std::size_t>(given)]);
  }
  return layout;
}

TEST(Relabelling, MovesAsLittleAsAnyPermutation) {
  std::mt19937 random(17);
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    const Rank ranks = 1 + round % 5;
    const RedistributionCase made = random_case(random, ranks);
    const ArraySection section{made.extents, made.from.begin, made.to.begin, made.to.axes};
    const Relabelling found = relabel(made.from.layout, made.to.layout, ranks, section);
    EXPECT_EQ(found.moved_as_given, count_moved(made, made.to.layout));
    EXPECT_EQ(found.moved, count_moved(made, found.layout));
    std::vector<Rank> permuted(static_cast<std::size_t>(ranks));
    std::iota(permuted.begin(), permuted.end(), 0);
    Index fewest = found.moved_as_given;
    do {
      fewest = std::min(fewest, count_moved(made, permuted_layout(made.to.layout, permuted)));
    } while (std::ranges::next_permutation(permuted).found);
    EXPECT_EQ(found.moved, fewest);
    if (found.moved == found.moved_as_given) {
      EXPECT_EQ(found.layout.ranks, permuted_layout(made.to.layout, permuted).ranks);
    }
  }
}

TEST(Relabelling, FindsTheSameLayoutOnOtherRanks) {
  const ArrayLayout from{{{1000, 7, 12}}};
  const ArrayLayout to{{{1000, 7, 12}}, {5, 11, 0, 3, 9, 1, 2, 4, 10, 8, 7, 6}};
  const Relabelling found = relabel(from, to, 12);
  EXPECT_EQ(found.moved, 0);
  EXPECT_EQ(found.moved_as_given, 1000 - 84);
  EXPECT_EQ(found.layout.ranks, std::vector<Rank>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(Relabelling, RefusesWhatARedistributionRefuses) {
  const ArrayLayout layout{{{10, 1, 2}}};
  expect_error(ErrorKind::argument, "there are 1 ranks", [&] { (void)relabel(layout, layout, 1); });
  expect_error(ErrorKind::argument, "to_axes is 1", [&] {
    (void)relabel(layout, layout, 2, {{}, {}, {}, {1}});
  });
}

}  // namespace
}  // namespace shunt::test
