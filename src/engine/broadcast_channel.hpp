// The part of an all-gather that goes through the broadcast buffers of a node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "context/allgather_route.hpp"
#include "context/blocks.hpp"
#include "transport/broadcast_buffers.hpp"
#include "transport/node_channel.hpp"

namespace shunt {

/// Goes through pieces of memory from the first to the last byte.
template <class Byte>
class PieceWalk {
 public:
  /// `base` and `pieces` must outlive the walk.
  PieceWalk(Byte* base, std::span<const Run> pieces) : base_(base), pieces_(pieces) {}

  /// Calls `move(at, bytes)` for each piece of the next `bytes` bytes.
  template <class Move>
  void next(Bytes bytes, Move&& move) {
    while (bytes > 0) {
      const Run& piece = pieces_[index_];
      const Bytes here = std::min(bytes, piece.length - done_);
      move(base_ + piece.offset + done_, here);
      bytes -= here;
      done_ += here;
      if (done_ < piece.length) continue;
      ++index_;
      done_ = 0;
    }
  }

 private:
  Byte* base_;
  std::span<const Run> pieces_;
  std::size_t index_ = 0;
  Bytes done_ = 0;  ///< of the piece
};

class BroadcastChannel final : public NodeChannel {
 public:
  /// `broadcast_buffers` serve this channel alone, or one channel after the other. What `blocks`
  /// refers to outlives it.
  BroadcastChannel(std::shared_ptr<BroadcastBuffers> broadcast_buffers,
                   std::shared_ptr<const AllgatherRoute> route, const AllgatherBlocks& blocks)
      : broadcast_buffers_(std::move(broadcast_buffers)),
        route_(std::move(route)),
        own_(blocks.own.data()),
        receive_(blocks.receive.base) {}
  /// Declares all as read, so that after an error no rank waits for this one.
  ~BroadcastChannel() override;

  /// Has the channel serve these blocks from now on, of equal lengths and at equal offsets. Not
  /// while it is under way.
  void move_to(const AllgatherBlocks& blocks) {
    own_ = blocks.own.data();
    receive_ = blocks.receive.base;
  }

  void begin() override { first_ = broadcast_buffers_->draw(route_->published_stages); }
  void begin_stage(std::size_t stage) override;
  /// Moves messages straight to where they belong; never calls `handle`.
  bool advance(const std::function<void(std::size_t)>& handle) override;
  [[nodiscard]] bool moved() const override { return moved_; }
  void finish() override { first_ = 0; }

  /// Payload bytes that this rank publishes at a time, at most.
  [[nodiscard]] Bytes payload() const;

 private:
  /// What another rank publishes in a stage.
  struct Source {
    const BroadcastSource* source;
    PieceWalk<std::byte> landing;
    std::uint64_t round = 0;  ///< the next one to be read
    std::uint64_t rounds;     ///< how many there are
  };

  /// Returns how many rounds a message of `length` bytes takes on `buffer`.
  [[nodiscard]] static std::uint64_t rounds_of(Bytes length, const BroadcastBuffer& buffer);
  /// Returns the bytes that are published in this round.
  [[nodiscard]] static Bytes of_round(Bytes length, std::uint64_t round,
                                      const BroadcastBuffer& buffer);
  /// Writes what the next round publishes; false if there is no room yet.
  bool publish();
  /// Reads the next round of a source; false if it does not publish it yet.
  bool look(Source& source);
  /// Reads all that the sources publish by now.
  void look_around();
  /// Publishes what this rank has read, for ranks that want to write there again.
  void say_what_is_read() const;

  std::shared_ptr<BroadcastBuffers> broadcast_buffers_;
  std::shared_ptr<const AllgatherRoute> route_;
  const std::byte* own_;
  std::byte* receive_;

  std::uint64_t first_ = 0;   ///< number of the first stage of this execution; 0: none is under way
  std::uint64_t number_ = 0;  ///< number of the stage
  const BroadcastPart* part_ = nullptr;  ///< of the stage; null: over
  std::uint64_t round_ = 0;              ///< the next one to be published
  std::uint64_t rounds_ = 0;             ///< how many there are
  std::optional<PieceWalk<const std::byte>> own_walk_;
  std::vector<Source> sources_;  ///< of the stage: those that are not read to the end
  bool moved_ = false;
};

}  // namespace shunt
