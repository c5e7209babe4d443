// When each message of an exchange was under way: what a simulator yields and a Gantt chart shows.
#pragma once

#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// One message of one stage, from the moment its sender begins with it until its receiver has it.
struct Transfer {
  int stage = 0;
  Rank from = 0;
  Rank to = 0;
  Bytes bytes = 0;
  double begin = 0;  ///< seconds since the exchange began
  double end = 0;
};

/// The messages of a whole exchange, in no particular order.
struct Timeline {
  Rank ranks = 1;
  int stages = 1;
  double seconds = 0;  ///< until the last rank is done
  std::vector<Transfer> transfers;
};

}  // namespace shunt
