#include "exchange/native_call.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "exchange/byte_buffer.hpp"
#include "exchange/copies.hpp"
#include "exchange/direct_exchange.hpp"
#include "exchange/native_plan.hpp"
#include "exchange/stage_runner.hpp"
#include "model/narrow.hpp"

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

/// The first `most` bytes of each block of one side as MPI's displacements reach them: where they
/// are, or in a packed copy.
template <class Blocks>
class Reached {
 public:
  /// Both are kept until the call is over; `ints` for the memory that it has.
  Reached(const Blocks& blocks, Bytes most, Bytes largest, IntBlocks& ints)
      : blocks_(blocks), base_(blocks.base), ints_(ints) {
    const std::size_t ranks = blocks.bytes.size();
    ints.counts.resize(ranks);
    ints.places.resize(ranks);
    for (std::size_t k = 0; k < ranks; ++k) {
      const Bytes bytes = std::min(blocks.bytes[k], most);
      // MPI may look at the place of a block of no bytes.
      const Bytes place = bytes == 0 ? 0 : blocks.offsets[k];
      ints.counts[k] = static_cast<int>(bytes);
      ints.places[k] = static_cast<int>(place);
      copied_ = copied_ || place > largest || place < -largest;
    }
    if (!copied_) return;
    std::exclusive_scan(ints.counts.begin(), ints.counts.end(), ints.places.begin(), 0);
    memory_ = make_bytes(static_cast<std::size_t>(memory()));
    base_ = memory_.get();
  }

  [[nodiscard]] auto base() const { return base_; }
  [[nodiscard]] const IntBlocks& ints() const { return ints_; }
  [[nodiscard]] Bytes memory() const {
    return copied_ ? Bytes{ints_.counts.back()} + ints_.places.back() : 0;
  }

  void pack() {
    for (std::size_t k = 0; copied_ && k < ints_.counts.size(); ++k) {
      copy_bytes(memory_.get() + ints_.places[k], blocks_.block(k), ints_.counts[k]);
    }
  }
  void unpack() const {
    for (std::size_t k = 0; copied_ && k < ints_.counts.size(); ++k) {
      copy_bytes(blocks_.block(k), memory_.get() + ints_.places[k], ints_.counts[k]);
    }
  }

 private:
  const Blocks& blocks_;
  decltype(Blocks::base) base_;
  IntBlocks& ints_;
  bool copied_ = false;
  OwnBytes memory_;
};

/// From so many bytes of a broadcast on, the blocking collective is worth a barrier before it. The
/// non-blocking one sends straight from rank to rank with Open MPI, which takes 10 to 30 times as
/// long between hosts; and other exchanges may wait for as long as this one moves its bytes, but
/// not for ranks that have not come to it yet.
constexpr Bytes kWorthMeeting = 65536;

/// On all ranks in step, though only those with such blocks have anything to do.
void send_rests(YardState& yard, const SendBlocks& send, const ReceiveBlocks& receive, Bytes most) {
  if (!are_longer(send.bytes, most) && !are_longer(receive.bytes, most)) {
    (void)yard.draw_tag();
    return;
  }
  const Options straight{.algorithm = "a1", .shared_memory = false};
  const SendBlocks out = rests_of(send, most);
  const ReceiveBlocks in = rests_of(receive, most);
  (void)DirectExchange(yard, yard.schedule(straight.algorithm, straight), straight, out, in).run();
}

}  // namespace

Counters call_alltoallv(YardState& yard, const SendBlocks& send, const ReceiveBlocks& receive,
                        Bytes largest) {
  const Bytes most = largest / yard.ranks();
  auto& [sent, received] = yard.buffers.native_sides;
  Reached out(send, most, largest, sent);
  Reached in(receive, most, largest, received);
  out.pack();
  NativeRequest native(post_alltoallv(yard, out.base(), out.ints(), in.base(), in.ints()));
  send_rests(yard, send, receive, most);
  yard.complete(native.request);
  in.unpack();
  Counters counters;
  counters.memory = out.memory() + in.memory();
  return counters;
}

bool allgatherv_carries(Bytes total) { return total <= kLargestInt; }

Counters call_allgatherv(YardState& yard, const BroadcastBlocks& blocks, Bytes largest) {
  const Bytes total = total_bytes(blocks.receive.bytes);
  (void)narrow<int>(total, "the sum of the counts of MPI_Allgatherv");
  Reached in(blocks.receive, kLargestInt, largest, yard.buffers.native_sides[1]);
  if (total >= kWorthMeeting) {
    meet(yard);
    run_native_allgatherv(yard, blocks.own, in.base(), in.ints());
  } else {
    NativeRequest native(post_allgatherv(yard, blocks.own, in.base(), in.ints()));
    yard.complete(native.request);
  }
  in.unpack();
  Counters counters;
  counters.memory = in.memory();
  return counters;
}

}  // namespace shunt
