// Send and receive blocks that lie in the same memory.
#pragma once

#include "bindings/typed_side.hpp"

namespace shunt::c {

/// Throws Error(buffer) where contiguous pieces of the two sides overlap. Of a block in many pieces
/// only the first one is looked at: sides that interleave without overlapping are right. Costs a
/// pass over the blocks, and sorting them where the two sides lie in the same region.
void expect_no_overlap(const TypedSide& send, const TypedSide& receive);

}  // namespace shunt::c
