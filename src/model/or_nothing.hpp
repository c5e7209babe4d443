// Steps whose failure does no harm, or must not leave this rank alone.
#pragma once

#include <exception>

namespace shunt {

/// Returns what `step()` returns; where it throws an empty value, false or null.
template <class Step>
auto or_nothing(Step&& step) noexcept -> decltype(step()) {
  try {
    return step();
  } catch (const std::exception&) {
    return decltype(step())();
  }
}

}  // namespace shunt
