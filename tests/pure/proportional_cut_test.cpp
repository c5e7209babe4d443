#include "schedule/proportional_cut.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace shunt {
namespace {

__extension__ using Wide = __int128;

/// min(length, g * ((u * shares + phase) / weight)), u = ceil(length / g), in 128 bits.
Bytes reference_end(Bytes length, Bytes weight, Bytes phase, Bytes grain, Bytes shares) {
  const Wide grains = (Wide{length} + grain - 1) / grain;
  const Wide end = grain * ((grains * shares + phase) / weight);
  return static_cast<Bytes>(std::min(Wide{length}, end));
}

TEST(ProportionalCut, IsAPartitionNearTheShares) {
  for (Bytes length = 0; length <= 70; ++length) {
    for (Bytes weight = 1; weight <= 9; ++weight) {
      for (Bytes phase = 0; phase < weight; ++phase) {
        for (Bytes grain : {1, 2, 3, 7, 16, 64, 1000}) {
          const ProportionalCut cut(length, weight, phase, grain);
          ASSERT_EQ(cut.end_of(0), 0);
          ASSERT_EQ(cut.end_of(weight), length);
          for (Bytes shares = 1; shares <= weight; ++shares) {
            const Bytes end = cut.end_of(shares);
            ASSERT_GE(end, cut.end_of(shares - 1));
            ASSERT_EQ(end, reference_end(length, weight, phase, grain, shares));
            const double exact = static_cast<double>(length) * static_cast<double>(shares) /
                                 static_cast<double>(weight);
            // One grain for the phase and the floor, one for the last, incomplete grain.
            ASSERT_LT(std::abs(static_cast<double>(end) - exact), 2 * static_cast<double>(grain));
          }
        }
      }
    }
  }
}

TEST(ProportionalCut, NeverSplitsAGrain) {
  for (Bytes grain : {1, 2, 5, 64}) {
    for (Bytes length = 0; length <= grain; ++length) {
      for (Bytes phase = 0; phase < 7; ++phase) {
        const ProportionalCut cut(length, 7, phase, grain);
        for (Bytes shares = 0; shares <= 7; ++shares) {
          const Bytes end = cut.end_of(shares);
          ASSERT_TRUE(end == 0 || end == length) << length << " bytes of grain " << grain;
        }
      }
    }
    for (Bytes length = grain; length <= 5 * grain; ++length) {
      const ProportionalCut cut(length, 3, 1, grain);
      for (Bytes shares = 0; shares <= 3; ++shares) {
        const Bytes end = cut.end_of(shares);
        ASSERT_TRUE(end == length || end % grain == 0);
      }
    }
  }
}

TEST(ProportionalCut, StandsHugeLengths) {
  constexpr Bytes kHuge = Bytes{1} << 62;
  for (const Bytes length : {kHuge - 1, kHuge, kHuge + 12345, 2 * (kHuge - 1) + 1}) {
    for (const Bytes weight : {Bytes{1}, Bytes{3}, Bytes{61}, Bytes{1000000}, Bytes{2147483647}}) {
      for (const Bytes grain : {Bytes{1}, Bytes{512}, Bytes{1} << 20, Bytes{1} << 40, kHuge}) {
        for (const Bytes phase : {Bytes{0}, weight / 2, weight - 1}) {
          const ProportionalCut cut(length, weight, phase, grain);
          for (const Bytes shares : {Bytes{0}, Bytes{1}, weight / 3, weight - 1, weight}) {
            if (shares < 0 || shares > weight) continue;
            ASSERT_EQ(cut.end_of(shares), reference_end(length, weight, phase, grain, shares))
                << length << " bytes, " << shares << " of " << weight << ", grain " << grain;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace shunt
