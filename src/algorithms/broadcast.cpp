#include "algorithms/broadcast.hpp"

namespace shunt {

int Broadcast::start_ups() const {
  int count = 0;
  for (int stage = 0; stage < stages(); ++stage) count += step_count(stage);
  return count;
}

}  // namespace shunt
