#include "engine/reached_blocks.hpp"

#include <algorithm>
#include <vector>

#include "engine/block_exchange.hpp"

namespace shunt {

namespace {

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

bool are_longer(const std::vector<Bytes>& lengths, Bytes most) {
  return std::ranges::any_of(lengths, [=](Bytes bytes) { return bytes > most; });
}

}  // namespace

void send_rests(Context& context, const SendBlocks& send, const ReceiveBlocks& receive,
                Bytes most) {
  if (!are_longer(send.bytes, most) && !are_longer(receive.bytes, most)) {
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
