// The MPI library's own collectives as one-shot calls of blocks of any lengths, anywhere. No rank
// knows whether MPI's ints suffice for the others, and none has to ask.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>

#include "context/blocks.hpp"
#include "context/byte_buffer.hpp"
#include "context/context.hpp"
#include "engine/copies.hpp"
#include "engine/native_plan.hpp"
#include "shunt/counters.hpp"

namespace shunt {

/// The largest count and displacement of MPI.
inline constexpr Bytes kLargestInt = std::numeric_limits<int>::max();

/// Exchanges blocks by MPI_Ialltoallv, which moves the first `largest` / ranks bytes of each block,
/// and by straight messages with the rest of longer ones. Where this rank's blocks lie too far
/// apart for displacements up to `largest`, MPI_Ialltoallv moves packed copies: up to `largest`
/// bytes in each direction, which `Counters::memory` counts. Collective. `largest` is equal on all
/// ranks, and smaller than kLargestInt in tests alone.
[[nodiscard]] Counters call_alltoallv(Context& context, const SendBlocks& send,
                                      const ReceiveBlocks& receive, Bytes largest = kLargestInt);

/// Gathers blocks by MPI_Allgatherv, after a barrier that drives other exchanges, or, if they are
/// short, by MPI_Iallgatherv. Receives into a packed copy where blocks lie too far apart for
/// displacements up to `largest`. Collective. Throws Error(count) where all blocks together exceed
/// kLargestInt.
[[nodiscard]] Counters call_allgatherv(Context& context, const AllgatherBlocks& blocks,
                                       Bytes largest = kLargestInt);

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

/// Sends what comes after the first `most` bytes of each block. On all ranks in step, though only
/// those with such blocks have anything to do.
void send_rests(Context& context, const SendBlocks& send, const ReceiveBlocks& receive, Bytes most);

/// Moves the blocks by a collective of MPI, which `post(from, out, to, in)` begins with ints for
/// the first `largest` / ranks bytes of each block; see call_alltoallv. Collective.
template <class Post>
Counters call_with_ints(Context& context, const SendBlocks& send, const ReceiveBlocks& receive,
                        Bytes largest, const Post& post) {
  // No rank knows of the others whether ints suffice, so all go by what suffices for any.
  const Bytes most = largest / context.ranks();
  auto& [sent, received] = context.scratch.native_sides;
  Reached out(send, most, largest, sent);
  Reached in(receive, most, largest, received);
  out.pack();
  NativeRequest native(post(out.base(), out.ints(), in.base(), in.ints()));
  send_rests(context, send, receive, most);
  context.progress.complete(native.request);
  in.unpack();
  Counters counters;
  counters.memory = out.memory() + in.memory();
  return counters;
}

}  // namespace shunt
