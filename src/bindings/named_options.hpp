// What a C++ caller chooses, checked, and under the names that are used from there on.
#pragma once

#include <optional>

#include "shunt/options.hpp"

namespace shunt {

/// The options of a call: the caller's own, or a copy with the algorithm's name where they have an
/// alias of it. The caller's outlive it.
class NamedOptions {
 public:
  /// Throws Error(argument), with a sentence, for a field of `asked` that breaks its rule; whether
  /// there is such an algorithm is found out where it is made.
  explicit NamedOptions(const Options& asked);
  NamedOptions(const NamedOptions&) = delete;
  NamedOptions& operator=(const NamedOptions&) = delete;

  [[nodiscard]] operator const Options&() const { return named_ ? *named_ : asked_; }

 private:
  const Options& asked_;
  std::optional<Options> named_;
};

}  // namespace shunt
