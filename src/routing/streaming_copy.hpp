// Copies past the caches, for memory that nobody reads soon.
#pragma once

#include <cstddef>

#include "shunt/types.hpp"

namespace shunt {

/// Writes whole cache lines without reading them first. `streaming_done` is to be called before
/// others are told of the bytes.
void streaming_copy(std::byte* to, const std::byte* from, std::size_t bytes);

void streaming_done();

/// So many bytes that arrive on a node its caches keep, beside where they come from and what else
/// the program uses.
[[nodiscard]] Bytes kept_by_caches();

}  // namespace shunt
