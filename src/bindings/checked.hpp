// Arithmetic on what a caller gives, checked against the 64 bits that it has to fit into.
#pragma once

#include <fmt/format.h>

#include "shunt/error.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// `a` of `what`, each of `b` bytes. Throws Error(count) where that exceeds 64 bits.
[[nodiscard]] inline Bytes times(Bytes a, Bytes b, const char* what) {
  Bytes product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    throw Error(ErrorKind::count,
                fmt::format("{} of {} times {} bytes exceeds 64 bits", what, a, b));
  }
  return product;
}

/// Throws Error(count) naming `what` where the sum exceeds 64 bits.
[[nodiscard]] inline Bytes plus(Bytes a, Bytes b, const char* what) {
  Bytes sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) {
    throw Error(ErrorKind::count, fmt::format("{}, {} and {}, exceeds 64 bits", what, a, b));
  }
  return sum;
}

}  // namespace shunt
