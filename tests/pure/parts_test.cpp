#include "model/parts.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "algorithms/memory_bound.hpp"
#include "algorithms/registry.hpp"
#include "pure/function_traffic.hpp"

namespace shunt {
namespace {

constexpr Bytes kLongest = std::numeric_limits<Bytes>::max();

TEST(Parts, TakeEveryByteOfABlockOnce) {
  for (const Bytes unit : {1, 3, 8}) {
    for (const Bytes count : {1, 2, 3, 7, 100}) {
      const Parts parts{count, unit};
      for (Bytes block = 0; block < 70; ++block) {
        Bytes end = 0;
        Bytes longest = 0;
        Bytes shortest = kLongest;
        for (Bytes part = 0; part < count; ++part) {
          ASSERT_EQ(parts.begin(block, part), end);
          const Bytes bytes = parts.bytes(block, part);
          ASSERT_GE(bytes, 0);
          end += bytes;
          longest = std::max(longest, bytes);
          shortest = std::min(shortest, bytes);
          ASSERT_TRUE(end == block || end % unit == 0);
        }
        ASSERT_EQ(end, block) << count << " parts of units of " << unit;
        ASSERT_EQ(parts.bytes(block, 0), longest);
        ASSERT_LT(longest - shortest, 2 * unit);
      }
    }
  }
}

TEST(Parts, OfTheLongestBlockThereIs) {
  const Parts parts{kLongest / 3, 1};
  EXPECT_EQ(parts.begin(kLongest, parts.count), kLongest);
  EXPECT_EQ(parts.bytes(kLongest, parts.count - 1), 3);
}

/// Every part of hard traffics is within the bound, on each rank and both ways.
TEST(Parts, KeepWithinTheirBound) {
  for (const Rank ranks : {1, 2, 5, 16}) {
    for (const FunctionTraffic& traffic : hard_traffics(ranks)) {
      const TrafficBound whole = loads_of(traffic, 1).bound();
      for (const Bytes unit : {1, 24}) {
        for (const Bytes count : {1, 2, 3, 50, 4000}) {
          const Parts parts{count, unit};
          const TrafficBound bound = bound_of_part(whole, ranks, parts);
          EXPECT_LE(bound.largest_load, whole.largest_load);
          for (const Bytes part : {Bytes{0}, count / 2, count - 1}) {
            const FunctionTraffic cut("part", ranks, [&](Rank from, Rank to) {
              return parts.bytes(traffic.count(from, to), part);
            });
            const TrafficBound real = loads_of(cut, 1).bound();
            EXPECT_LE(real.longest_block, bound.longest_block) << traffic.name() << ' ' << count;
            EXPECT_LE(real.largest_load, bound.largest_load) << traffic.name() << ' ' << count;
          }
        }
      }
    }
  }
}

/// A long load in long blocks is cut to about its share, so a few parts are enough.
TEST(Parts, HaveAboutTheirShare) {
  const TrafficBound part = bound_of_part({1 << 30, 1 << 28}, 8, {16, 1});
  EXPECT_EQ(part.longest_block, 1 << 24);
  EXPECT_EQ(part.largest_load, (1 << 26) + 8);
}

TEST(Parts, AreAsFewAsFit) {
  for (Bytes enough = 1; enough <= 40; ++enough) {
    EXPECT_EQ(least_parts(40, [=](Bytes count) { return count >= enough; }), enough);
  }
  EXPECT_EQ(least_parts(40, [](Bytes count) { return count >= 41; }), 0);
  EXPECT_EQ(least_parts(1, [](Bytes /*count*/) { return false; }), 0);
}

TEST(Parts, OfTheLongestBlockHaveAGrain) {
  EXPECT_EQ(most_parts({5000, 1024}, 512), 2);
  EXPECT_EQ(most_parts({5000, 1023}, 512), 1);
  EXPECT_EQ(most_parts({0, 0}, 512), 1);
}

/// The least number of parts is found by halving, which rests on this.
TEST(MemoryBounds, GrowWithTheTraffic) {
  for (const Rank ranks : {2, 5, 8, 24}) {
    for (const std::string& name : algorithm_names(ranks)) {
      const auto algorithm = make_algorithm(name, ranks, 512);
      for (const Mode mode : {Mode::blocking, Mode::dual_buffer}) {
        const MemoryBound plan(*algorithm, 0, mode);
        const MemoryBound one_shot(*algorithm, 0, mode, 64);
        const TrafficBound whole{3000000, 700000};
        TrafficBound last = whole;
        for (Bytes count = 2; count < 2000; count += 1 + count / 2) {
          const TrafficBound part = bound_of_part(whole, ranks, {count, 1});
          EXPECT_LE(plan(part), plan(last)) << name << " on " << ranks << " in " << count;
          EXPECT_LE(one_shot(part), one_shot(last)) << name << " on " << ranks;
          EXPECT_LE(plan(part), one_shot(part)) << name;
          last = part;
        }
      }
    }
  }
}

TEST(MemoryBounds, OfOneStageAreNothing) {
  const auto algorithm = make_algorithm("linear", 8, 512);
  EXPECT_EQ(MemoryBound(*algorithm, 3, Mode::dual_buffer)({1 << 20, 1 << 18}), 0);
  EXPECT_EQ(MemoryBound(*algorithm, 3, Mode::dual_buffer, 64)({1 << 20, 1 << 18}), 0);
}

TEST(MemoryBounds, ShortenHeads) {
  const auto algorithm = make_algorithm("two-stage", 16, 512);
  EXPECT_EQ(head_within(*algorithm, Bytes{1} << 30, 8192), 8192);
  EXPECT_EQ(head_within(*algorithm, 16 * 16 * 100, 8192), 100);
  EXPECT_EQ(head_within(*algorithm, 1000, 8192), 64);
}

}  // namespace
}  // namespace shunt
