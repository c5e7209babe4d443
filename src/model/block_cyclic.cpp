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

Ldd ldd_of(const BlockCyclic& dimension, Rank place, Index begin) {
  return {dimension.turn_of(place) * dimension.block - begin, dimension.block,
          block_stride(dimension.places, dimension.block)};
}

}  // namespace shunt
