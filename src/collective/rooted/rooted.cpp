#include "collective/rooted/rooted.hpp"

#include <utility>

#include "engine/native_call.hpp"
#include "engine/native_plan.hpp"
#include "engine/reached_blocks.hpp"

namespace shunt {

Counters Rooted::call_native(const Problem& problem, const SendBlocks& send,
                             const ReceiveBlocks& receive) const {
  Context& context = *problem.context;
  return call_with_ints(
      context, send, receive, kLargestInt,
      [&](const std::byte* from, const IntBlocks& out, std::byte* to, const IntBlocks& in) {
        return post(context, problem.root, {from, out, to, in});
      });
}

std::unique_ptr<PlannedExchange> Rooted::plan_native(const Problem& problem, const SendBlocks& send,
                                                     const ReceiveBlocks& receive) const {
  constexpr const char* kWhat = "a count or displacement of MPI's own collective";
  auto begin = [this, root = problem.root, from = send.base, to = receive.base,
                out = ints_of(send, kWhat), in = ints_of(receive, kWhat)](const Context& context) {
    return post(context, root, {from, out, to, in});
  };
  return std::make_unique<NativePlan>(problem.context, std::move(begin));
}

}  // namespace shunt
