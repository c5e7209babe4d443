#include "model/block_cyclic.hpp"

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

Ldd BlockCyclic::ldd(Rank place, Index begin) const {
  Index stride = 0;
  if (__builtin_mul_overflow(block, Index{places}, &stride)) {
    throw Error(ErrorKind::count,
                fmt::format("{} blocks of {} indices do not fit into 64 bits", places, block));
  }
  return {turn_of(place) * block - begin, block, stride};
}

}  // namespace shunt
