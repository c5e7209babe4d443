// Redistributions that go together, as one rank has to do with them.
#pragma once

#include <cstddef>
#include <vector>

#include "redistribution/redistribution.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// One of them, with how this rank keeps its two arrays.
struct LocalRedistribution {
  Redistribution redistribution;
  std::vector<Bytes> from_strides;  ///< bytes, by dimension
  std::vector<Bytes> to_strides;
};

/// Calls `sends(array, message)` for all boxes that `rank` sends, `receives(array, message)` for
/// all that it receives. Those of one message come in the same order on both ranks.
template <class Sends, class Receives>
void for_each_box(const std::vector<LocalRedistribution>& redistributions, Rank rank, Bytes element,
                  Sends&& sends, Receives&& receives) {
  for (std::size_t array = 0; array < redistributions.size(); ++array) {
    const auto& [redistribution, from_strides, to_strides] = redistributions[array];
    for (const BoxMessage& message : redistribution.sends(rank, from_strides, element)) {
      sends(array, message);
    }
    for (const BoxMessage& message : redistribution.receives(rank, to_strides, element)) {
      receives(array, message);
    }
  }
}

}  // namespace shunt
