// What a C++ caller chooses, under the names that are used from there on.
#pragma once

#include <optional>

#include "algorithms/canonical_name.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// The options of a call: the caller's own, or a copy with the algorithm's name where they have an
/// alias of it. The caller's outlive it.
class NamedOptions {
 public:
  explicit NamedOptions(const Options& asked) : asked_(asked) {
    // Most calls ask for "auto", which is not looked for.
    if (asked.algorithm == kAuto || !has_alias(asked.algorithm)) return;
    named_ = asked;
    named_->algorithm = canonical_name(asked.algorithm);
  }
  NamedOptions(const NamedOptions&) = delete;
  NamedOptions& operator=(const NamedOptions&) = delete;

  [[nodiscard]] operator const Options&() const { return named_ ? *named_ : asked_; }

 private:
  const Options& asked_;
  std::optional<Options> named_;
};

}  // namespace shunt
