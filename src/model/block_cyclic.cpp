#include "model/block_cyclic.hpp"

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

Index block_stride(Rank places, Index block) {
  constexpr Index kMost = Index{1} << 61;
  if (block > kMost / places) {
    throw Error(ErrorKind::count,
                fmt::format("{} blocks of {} indices are more than 2^61", places, block));
  }
  return block * places;
}

Ldd BlockCyclic::ldd(Rank place, Index begin) const {
  return {turn_of(place) * block - begin, block, block_stride(places, block)};
}

}  // namespace shunt
