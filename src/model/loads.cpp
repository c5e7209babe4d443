#include "model/loads.hpp"

#include <algorithm>

namespace shunt {

TrafficBound Loads::bound() const {
  TrafficBound bound{0, longest_block};
  for (const Bytes load : out) bound.largest_load = std::max(bound.largest_load, load);
  for (const Bytes load : in) bound.largest_load = std::max(bound.largest_load, load);
  return bound;
}

}  // namespace shunt
