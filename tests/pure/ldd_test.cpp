#include "model/ldd.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "shunt/error.hpp"

namespace shunt {
namespace {

using Intervals = std::vector<std::pair<Index, Index>>;

bool has(const Ldd& ldd, Index index) {
  const Index behind = (index - ldd.offset) % ldd.stride;
  return (behind < 0 ? behind + ldd.stride : behind) < ldd.block;
}

/// Ascending; where blocks touch, two stretches may too.
Intervals stretches(const LddOverlap& overlap, Index extent) {
  Intervals stretches;
  if (overlap.empty()) return stretches;
  for (Index base = 0;; base += overlap.period()) {
    for (const LddOverlap::Stretch& stretch : overlap.stretches()) {
      // As a difference, since base + stretch.begin may not fit into 64 bits.
      if (stretch.begin >= extent - base) continue;
      stretches.emplace_back(std::max(base + stretch.begin, Index{0}),
                             stretch.length < extent - base - stretch.begin
                                 ? base + stretch.begin + stretch.length
                                 : extent);
    }
    if (overlap.period() >= extent - base - overlap.stretches().front().begin) return stretches;
  }
}

/// All small pairs, index by index.
TEST(LddOverlap, IsWhatBothHave) {
  for (const Index extent : {0, 1, 5, 23}) {
    for (const Ldd first : {Ldd{0, 1, 1}, Ldd{-7, 2, 5}, Ldd{3, 4, 4}, Ldd{9, 3, 7}}) {
      for (Index stride = 1; stride <= 8; ++stride) {
        for (Index block = 1; block <= stride; ++block) {
          for (Index offset = -9; offset <= 9; ++offset) {
            const Ldd second{offset, block, stride};
            const LddOverlap overlap(first, second, extent);
            std::vector<int> found(static_cast<std::size_t>(extent), 0);
            Index count = 0;
            Index last = 0;
            for (const auto& [begin, end] : stretches(overlap, extent)) {
              ASSERT_TRUE(last <= begin && begin < end && end <= extent);
              last = end;
              count += end - begin;
              for (Index i = begin; i < end; ++i) ++found[static_cast<std::size_t>(i)];
            }
            for (Index i = 0; i < extent; ++i) {
              ASSERT_EQ(found[static_cast<std::size_t>(i)], has(first, i) && has(second, i) ? 1 : 0)
                  << first.offset << " " << offset << " " << block << " " << stride << " " << i;
            }
            ASSERT_EQ(overlap.count(), count);
            ASSERT_EQ(overlap.empty(), count == 0);
          }
        }
      }
    }
  }
}

/// Blocks of any length that begin in a dimension of a few indices: to look at all distances that
/// they can have would take years.
TEST(LddOverlap, CostsNoMoreThanTheDimensionHasIndices) {
  constexpr Index kLong = (Index{1} << 59) - 1;
  constexpr Index kExtent = 12;
  for (const Index block : {Index{2147483647}, kLong}) {
    for (const Ldd other : {Ldd{0, 1, 1}, Ldd{-2, 3, 4}, Ldd{5, block - 1, 2 * block}}) {
      for (const Index offset : {Index{0}, Index{-5}, Index{7}, block, 5 - block}) {
        const Ldd first{offset, block, 4 * block};
        for (const bool swapped : {false, true}) {
          const LddOverlap overlap =
              swapped ? LddOverlap(other, first, kExtent) : LddOverlap(first, other, kExtent);
          std::vector<int> found(kExtent, 0);
          for (const auto& [begin, end] : stretches(overlap, kExtent)) {
            for (Index i = begin; i < end; ++i) ++found[static_cast<std::size_t>(i)];
          }
          Index count = 0;
          for (Index i = 0; i < kExtent; ++i) {
            const int both = has(first, i) && has(other, i) ? 1 : 0;
            EXPECT_EQ(found[static_cast<std::size_t>(i)], both) << block << " " << offset;
            count += both;
          }
          EXPECT_EQ(overlap.count(), count);
        }
      }
    }
  }
}

TEST(LddOverlap, HoldsWhereThePeriodDoesNotFitInto64Bits) {
  const Index large = (Index{1} << 60) - 1;
  const Ldd first{0, 10, large};
  const Ldd second{large - 3, 8, large - 2};
  // The blocks of `first` are at 0, large and 2 large, those of `second` at -1, large - 3 and
  // 2 large - 5.
  const LddOverlap overlap(first, second, 2 * large + 2);
  EXPECT_EQ(stretches(overlap, 2 * large + 2),
            (Intervals{{0, 7}, {large, large + 5}, {2 * large, 2 * large + 2}}));
  EXPECT_EQ(overlap.count(), 14);
}

TEST(BlockCyclic, PlacesKeepWhatTheirDescriptorsSay) {
  for (const Index extent : {0, 1, 7, 24, 31}) {
    for (const Index block : {1, 2, 5, 40}) {
      for (const Rank places : {1, 2, 3, 7}) {
        for (Rank first = 0; first < places; ++first) {
          const BlockCyclic axis{extent, block, places, first};
          for (Rank place = 0; place < places; ++place) {
            Index local = 0;
            for (Index i = 0; i < extent; ++i) {
              ASSERT_EQ(axis.place_of(i) == place, has(ldd_of(axis, place), i));
              ASSERT_EQ(axis.place_of(i) == place, has(ldd_of(axis, place, 4), i - 4));
              if (axis.place_of(i) != place) continue;
              ASSERT_EQ(axis.local_index(i), local);
              ASSERT_EQ(axis.index_at(place, local), i);
              ++local;
            }
            ASSERT_EQ(axis.count(place), local) << extent << " " << block << " " << places;
          }
        }
      }
    }
  }
}

TEST(BlockCyclic, RefusesLongerStrides) {
  EXPECT_EQ(block_stride(2, Index{1} << 60), Index{1} << 61);
  EXPECT_THROW((void)block_stride(3, Index{1} << 60), Error);
  const BlockCyclic axis{1, std::numeric_limits<Index>::max(), 1};
  EXPECT_THROW((void)ldd_of(axis, 0), Error);
}

}  // namespace
}  // namespace shunt
