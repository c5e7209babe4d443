#include "engine/native_call.hpp"

#include <algorithm>

#include "engine/block_exchange.hpp"
#include "engine/stage_runner.hpp"
#include "model/narrow.hpp"

namespace shunt {

namespace {

/// From so many bytes of an all-gather on, the blocking collective is worth a barrier before it.
/// The non-blocking one sends straight from rank to rank with Open MPI, which takes 10 to 30 times
/// as long between hosts; and other exchanges may wait for as long as this one moves its bytes, but
/// not for ranks that have not come to it yet.
constexpr Bytes kWorthMeeting = 65536;

/// What comes after the first `most` bytes of each block.
template <class Blocks>
Blocks rests_of(Blocks blocks, Bytes most) {
  for (std::size_t k = 0; k < blocks.bytes.size(); ++k) {
    const Bytes head = std::min(blocks.bytes[k], most);
    blocks.bytes[k] -= head;
    blocks.offsets[k] += head;
  }
  return blocks;
}

}  // namespace

Counters call_alltoallv(Context& context, const SendBlocks& send, const ReceiveBlocks& receive,
                        Bytes largest) {
  return call_with_ints(context, send, receive, largest,
                        [&](const auto&... sides) { return post_alltoallv(context, sides...); });
}

Counters call_allgatherv(Context& context, const AllgatherBlocks& blocks, Bytes largest) {
  const Bytes total = total_bytes(blocks.receive.bytes);
  (void)narrow<int>(total, "the sum of the counts of MPI_Allgatherv");
  Reached in(blocks.receive, kLargestInt, largest, context.scratch.native_sides[1]);
  const bool meets = total >= kWorthMeeting;
  if (meets) meet(context);
  NativeRequest native(post_allgatherv(context, blocks.own, in.base(), in.ints(), meets));
  if (!meets) context.progress.complete(native.request);
  in.unpack();
  Counters counters;
  counters.memory = in.memory();
  return counters;
}

void send_rests(Context& context, const SendBlocks& send, const ReceiveBlocks& receive,
                Bytes most) {
  if (std::max(std::ranges::max(send.bytes), std::ranges::max(receive.bytes)) <= most) {
    (void)context.draw_tag();
    return;
  }
  const Options straight{.algorithm = "linear", .shared_memory = false};
  const SendBlocks out = rests_of(send, most);
  const ReceiveBlocks in = rests_of(receive, most);
  exchange_directly(context, context.schedules.find(straight.algorithm, straight), straight, out,
                    in);
}

}  // namespace shunt
