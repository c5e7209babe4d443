// The integer types of the interface.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shunt {

/// A rank of a communicator, or a number of ranks or of nodes. 32 bits wide; MPI's own ranks are
/// ints.
using Rank = std::int32_t;

/// Returns `rank` as an index of a container with one element per rank.
[[nodiscard]] constexpr std::size_t index_of(Rank rank) { return static_cast<std::size_t>(rank); }

/// A number of bytes, or an offset in them. Always 64 bits wide.
using Bytes = std::int64_t;

/// A number of elements, or an offset in them. Always 64 bits wide.
using Count = std::int64_t;

/// An index of a dimension of an array, or a difference of two.
using Index = std::int64_t;

/// No rank: in a step of a schedule, that the step has no message in this direction.
inline constexpr Rank kNoRank = -1;

}  // namespace shunt
