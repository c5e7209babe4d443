// Redistributions of arrays in this rank's memory, from the arguments of a call to the engine.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "bindings/plan_implementation.hpp"
#include "context/context.hpp"
#include "engine/redistribution_run.hpp"
#include "shunt/array_layout.hpp"
#include "shunt/distributed_array.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// Redistributions that go together, and where this rank keeps their arrays.
struct GatheredArrays {
  Bytes element = 1;
  MessageOrder order = MessageOrder::by_distance;
  std::vector<LocalRedistribution> redistributions = {};
  std::vector<BoxArrays::Pair> memory = {};
};

/// How a rank keeps its part of an array.
struct LocalPart {
  std::vector<Bytes> strides;  ///< bytes from one local index to the next, by dimension
  Bytes end = 0;               ///< where its last element ends; 0 if it has none
};

/// `layout` is valid; `strides` are in elements, or none where the part has no gaps. Errors begin
/// with `what`. Throws Error(count) where their number is wrong or 64 bits are not enough,
/// Error(argument) where one is less than 1.
[[nodiscard]] LocalPart local_part(const ArrayLayout& layout, const std::vector<Index>& strides,
                                   Rank rank, Bytes element, std::string_view what);

/// Reads and checks what this rank has of the arrays of `transfers`. Local. Throws Error where
/// Communicator::plan_redistributions does for a rank's own arguments.
[[nodiscard]] GatheredArrays gather_arrays(const Context& context, const Options& options,
                                           const std::vector<ArrayTransfer<std::byte>>& transfers,
                                           Bytes element);

/// Collective: a plan of what each rank has gathered.
[[nodiscard]] std::unique_ptr<Plan::Implementation> plan_gathered(
    const std::shared_ptr<Context>& context, const Options& options, GatheredArrays gathered);

/// Makes a redistribution once, of what `gather` returns. Collective. Where `gather` throws, this
/// rank sends nothing, so that the ranks' later calls match, and then throws that.
Counters redistribute_once(const std::shared_ptr<Context>& context, const Options& options,
                           const std::function<GatheredArrays()>& gather);

}  // namespace shunt
