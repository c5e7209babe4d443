// Into how many parts a call is divided, so that it keeps within a limit of memory.
#pragma once

#include <utility>

#include "collective/collective.hpp"

namespace shunt {

struct DividedCall {
  Parts parts;
  Needs needs;
  Configuration configuration;  ///< with the grain by which the parts keep within the limit
};

/// Divides a call with a limit of memory that is made by `configuration`. Collective; `agreed` is
/// what the ranks know of each other's buffers. Throws Error(argument) on all ranks where no number
/// of parts keeps within the limit.
[[nodiscard]] inline DividedCall divide(const Problem& problem, const Configuration& configuration,
                                        const AgreedParts& agreed, CallForm form) {
  Needs needs = problem.kind.needs(problem, configuration, form);
  const Division division =
      divide(*problem.context, configuration, agreed, needs.name, needs.buffers);
  DividedCall divided{division.parts, std::move(needs), configuration};
  divided.configuration.grain = division.grain;
  return divided;
}

}  // namespace shunt
