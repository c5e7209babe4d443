// What a redistribution does with arriving elements other than copying them.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>

#include "shunt/types.hpp"

namespace shunt {

/// Combines `count` arriving elements, which lie one after the other at `arrived`, with the
/// elements at `there`, and leaves the results there. Those lie `stride` bytes apart. `arrived`
/// need not be aligned as an element is. Called by the rank that has the elements, within calls
/// that make progress with the redistribution.
using ElementUpdate =
    std::function<void(std::byte* there, Bytes stride, const std::byte* arrived, Index count)>;

/// The update there = alpha * arrived + beta * there. Where alpha is 0, `arrived` is ignored, and
/// where beta is 0, `there` is, even if it is not a number.
template <class T>
struct LinearUpdate {
  T alpha = T(1);
  T beta = T(0);
  bool conjugate = false;  ///< whether the complex conjugate of `arrived` is taken

  /// Returns this update for ArrayTransfer::update; none where it only copies. Local.
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
    // A caller with complex numbers has included the header that declares conj.
    if constexpr (requires { conj(arrived); }) {
      return alpha * conj(arrived);
    } else {
      return alpha * arrived;
    }
  }
};

}  // namespace shunt
