// One-shot exchanges through the memory of the node: a kept region per rank, in which the sender
// says anew each time which message lies where.
#pragma once

#include <cstdint>
#include <vector>

#include "exchange/node/node.hpp"
#include "exchange/node/pipe.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// One exchange at a time; all ranks of the node make the same exchanges in the same order. Peers
/// are given by their place in the node, and are never this rank.
class KeptSharing {
 public:
  /// `node` shares, and outlives this.
  explicit KeptSharing(Node& node) : node_(node), own_(node.kept_region(node.place())) {}

  /// Begins the next exchange.
  void begin();
  /// Whether all receivers have taken what was put where this exchange puts its messages. Required
  /// by all that follows.
  [[nodiscard]] bool has_room() const;
  /// Every peer is to be told what it gets: a message, or nothing. Messages leave in the order in
  /// which this is called.
  void tell(std::size_t peer, const std::byte* message, Bytes bytes) {
    told_.push_back({peer, message, bytes});
  }
  /// All peers have been told.
  void publish();

  /// A message of `bytes` > 0 bytes for `to` is expected from the peer, which is `from`.
  void expect(std::size_t peer, Rank from, std::byte* to, Bytes bytes) {
    pending_.push_back({peer, from, to, bytes});
    senders_.push_back(peer);
  }
  /// Moves what can be moved now; true if nothing is missing, and all that this rank sends is in
  /// shared memory. For a message of another length than was expected, which is left alone,
  /// `disagree(from, expected)` is called.
  template <class Disagree>
  bool advance(Disagree&& disagree) {
    const std::size_t missing = pending_.size();
    std::erase_if(pending_, [&](const Expected& expected) {
      const SharedMessage* message = told_by(expected.peer);
      if (message == nullptr) return false;
      if (message->length == expected.bytes) {
        take(*message, expected);
      } else {
        disagree(expected.from, expected.bytes);
      }
      return true;
    });
    moved_ = pipes_.advance() || pending_.size() < missing;
    return pending_.empty() && pipes_.empty();
  }
  /// Whether the last call of `advance` found anything to do.
  [[nodiscard]] bool moved() const { return moved_; }
  /// Has to follow `begin`, also after an error: nothing is looked at any more.
  void finish();

  /// Payload bytes of this exchange that were in shared memory at a time.
  [[nodiscard]] Bytes payload() const { return payload_; }

 private:
  struct Told {
    std::size_t peer;
    const std::byte* message;
    Bytes bytes;
  };
  struct Expected {
    std::size_t peer;
    Rank from;
    std::byte* to;
    Bytes bytes;
  };

  [[nodiscard]] std::size_t half() const { return number_ % 2; }
  /// Where in `region` the messages of this exchange lie.
  [[nodiscard]] std::byte* data_of(const Region& region) const {
    return region.data() + (half() == 0 ? 0 : region.half());
  }
  /// What the peer has for this rank; null if it has not told yet.
  [[nodiscard]] const SharedMessage* told_by(std::size_t peer) const;
  void take(const SharedMessage& message, const Expected& expected);

  Node& node_;
  Region own_;
  std::uint64_t number_ = 0;
  Bytes payload_ = 0;
  bool moved_ = false;
  std::vector<std::size_t> receivers_[2];  ///< by half: who takes from it, or took last
  std::uint64_t told_last_[2] = {0, 0};    ///< by half: in which exchange that was
  std::vector<Told> told_;
  std::vector<Bytes> lengths_;  ///< of `told_`
  std::vector<Expected> pending_;
  std::vector<std::size_t> senders_;
  Pipes pipes_;
};

}  // namespace shunt
