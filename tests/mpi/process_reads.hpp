// What the ranks of these tests read from each other's memory: all of it passes through here.
#pragma once

#include <atomic>

#include "shunt/types.hpp"

namespace shunt::test {

struct ProcessReads {
  static inline std::atomic<Bytes> bytes = 0;  ///< so far, by this rank
  /// As if the system did not allow it.
  static inline std::atomic<bool> refused = false;
};

}  // namespace shunt::test
