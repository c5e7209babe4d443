#include "schedule/radix_digits.hpp"

#include <fmt/format.h>

namespace shunt {

RadixDigits::RadixDigits(Rank size, Rank radix) : size_(size), radix_(radix) {
  if (size < 1) {
    throw Error(ErrorKind::argument, fmt::format("the number of ranks is {}, not positive", size));
  }
  if (radix < 2) {
    throw Error(ErrorKind::argument, fmt::format("the radix is {}, but must be 2 or more", radix));
  }
}

int RadixDigits::stages() const {
  int stages = 0;
  while (power(stages) < size_) ++stages;
  return stages;
}

Rank RadixDigits::power(int stage) const {
  Bytes power = 1;
  for (int i = 0; i < stage && power < size_; ++i) power *= radix_;
  return static_cast<Rank>(std::min(power, Bytes{size_}));
}

}  // namespace shunt
