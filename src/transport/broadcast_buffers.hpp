// The broadcast buffers of all ranks of a node, and the order in which they are written and read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "shunt/types.hpp"
#include "transport/broadcast_buffer.hpp"
#include "transport/node.hpp"

namespace shunt {

/// Runs one all-gather at a time, in which every rank of the node publishes something to all
/// others, or that it has nothing, in as many rounds as it takes. A rank writes into the headers
/// and pages of its broadcast buffer in turn, and waits only for ranks that have not read what it
/// showed there before; so it never waits for the slowest reader of its last rounds.
class BroadcastBuffers {
 public:
  /// The longest round: so short that what is written is still in a cache when it is read, in all
  /// pages.
  static constexpr Bytes kLongestRound = 8192;

  /// Returns the number of every rank of the node, by place. Collective over the node.
  using AllgatherOnNode = std::function<std::vector<Bytes>(Bytes own)>;

  /// Collective over the node, which shares memory. Broadcast buffers for all-gathers of up to
  /// `longest` bytes a rank in one round, or for shorter rounds. Null, on all ranks of the node,
  /// where one of them has no room for its own. The node outlives the broadcast buffers.
  [[nodiscard]] static std::unique_ptr<BroadcastBuffers> make(
      Node& node, const AllgatherOnNode& allgather_on_node, Bytes longest);
  ~BroadcastBuffers();
  BroadcastBuffers(const BroadcastBuffers&) = delete;
  BroadcastBuffers& operator=(const BroadcastBuffers&) = delete;

  /// The numbers of the next `count` all-gathers; returns the first. All ranks draw the same ones.
  /// A number need not be used.
  [[nodiscard]] std::uint64_t draw(std::size_t count) {
    drawn_ += count;
    return drawn_ - count + 1;
  }

  /// Returns the broadcast buffer of the rank at `place` in the node.
  [[nodiscard]] const BroadcastBuffer& of(std::size_t place) const {
    return broadcast_buffers_[place];
  }
  [[nodiscard]] const BroadcastBuffer& own() const { return broadcast_buffers_[node_.place()]; }

  /// Whether all have read what lies where this rank would write at `moment`, of a message of
  /// `length` bytes in all.
  [[nodiscard]] bool has_room(Moment moment, Bytes length);
  /// Publishes what this rank has written for `moment`, of a message of `length` bytes in all.
  void publish(Moment moment, Bytes length);
  /// Publishes that this rank has read all that is published up to `moment`, or will not read it.
  void done_until(Moment moment) const {
    own().done().store(moment.value(), std::memory_order_release);
  }

 private:
  BroadcastBuffers(Node& node, const Node::Placed& own, const std::vector<Bytes>& offsets);

  Node& node_;
  Node::Placed placed_;
  std::vector<Region> regions_;                     ///< by place
  std::vector<BroadcastBuffer> broadcast_buffers_;  ///< by place
  std::uint64_t drawn_ = 0;
  /// What was written last that others have to read, by header and by page.
  Moment published_[BroadcastBuffer::kHeaders];
  Moment paged_[BroadcastBuffer::kPages];
  std::vector<Moment> seen_;  ///< by place: what its `done` said last; looking there costs
};

}  // namespace shunt
