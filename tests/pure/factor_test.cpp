#include "schedule/factor.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace shunt {
namespace {

/// Loops in each factor, after checking that every vertex has a partner who agrees and that every
/// pair is in the factor that `factor_of` names, and in no other.
std::vector<int> loops_by_factor(const Factors& factors) {
  const Rank size = factors.size();
  std::vector<int> loops(static_cast<std::size_t>(size), 0);
  for (Rank factor = 0; factor < size; ++factor) {
    for (Rank vertex = 0; vertex < size; ++vertex) {
      const Rank partner = factors.partner(factor, vertex);
      if (partner < 0 || partner >= size || factors.partner(factor, partner) != vertex ||
          factors.factor_of(vertex, partner) != factor) {
        ADD_FAILURE() << "vertex " << vertex << " of " << size << " in factor " << factor;
        return loops;
      }
      if (partner == vertex) ++loops[static_cast<std::size_t>(factor)];
    }
  }
  return loops;
}

TEST(Factors, HaveEveryPairOnceAsPrinted) {
  for (Rank size = 1; size < 400; ++size) {
    const std::vector<int> loops = loops_by_factor(Factors::as_printed(size));
    ASSERT_FALSE(HasFailure());
    for (Rank factor = 0; factor < size; ++factor) {
      const int expected = size % 2 == 1 ? 1 : factor % 2 == 0 ? 2 : 0;
      ASSERT_EQ(loops[static_cast<std::size_t>(factor)], expected) << size << " " << factor;
    }
    ASSERT_EQ(Factors::as_printed(size).pairing(), size);
  }
}

TEST(Factors, HaveEveryPairOnceWithLoopsLast) {
  for (Rank size = 1; size < 400; ++size) {
    const Factors factors = Factors::with_loops_last(size);
    std::vector<int> loops = loops_by_factor(factors);
    ASSERT_FALSE(HasFailure());
    if (size % 2 == 1) {
      ASSERT_EQ(loops, std::vector<int>(static_cast<std::size_t>(size), 1));
      ASSERT_EQ(factors.pairing(), size);
      continue;
    }
    ASSERT_EQ(loops.back(), size);
    loops.pop_back();
    ASSERT_EQ(loops, std::vector<int>(static_cast<std::size_t>(size - 1), 0));
    ASSERT_EQ(factors.pairing(), size - 1);
  }
}

TEST(Factors, AreRightForManyVertices) {
  for (const Rank size : {2147483646, 2147483647}) {
    for (const Factors& factors : {Factors::as_printed(size), Factors::with_loops_last(size)}) {
      for (const Rank vertex : {0, 1, size / 2, size - 2, size - 1}) {
        for (const Rank factor : {0, 1, size / 2, size - 2, size - 1}) {
          const Rank partner = factors.partner(factor, vertex);
          ASSERT_EQ(factors.partner(factor, partner), vertex) << size << " " << factor;
          ASSERT_EQ(factors.factor_of(vertex, partner), factor) << size << " " << vertex;
        }
      }
    }
  }
}

}  // namespace
}  // namespace shunt
