// Addresses as numbers: a datatype may be made of absolute addresses, which are no offsets in any
// array.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shunt/types.hpp"

namespace shunt {

[[nodiscard]] inline Bytes address_of(const void* place) {
  return reinterpret_cast<std::intptr_t>(place);
}
[[nodiscard]] inline std::byte* at_address(Bytes address) {
  // There is no pointer that it could be derived from instead.
  return reinterpret_cast<std::byte*>(  // NOLINT(performance-no-int-to-ptr)
      static_cast<std::intptr_t>(address));
}

}  // namespace shunt
