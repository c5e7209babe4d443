// A traffic as the cost models see it, and the machine constants they need.
#pragma once

#include <algorithm>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// Two numbers that bound a traffic (Liu 2002, Section 3): L_max and M_max, in bytes.
struct TrafficBound {
  Bytes largest_load = 0;   ///< the most that one rank sends, or receives
  Bytes longest_block = 0;  ///< the longest block
};

/// Row and column sums of a traffic, in bytes; all that the flat model needs.
struct Loads {
  std::vector<Bytes> out;  ///< by sender
  std::vector<Bytes> in;   ///< by receiver
  Bytes longest_block = 0;

  [[nodiscard]] TrafficBound bound() const {
    TrafficBound bound{0, longest_block};
    for (const Bytes load : out) bound.largest_load = std::max(bound.largest_load, load);
    for (const Bytes load : in) bound.largest_load = std::max(bound.largest_load, load);
    return bound;
  }
};

/// The flat communication model (Liu 2002, Section 2.1).
struct LinkCost {
  double start_up = 0;  ///< T_s, seconds a message
  double per_byte = 0;  ///< t_c + t_d, seconds a byte
  double copy = 0;      ///< t_m, seconds a byte of local copying
};

/// What a message costs between two ranks of one machine of today through shared memory; used until
/// a machine has been measured.
inline constexpr LinkCost kTypicalLink{1e-6, 2e-10, 1e-10};

}  // namespace shunt
