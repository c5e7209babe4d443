// The boards of all ranks of a node, and the order in which they are written and read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "shunt/types.hpp"
#include "transport/board.hpp"
#include "transport/node.hpp"

namespace shunt {

/// Runs one showing at a time, in which every rank of the node shows something to all others, or
/// that it has nothing, in as many rounds as it takes. A rank writes into the notices and pages of
/// its board in turn, and waits only for ranks that have not read what it showed there before; so
/// it never waits for the slowest reader of its last rounds.
class Boards {
 public:
  /// The longest round: so short that what is written is still in a cache when it is read, in all
  /// pages.
  static constexpr Bytes kLongestRound = 8192;

  /// Returns the number of every rank of the node, by place. Collective over the node.
  using Announce = std::function<std::vector<Bytes>(Bytes own)>;

  /// Collective over the node, which shares memory. Boards for showings of up to `longest` bytes a
  /// rank in one round, or for shorter rounds. Null, on all ranks of the node, where one of them
  /// has no room for its own. The node outlives the boards.
  [[nodiscard]] static std::unique_ptr<Boards> make(Node& node, const Announce& announce,
                                                    Bytes longest);
  ~Boards();
  Boards(const Boards&) = delete;
  Boards& operator=(const Boards&) = delete;

  /// The numbers of the next `count` showings; returns the first. All ranks draw the same ones. A
  /// number need not be used.
  [[nodiscard]] std::uint64_t draw(std::size_t count) {
    drawn_ += count;
    return drawn_ - count + 1;
  }

  /// Returns the board of the rank at `place` in the node.
  [[nodiscard]] const Board& of(std::size_t place) const { return boards_[place]; }
  [[nodiscard]] const Board& own() const { return boards_[node_.place()]; }

  /// Whether all have read what lies where this rank would write at `moment`, of a message of
  /// `length` bytes in all.
  [[nodiscard]] bool has_room(Moment moment, Bytes length);
  /// Publishes what this rank has written for `moment`, of a message of `length` bytes in all.
  void show(Moment moment, Bytes length);
  /// Publishes that this rank has read all that is shown up to `moment`, or will not read it.
  void done_until(Moment moment) const {
    own().done().store(moment.value(), std::memory_order_release);
  }

 private:
  Boards(Node& node, const Node::Placed& own, const std::vector<Bytes>& offsets);

  Node& node_;
  Node::Placed placed_;
  std::vector<Region> regions_;  ///< by place
  std::vector<Board> boards_;    ///< by place
  std::uint64_t drawn_ = 0;
  /// What was written last that others have to read, by notice and by page.
  Moment shown_[Board::kNotices];
  Moment paged_[Board::kPages];
  std::vector<Moment> seen_;  ///< by place: what its `done` said last; looking there costs
};

}  // namespace shunt
