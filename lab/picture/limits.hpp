// What is too large to be seen.
#pragma once

#include <fmt/format.h>

#include "shunt/error.hpp"
#include "shunt/types.hpp"

namespace shunt {

inline constexpr Rank kMostDrawnRanks = 256;

/// Throws Error(argument) for more ranks than a picture has room for.
inline void check_drawn_ranks(Rank ranks) {
  if (ranks > kMostDrawnRanks) {
    throw Error(ErrorKind::argument,
                fmt::format("{} ranks are too many to draw; {} can be", ranks, kMostDrawnRanks));
  }
}

}  // namespace shunt
