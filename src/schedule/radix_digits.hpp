// Going round a circle of places digit by digit, in any radix.
#pragma once

#include <algorithm>

#include "shunt/error.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// The distance from one of `size` places to another, modulo `size`, has digits to the base
/// `radix`. In stage i whatever is under way moves by digit i times radix^i, so that after
/// ceil(log_radix size) stages it is there (Bruck et al. 1997, for any radix).
class RadixDigits {
 public:
  /// Throws Error(argument) unless 1 <= size and 2 <= radix.
  RadixDigits(Rank size, Rank radix);

  /// One stage, in which everything moves all its way.
  [[nodiscard]] static RadixDigits linear(Rank size) { return {size, std::max(size, 2)}; }

  [[nodiscard]] Rank size() const { return size_; }
  [[nodiscard]] Rank radix() const { return radix_; }

  /// Stages in which anything moves: none for a single place.
  [[nodiscard]] int stages() const;

  /// radix^stage, or `size` if that is less.
  [[nodiscard]] Rank power(int stage) const;

  /// The largest digit that a distance has in `stage`; 0 from stage stages() on.
  [[nodiscard]] Rank largest_digit(int stage) const {
    return std::min(radix_ - 1, (size_ - 1) / power(stage));
  }

  /// The most distances that differ in the digits after `stage` alone.
  [[nodiscard]] Rank farther(int stage) const { return (size_ - 1) / power(stage + 1) + 1; }

  /// Where that goes in `stage` which is at `at` and has `target` ahead.
  [[nodiscard]] Rank next(int stage, Rank at, Rank target) const {
    const Rank distance = target >= at ? target - at : target - at + size_;
    return shifted(at, distance / power(stage) % radix_, stage);
  }

  /// `digit` times radix^stage places further, or back if the digit is negative.
  [[nodiscard]] Rank shifted(Rank at, Rank digit, int stage) const {
    const Bytes place = (at + Bytes{digit} * power(stage)) % size_;
    return static_cast<Rank>(place < 0 ? place + size_ : place);
  }

 private:
  Rank size_;
  Rank radix_;
};

}  // namespace shunt
