#include <memory>
#include <utility>

#include <fmt/format.h>

#include "bindings/agreed.hpp"
#include "bindings/checked.hpp"
#include "bindings/named_options.hpp"
#include "bindings/plan_implementation.hpp"
#include "bindings/redistribution_calls.hpp"
#include "shunt/communicator.hpp"
#include "shunt/error.hpp"
#include "transport/node_memory.hpp"

namespace shunt {

Plan Communicator::plan_redistributions_bytes(
    const std::vector<ArrayTransfer<std::byte>>& transfers, std::size_t element,
    const Options& asked) {
  const NamedOptions options(asked);
  GatheredArrays gathered = agreed(*state_, [&] {
    return gather_arrays(*state_, options, transfers, static_cast<Bytes>(element));
  });
  return Plan(plan_gathered(state_, options, std::move(gathered)));
}

Counters Communicator::redistribute_bytes(const ArrayTransfer<std::byte>& transfer,
                                          std::size_t element, const Options& asked) {
  const NamedOptions options(asked);
  const auto size = static_cast<Bytes>(element);
  return redistribute_once(state_, options,
                           [&] { return gather_arrays(*state_, options, {transfer}, size); });
}

std::pair<std::shared_ptr<const void>, std::span<std::byte>> Communicator::shared_bytes(
    Count count, std::size_t element) {
  const Bytes bytes = agreed(*state_, [&] {
    if (count < 0) {
      throw Error(ErrorKind::count,
                  fmt::format("the array has {} elements; it has at least none", count));
    }
    return times(count, static_cast<Bytes>(element), "an array in the node's memory");
  });
  std::shared_ptr<const NodeMemory> memory =
      NodeMemory::create(state_->comm(), state_->node(), bytes);
  const std::span<std::byte> own = memory->own();
  return {std::move(memory), own};
}

}  // namespace shunt
