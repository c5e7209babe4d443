// What a place of a block-cyclic dimension has, as a local data descriptor.
#pragma once

#include "model/ldd.hpp"
#include "shunt/array_layout.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// From one block of a place to its next: places * block. Throws Error(count) where that is more
/// than 2^61, so that sums of indices and blocks fit into 64 bits.
[[nodiscard]] Index block_stride(Rank places, Index block);

/// The indices of a place, as distances from `begin`: those of the part that begins there, if one
/// asks for none below 0. Throws Error(count) as `block_stride` does.
[[nodiscard]] Ldd ldd_of(const BlockCyclic& dimension, Rank place, Index begin = 0);

}  // namespace shunt
