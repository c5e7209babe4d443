// Exchanges through the memory of the node, one after the other: a kept region per rank, in which
// the sender says for each exchange which message lies where.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "shunt/types.hpp"
#include "transport/node.hpp"
#include "transport/pipe.hpp"
#include "transport/shared_inbox.hpp"
#include "transport/single_copies.hpp"
#include "transport/slots.hpp"

namespace shunt {

/// One exchange at a time. Peers are given by their place in the node, and are never this rank.
class CallChannel {
 public:
  /// `node` shares, and outlives this.
  CallChannel(Node& node, Kept kind)
      : node_(node),
        kind_(kind),
        own_(node.kept_region(kind, node.place())),
        seen_done_(node.ranks().size(), 0) {}

  /// The numbers of the next `count` exchanges; returns the first. All ranks of the node draw the
  /// same ones, since they make the same exchanges in the same order. A number that was drawn need
  /// not be used, so that a rank may fail and go on with the next exchange.
  [[nodiscard]] std::uint64_t draw_numbers(int count) {
    drawn_ += static_cast<std::uint64_t>(count);
    return drawn_ - static_cast<std::uint64_t>(count) + 1;
  }

  /// How many were drawn.
  [[nodiscard]] std::uint64_t drawn() const { return drawn_; }

  /// Draws a number for an exchange that is started while others are under way, and puts it in
  /// line. The exchange begins once it is the first in line and has room, and leaves the line after
  /// its end.
  [[nodiscard]] std::uint64_t line_up() {
    line_.push_back(draw_numbers(1));
    return line_.back();
  }
  [[nodiscard]] bool begins_in_line(std::uint64_t number) {
    if (line_.front() != number) return false;
    begin(number);
    return has_room();
  }
  void leave_line(std::uint64_t number) { std::erase(line_, number); }

  /// Begins an exchange.
  void begin(std::uint64_t number) {
    number_ = number;
    payload_ = 0;
  }
  /// Whether all receivers have taken what was put where this exchange puts its messages. Required
  /// by all that follows.
  [[nodiscard]] bool has_room();
  /// Tells `peer` that it gets a message of `bytes` bytes, or nothing. Called for every peer that
  /// expects a message; messages leave in the order of the calls.
  void tell(std::size_t peer, MovePiece message, Bytes bytes) {
    told_.push_back({peer, std::move(message), bytes});
  }
  /// Tells `peer` of a message that it copies from where it lies, and that must stay there until it
  /// is taken. Only where processes can be read.
  void expose(std::size_t peer, const std::byte* message, Bytes bytes) {
    told_.push_back({peer, move_from(message), bytes, message});
  }
  /// Tells `peer` of a message of `bytes` bytes that lies in the memory of the node, where `text`
  /// says, of at most kLongestDescription bytes.
  void expose_described(std::size_t peer, std::span<const std::byte> text, Bytes bytes) {
    told_.push_back({peer, move_from(text.data()), bytes, nullptr, std::ssize(text)});
  }
  /// Publishes what all peers were told.
  void publish();

  /// The longest description that always has room, whatever else is told.
  static constexpr Bytes kLongestDescription = 512;

  /// Expects a message from `peer`, which is rank `from`, in `step`.
  void expect(std::size_t peer, Rank from, std::size_t step) {
    pending_.push_back({peer, from, step});
  }
  /// Moves what can be moved now; true if nothing is missing, and all that this rank sends is in
  /// shared memory or, if it was exposed, taken.
  bool advance(SharedInbox& inbox);
  /// Whether the last call of `advance` found anything to do.
  [[nodiscard]] bool moved() const { return moved_; }
  /// Ends the exchange: this rank reads nothing of it any more.
  void finish();
  /// Ends the exchange instead of `finish` after an error, or instead of the whole exchange: no
  /// rank then waits for this one to take a message.
  void give_up(std::uint64_t number);

  /// Payload bytes of this exchange that were in shared memory at a time.
  [[nodiscard]] Bytes payload() const { return payload_; }

 private:
  struct Told {
    std::size_t peer;
    MovePiece message;
    Bytes bytes;
    const std::byte* exposed = nullptr;
    Bytes description = 0;  ///< bytes of the description that is there instead of the message
  };
  struct Expected {
    std::size_t peer;
    Rank from;
    std::size_t step;
  };

  [[nodiscard]] std::size_t half() const { return number_ % 2; }
  [[nodiscard]] Region region_of(std::size_t peer) const { return node_.kept_region(kind_, peer); }
  /// Where in `region` the messages of this exchange lie.
  [[nodiscard]] std::byte* data_of(const Region& region) const {
    return region.data() + (half() == 0 ? 0 : region.half());
  }
  /// Returns the bytes of the message, or of its description, that lie in shared memory in addition
  /// to the descriptor.
  [[nodiscard]] static Bytes bytes_here(const Told& told);
  /// Writes the descriptor of the next message.
  void write(MessageDescriptor& descriptor, const Told& told, Slots& slots);
  /// Looks for an expected message; returns false if the peer has not published yet.
  bool look(const Expected& expected, SharedInbox& inbox);
  void forget();

  Node& node_;
  Kept kind_;
  Region own_;
  std::uint64_t drawn_ = 0;
  std::uint64_t number_ = 0;
  std::vector<std::uint64_t> line_;
  Bytes payload_ = 0;
  bool moved_ = false;
  std::vector<std::size_t> receivers_[2];  ///< by half: the places that take from it, or took last
  std::uint64_t told_last_[2] = {0, 0};    ///< by half: the exchange that used it last
  /// The last exchange that each rank is known to be done with, by place.
  std::vector<std::uint64_t> seen_done_;
  std::vector<Told> told_;
  std::vector<Bytes> lengths_;  ///< of `told_`
  std::vector<Expected> pending_;
  Pipes pipes_;
  SingleCopies single_copies_;
};

}  // namespace shunt
