#include "model/ldd.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "model/modular.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr Index kEndless = std::numeric_limits<Index>::max();

/// The least common multiple; kEndless where it does not fit into 64 bits.
Index period_of(Index a, Index b) {
  Index period = 0;
  return __builtin_mul_overflow(a / std::gcd(a, b), b, &period) ? kEndless : period;
}

/// How many blocks begin below `extent`, of a descriptor that begins at zero.
Index blocks_below(const Ldd& ldd, Index extent) {
  return ldd.offset < extent ? (extent - 1 - ldd.offset) / ldd.stride + 1 : 0;
}

/// The same set, its offset being the first block of which something is not negative.
Ldd from_zero(const Ldd& ldd) {
  return {modulo(ldd.offset + ldd.block - 1, ldd.stride) - ldd.block + 1, ldd.block, ldd.stride};
}

}  // namespace

Index block_stride(Rank places, Index block) {
  constexpr Index kMost = Index{1} << 61;
  if (block > kMost / places) {
    throw Error(ErrorKind::count,
                fmt::format("{} blocks of {} indices are more than 2^61", places, block));
  }
  return block * places;
}

Ldd ldd_of(const BlockCyclic& dimension, Rank place, Index begin) {
  return {dimension.turn_of(place) * dimension.block - begin, dimension.block,
          block_stride(dimension.places, dimension.block)};
}

LddOverlap::LddOverlap(const Ldd& first, const Ldd& second, Index extent)
    : extent_(extent), period_(period_of(first.stride, second.stride)) {
  if (extent <= 0) return;
  const Ldd a = from_zero(first);
  const Ldd b = from_zero(second);
  const Index common = std::gcd(a.stride, b.stride);
  // Blocks may be far longer than the dimension.
  if (blocks_below(a, extent) + blocks_below(b, extent) < (a.block + b.block) / common) {
    merge(a, b);
  } else {
    solve(a, b, common);
  }
}

/// Block by block of both, as far as the dimension goes.
void LddOverlap::merge(const Ldd& a, const Ldd& b) {
  period_ = kEndless;
  for (Index x = a.offset, y = b.offset; std::max(x, y) < extent_;) {
    const Index begin = std::max(x, y);
    const Index end = std::min(x + a.block, y + b.block);
    if (begin < end && end > 0) stretches_.push_back({begin, end - begin});
    if (x + a.block == end) {
      x += a.stride;
    } else {
      y += b.stride;
    }
  }
}

/// For each distance that two blocks have which overlap, where they do so first.
void LddOverlap::solve(const Ldd& a, const Ldd& b, Index common) {
  const Index turns = b.stride / common;  // of a's blocks in a period
  const Index inverse = inverse_modulo(a.stride / common, turns);
  const Index apart = b.offset - a.offset;
  // By how much a block of b lies behind one of a that it overlaps.
  const Index least = 1 - b.block;
  for (Index delta = least + modulo(apart - least, common); delta < a.block; delta += common) {
    const Index u = product_modulo(modulo((apart - delta) / common, turns), inverse, turns);
    Index x = 0;
    if (__builtin_mul_overflow(a.stride, u, &x) || x >= extent_ - a.offset + b.block) continue;
    x += a.offset;
    const Index begin = std::max(x, x + delta);
    add(begin, std::min(x + a.block, x + delta + b.block) - begin);
  }
  std::ranges::sort(stretches_, {}, &Stretch::begin);
}

void LddOverlap::add(Index begin, Index length) {
  if (begin + length <= 0) {
    if (period_ >= extent_ - begin) return;
    begin += period_;
  }
  if (std::max(begin, Index{0}) < extent_) stretches_.push_back({begin, length});
}

Index LddOverlap::count() const {
  Index count = 0;
  for (const Stretch& stretch : stretches_) {
    const Index more = (extent_ - 1 - stretch.begin) / period_;
    const Index last_end = stretch.begin + more * period_ + stretch.length;
    count += (more + 1) * stretch.length - std::max(-stretch.begin, Index{0}) -
             std::max(last_end - extent_, Index{0});
  }
  return count;
}

}  // namespace shunt
