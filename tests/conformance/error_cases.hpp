// Wrong calls, of which both MPI and Shunt have to tell the same.
#pragma once

#include <string>

#include "conformance/dice.hpp"

namespace shunt::test {

/// One argument of a call on a communicator of one rank is wrong, so that nobody waits.
class ErrorCase {
 public:
  explicit ErrorCase(Dice& dice) : function_(dice.below(5)), wrong_(dice.below(kWrong)) {}

  /// Empty, or how the error classes differ.
  [[nodiscard]] std::string run() const;

  [[nodiscard]] std::string describe() const;

  static constexpr int kWrong = 7;

 private:
  int function_;
  int wrong_;
};

}  // namespace shunt::test
