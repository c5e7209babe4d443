#include "schedule/halving.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "lab/proof/checker.hpp"

namespace shunt {
namespace {

TEST(Halving, OfFivePlacesIsAsDrawn) {
  const Halving halving(5);
  EXPECT_EQ(halving.stages(), 3);
  // 0-3, 1-4, and 2 to 4; then 0 1 2 and 3 4; then 0 1.
  EXPECT_EQ(halving.steps(0, 0), (std::vector<Step>{{1, 3, 3}}));
  EXPECT_EQ(halving.steps(0, 2), (std::vector<Step>{{2, 4, kNoRank}}));
  EXPECT_EQ(halving.steps(0, 4), (std::vector<Step>{{1, 1, 1}, {2, kNoRank, 2}}));
  EXPECT_EQ(halving.steps(1, 0), (std::vector<Step>{{1, 2, 2}}));
  EXPECT_EQ(halving.steps(1, 1), (std::vector<Step>{{2, 2, kNoRank}}));
  EXPECT_EQ(halving.steps(1, 3), (std::vector<Step>{{1, 4, 4}}));
  EXPECT_EQ(halving.steps(2, 1), (std::vector<Step>{{1, 0, 0}}));
  EXPECT_EQ(halving.steps(2, 4), std::vector<Step>{});
  std::vector<Rank> origins;
  halving.origins(2, 2, origins);
  std::ranges::sort(origins);
  EXPECT_EQ(origins, (std::vector<Rank>{0, 1, 2, 3, 4}));
}

/// Against the messages themselves: what a place has, and that nothing comes to it twice.
TEST(Halving, OriginsAreWhatTheMessagesBring) {
  for (Rank size = 1; size <= 70; ++size) {
    const Halving halving(size);
    std::vector<std::set<Rank>> has(static_cast<std::size_t>(size));
    for (Rank place = 0; place < size; ++place) has[static_cast<std::size_t>(place)] = {place};
    for (int stage = 0; stage <= halving.stages(); ++stage) {
      auto next = has;
      for (Rank place = 0; place < size; ++place) {
        const auto& mine = has[static_cast<std::size_t>(place)];
        std::vector<Rank> origins;
        halving.origins(stage, place, origins);
        std::ranges::sort(origins);
        ASSERT_TRUE(std::ranges::equal(origins, mine)) << size << " " << stage << " " << place;
        for (const Step& step : halving.steps(stage, place)) {
          if (step.from == kNoRank) continue;
          for (const Rank origin : has[static_cast<std::size_t>(step.from)]) {
            ASSERT_TRUE(next[static_cast<std::size_t>(place)].insert(origin).second);
          }
        }
      }
      ASSERT_TRUE(check_schedule(size, halving.step_count(stage),
                                 [&](Rank place) { return halving.steps(stage, place); })
                      .empty())
          << size << " " << stage;
      has = std::move(next);
    }
    for (const auto& all : has) ASSERT_EQ(std::ssize(all), size);
  }
}

}  // namespace
}  // namespace shunt
