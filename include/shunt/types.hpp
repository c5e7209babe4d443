// The integers of Shunt.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shunt {

/// A rank of a communicator, or a number of ranks. MPI's own ranks are ints.
using Rank = std::int32_t;

/// The place of a rank in a container that has one for each.
[[nodiscard]] constexpr std::size_t index_of(Rank rank) { return static_cast<std::size_t>(rank); }

/// A number of bytes or elements, or an offset in them. Always 64 bits wide.
using Bytes = std::int64_t;

/// An index of a dimension of an array, or a difference of two.
using Index = std::int64_t;

/// "Nobody": the step has no message in this direction.
inline constexpr Rank kNoRank = -1;

}  // namespace shunt
