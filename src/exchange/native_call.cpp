#include "exchange/native_call.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "exchange/copies.hpp"
#include "exchange/direct_exchange.hpp"
#include "exchange/native_plan.hpp"
#include "exchange/stage_runner.hpp"

namespace shunt {

namespace {

/// The first `most` bytes of each block.
template <class Blocks>
Blocks heads_of(Blocks blocks, Bytes most) {
  for (Bytes& bytes : blocks.bytes) bytes = std::min(bytes, most);
  return blocks;
}

/// What comes after them.
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

/// One side as MPI's displacements reach it: the blocks where they are, or a packed copy.
template <class Blocks>
class Reached {
 public:
  Reached(const Blocks& blocks, Bytes largest) : given_(blocks), used_(blocks) {
    for (std::size_t k = 0; k < blocks.bytes.size(); ++k) {
      // MPI may look at the place of a block of no bytes.
      if (blocks.bytes[k] == 0) used_.offsets[k] = 0;
      copied_ = copied_ || used_.offsets[k] > largest || used_.offsets[k] < -largest;
    }
    if (!copied_) return;
    memory_.resize(static_cast<std::size_t>(total_bytes(blocks.bytes)));
    used_.base = memory_.data();
    std::exclusive_scan(blocks.bytes.begin(), blocks.bytes.end(), used_.offsets.begin(), Bytes{0});
  }

  [[nodiscard]] const Blocks& blocks() const { return used_; }
  [[nodiscard]] Bytes memory() const { return std::ssize(memory_); }

  void pack() {
    for (std::size_t k = 0; copied_ && k < given_.bytes.size(); ++k) {
      copy_bytes(memory_.data() + used_.offsets[k], given_.block(k), given_.bytes[k]);
    }
  }
  void unpack() const {
    for (std::size_t k = 0; copied_ && k < given_.bytes.size(); ++k) {
      copy_bytes(given_.block(k), used_.block(k), given_.bytes[k]);
    }
  }

 private:
  Blocks given_;
  Blocks used_;
  bool copied_ = false;
  std::vector<std::byte> memory_;
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

Counters call_alltoallv(const std::shared_ptr<YardState>& yard, const SendBlocks& send,
                        const ReceiveBlocks& receive, Bytes largest) {
  const Bytes most = largest / yard->ranks();
  Reached out(heads_of(send, most), largest);
  Reached in(heads_of(receive, most), largest);
  out.pack();
  const auto native = native_alltoallv(yard, out.blocks(), in.blocks());
  native->start();
  send_rests(*yard, send, receive, most);
  native->wait();
  in.unpack();
  native->counters.memory += out.memory() + in.memory();
  return std::move(native->counters);
}

bool allgatherv_carries(Bytes total) { return total <= kLargestInt; }

Counters call_allgatherv(const std::shared_ptr<YardState>& yard, const BroadcastBlocks& blocks,
                         Bytes largest) {
  Reached in(blocks.receive, largest);
  const BroadcastBlocks reached{blocks.own, in.blocks()};
  Counters counters;
  if (total_bytes(blocks.receive.bytes) >= kWorthMeeting) {
    meet(*yard);
    run_native_allgatherv(*yard, reached);
  } else {
    const auto native = native_allgatherv(yard, reached);
    native->start();
    native->wait();
    counters = std::move(native->counters);
  }
  in.unpack();
  counters.memory += in.memory();
  return counters;
}

}  // namespace shunt
