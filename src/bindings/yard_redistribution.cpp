#include <memory>
#include <utility>

#include "bindings/plan_implementation.hpp"
#include "bindings/redistribution_calls.hpp"
#include "shunt/yard.hpp"

namespace shunt {

Plan Yard::plan_redistribution_bytes(const DistributedArray<const std::byte>& from,
                                     const DistributedArray<std::byte>& to,
                                     const ArraySection& section, std::size_t element,
                                     ElementUpdate update, const Options& options) {
  return Plan(std::make_unique<Plan::Implementation>(
      state_, shunt::plan_redistribution(state_, options, from, to, section,
                                         static_cast<Bytes>(element), std::move(update))));
}

}  // namespace shunt
