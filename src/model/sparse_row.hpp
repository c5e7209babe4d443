// What one rank has for the others, without the empty blocks.
#pragma once

#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// One non-empty block of a row.
struct SparseCount {
  Rank destination;
  Bytes count;

  friend bool operator==(const SparseCount&, const SparseCount&) = default;
};

/// The non-empty blocks of one rank, destinations ascending.
using SparseRow = std::vector<SparseCount>;

}  // namespace shunt
