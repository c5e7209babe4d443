// Which modes a test tries, so that it stays quick where ranks are many.
#pragma once

#include <span>

#include "mpi/block_case.hpp"

namespace shunt::test {

/// All modes on few ranks; on many, where every exchange costs time, one of them in turn.
inline std::span<const Mode> modes_in_turn(std::size_t turn) {
  constexpr int kFewRanks = 8;
  const std::span all(kModes);
  return world_size() <= kFewRanks ? all : all.subspan(turn % all.size(), 1);
}

}  // namespace shunt::test
