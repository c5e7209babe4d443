// One-shot exchanges through the memory of the node: a kept region per rank, in which the sender
// says anew each time which message lies where.
#pragma once

#include <cstdint>
#include <vector>

#include "exchange/node/node.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// One exchange at a time; all ranks of the node make the same exchanges in the same order. Peers
/// are given by their place in the node, and are never this rank.
class KeptSharing {
 public:
  /// `node` shares, and outlives this.
  explicit KeptSharing(Node& node) : node_(node), own_(node.kept_region(node.place())) {}

  /// Whether a message of that many bytes goes through shared memory: both sides know.
  [[nodiscard]] bool takes(Bytes bytes) const { return bytes <= node_.longest_kept(); }

  /// Begins the next exchange.
  void begin();
  /// Whether all receivers have taken what was packed where this exchange packs. Required by all
  /// that follows.
  [[nodiscard]] bool has_room() const;
  /// Every peer is to be told what it gets: nothing, or a message, which is packed if it is short.
  void tell(std::size_t peer, const std::byte* message, Bytes bytes);
  /// All peers have been told.
  void publish();

  /// A message of `bytes` > 0 bytes for `to` is expected from the peer, which is `from`.
  void expect(std::size_t peer, Rank from, std::byte* to, Bytes bytes);
  /// Copies the messages that have come; true if none is missing. Long ones are not copied, but
  /// looked at like the others: where sender and receiver do not agree on a length, and so perhaps
  /// not on who carries the message, `disagree(from, expected, told)` is called, which throws. If
  /// MPI carries it for both, it is MPI that finds out.
  template <class Disagree>
  bool take(Disagree&& disagree) {
    std::erase_if(pending_, [&](const Expected& expected) {
      const SharedMessage* message = told_by(expected.peer);
      if (message == nullptr) return false;
      const bool both_by_mpi = message->offset < 0 && !takes(expected.bytes);
      if (message->length != expected.bytes && !both_by_mpi) {
        disagree(expected.from, expected.bytes, *message);
      }
      if (message->offset >= 0) copy(*message, expected);
      return true;
    });
    return pending_.empty();
  }
  /// Has to follow `begin`, also after an error: nothing is looked at any more.
  void finish();

  /// Payload bytes packed in this exchange.
  [[nodiscard]] Bytes packed() const { return packed_; }

 private:
  struct Expected {
    std::size_t peer;
    Rank from;
    std::byte* to;
    Bytes bytes;
  };

  [[nodiscard]] std::size_t half() const { return number_ % 2; }
  /// What the peer has for this rank; null if it has not told yet.
  [[nodiscard]] const SharedMessage* told_by(std::size_t peer) const;
  void copy(const SharedMessage& message, const Expected& expected) const;

  Node& node_;
  Region own_;
  std::uint64_t number_ = 0;
  Bytes packed_ = 0;
  std::vector<std::size_t> receivers_[2];  ///< by half: who takes from it, or took last
  std::uint64_t packed_last_[2] = {0, 0};  ///< by half: in which exchange that was
  std::vector<Expected> pending_;
  std::vector<std::size_t> senders_;
};

}  // namespace shunt
