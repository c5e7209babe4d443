#include <memory>

#include "bindings/plan_implementation.hpp"
#include "bindings/redistribution_calls.hpp"
#include "shunt/yard.hpp"

namespace shunt {

Plan Yard::plan_redistributions_bytes(const std::vector<ArrayTransfer<std::byte>>& transfers,
                                      std::size_t element, const Options& options) {
  return Plan(shunt::plan_redistribution(state_, options, transfers, static_cast<Bytes>(element)));
}

}  // namespace shunt
