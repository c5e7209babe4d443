// What the ranks of these tests read from each other's memory: all of it passes through here.
#pragma once

#include <atomic>

#include "shunt/types.hpp"

namespace shunt::test {

struct ProcessReads {
  static inline std::atomic<Bytes> bytes = 0;  ///< so far, by this rank
  /// Longer ones to just behind where the bytes lie in their page, which take five times as long.
  static inline std::atomic<int> slow = 0;
  /// As if the system did not allow it.
  static inline std::atomic<bool> refused = false;
};

}  // namespace shunt::test
