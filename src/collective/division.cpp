#include "collective/division.hpp"

#include <utility>

namespace shunt {

DividedCall divide(const Problem& problem, const Configuration& configuration,
                   const AgreedParts& agreed, CallForm form) {
  Needs needs = problem.kind.needs(problem, configuration, form);
  const Division division =
      divide(*problem.context, configuration, agreed, needs.name, needs.buffers);
  DividedCall divided{division.parts, std::move(needs), configuration};
  divided.configuration.grain = division.grain;
  return divided;
}

}  // namespace shunt
