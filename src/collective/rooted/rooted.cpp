#include "collective/rooted/rooted.hpp"

#include <utility>

#include "exchange/native_call.hpp"
#include "exchange/native_plan.hpp"
#include "exchange/reached_blocks.hpp"
#include "model/narrow.hpp"

namespace shunt {

namespace {

template <class Blocks>
IntBlocks ints_of(const Blocks& blocks) {
  constexpr const char* kWhat = "a count or displacement of MPI's own collective";
  return {narrow<int>(blocks.bytes, kWhat), narrow<int>(blocks.offsets, kWhat)};
}

}  // namespace

Counters Rooted::call_native(const Problem& problem, const SendBlocks& send,
                             const ReceiveBlocks& receive) const {
  Context& context = *problem.context;
  // No rank knows of the others whether ints suffice, so all go by what suffices for any.
  const Bytes most = kLargestInt / context.ranks();
  auto& [sent, received] = context.buffers.native_sides;
  Reached out(send, most, kLargestInt, sent);
  Reached in(receive, most, kLargestInt, received);
  out.pack();
  NativeRequest native(post(context, problem.root, {out.base(), out.ints(), in.base(), in.ints()}));
  send_rests(context, send, receive, most);
  context.complete(native.request);
  in.unpack();
  Counters counters;
  counters.memory = out.memory() + in.memory();
  return counters;
}

std::unique_ptr<PlannedExchange> Rooted::plan_native(const Problem& problem, const SendBlocks& send,
                                                     const ReceiveBlocks& receive) const {
  auto begin = [this, root = problem.root, from = send.base, to = receive.base, out = ints_of(send),
                in = ints_of(receive)](const Context& context) {
    return post(context, root, {from, out, to, in});
  };
  return std::make_unique<NativePlan>(problem.context, std::move(begin));
}

}  // namespace shunt
