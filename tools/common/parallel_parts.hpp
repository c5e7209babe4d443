// Work in parts that threads share.
#pragma once

#include <functional>

namespace shunt {

/// Calls `make(part)` for all parts from `count` - 1 down to 0, on `threads` threads. The longest
/// parts should have the highest numbers, so that all threads end at about the same time. On a
/// terminal standard error shows how many are done. Throws what a part threw, after which no other
/// part is begun.
void for_each_part(int count, int threads, const std::function<void(int part)>& make);

}  // namespace shunt
