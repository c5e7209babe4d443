// Large pages for long memory.
#pragma once

#include <cstddef>

namespace shunt {

/// Asks the system for large pages where there is much memory that was never touched: the first
/// touch costs a fraction then, and copies from everywhere in it find their pages sooner. Only a
/// hint, whose failure is ignored.
void prefer_large_pages(std::byte* memory, std::size_t bytes);

}  // namespace shunt
