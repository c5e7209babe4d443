// What a redistribution does with elements where they arrive, beside copying them.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>

#include "shunt/types.hpp"

namespace shunt {

/// Puts `count` elements, which follow each other at `arrived`, together with those that are there:
/// from one of these to the next it is `stride` bytes.
using ElementUpdate =
    std::function<void(std::byte* there, Bytes stride, const std::byte* arrived, Index count)>;

/// there = alpha * arrived + beta * there, or with the complex conjugate of what arrives. Where
/// alpha is 0 it does not count what arrives, and where beta is 0 what is there, even if it is no
/// number.
template <class T>
struct LinearUpdate {
  T alpha = T(1);
  T beta = T(0);
  bool conjugate = false;

  /// None where it is the same as to copy.
  [[nodiscard]] ElementUpdate for_elements() const {
    static_assert(64 % sizeof(T) == 0, "elements are moved in pieces of whole cache lines");
    if (beta == T(0)) {
      if (alpha == T(1) && !conjugate) return {};
      return update([*this](const T& arrived, const T& /*there*/) { return scaled(arrived); });
    }
    return update(
        [*this](const T& arrived, const T& there) { return scaled(arrived) + beta * there; });
  }

 private:
  template <class Combine>
  static ElementUpdate update(Combine combine) {
    return [combine](std::byte* there, Bytes stride, const std::byte* arrived, Index count) {
      // What arrives need not be aligned as a T is.
      const auto element = [arrived](Index i) {
        T value;
        std::memcpy(&value, arrived + i * static_cast<Bytes>(sizeof(T)), sizeof(T));
        return value;
      };
      if (stride == static_cast<Bytes>(sizeof(T))) {
        T* const to = reinterpret_cast<T*>(there);
        for (Index i = 0; i < count; ++i) to[i] = combine(element(i), to[i]);
        return;
      }
      for (Index i = 0; i < count; ++i) {
        T& to = *reinterpret_cast<T*>(there + i * stride);
        to = combine(element(i), to);
      }
    };
  }

  [[nodiscard]] T scaled(const T& arrived) const {
    if (alpha == T(0)) return T(0);
    if (!conjugate) return alpha * arrived;
    // Whoever has complex numbers has included what they are.
    if constexpr (requires { conj(arrived); }) {
      return alpha * conj(arrived);
    } else {
      return alpha * arrived;
    }
  }
};

}  // namespace shunt
