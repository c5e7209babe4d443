// A message that passes through shared memory piece by piece, since all of it has no room there or
// since its receiver is to begin before its sender is done.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "shunt/types.hpp"
#include "transport/region.hpp"

namespace shunt {

/// Memory of a pipe: a word for how many bytes were put in, one for how many were taken out, each
/// in a line of its own, and a ring of bytes.
class Pipe {
 public:
  /// Bytes that a pipe takes in addition to its ring.
  static constexpr Bytes kHead = 2 * Region::kLine;

  /// `at` is aligned to Region::kLine bytes.
  Pipe(std::byte* at, Bytes ring) : at_(at), ring_(ring) {}

  /// Clears the pipe. Called by the sender, before the receiver looks.
  void clear() const {
    new (at_) Word(0);
    new (at_ + Region::kLine) Word(0);
  }

  [[nodiscard]] Word& put() const { return *reinterpret_cast<Word*>(at_); }
  [[nodiscard]] Word& taken() const { return *reinterpret_cast<Word*>(at_ + Region::kLine); }

  /// Calls `move(piece, place, bytes)` for the pieces in which the bytes [begin, end) of the
  /// message lie in the ring, and after each of them sets `word` to how far this has come.
  template <class Move>
  void pass(Bytes begin, Bytes end, Word& word, Move&& move) const {
    while (begin < end) {
      const Bytes place = begin % ring_;
      const Bytes bytes = std::min({end - begin, ring_ - place, kPiece});
      move(at_ + kHead + place, begin, bytes);
      begin += bytes;
      word.store(static_cast<std::uint64_t>(begin), std::memory_order_release);
    }
  }

  [[nodiscard]] Bytes ring() const { return ring_; }

 private:
  /// Bytes after which the other rank is notified: so few that two processors work at the same time
  /// on messages of twice this length.
  static constexpr Bytes kPiece = 16384;

  std::byte* at_;
  Bytes ring_;
};

/// Moves `bytes` bytes of a message, from its byte `place` on, into shared memory or out of it.
/// Called for all pieces of a message in their order, from place 0 on.
using MovePiece = std::function<void(std::byte* shared, Bytes place, Bytes bytes)>;

/// How bytes are written: into a cache, or past it.
enum class Stores { cached, streaming };

/// An exchange of which a rank sends or receives at least this much leaves nothing in a cache that
/// is of use to the program: then what is written past it is twice as fast where processors hardly
/// share one, and as fast where they do.
inline constexpr Bytes kStreamedLoad = Bytes{2} << 20;

[[nodiscard]] inline Stores stores_for(Bytes load) {
  return load >= kStreamedLoad ? Stores::streaming : Stores::cached;
}

/// Returns a move out of a message that lies in one piece.
[[nodiscard]] MovePiece move_from(const std::byte* message, Stores stores = Stores::cached);
/// Returns a move into a message that lies in one piece.
[[nodiscard]] MovePiece move_to(std::byte* message, Stores stores = Stores::cached);

/// Where a message belongs. Without `move` it is left alone.
struct SharedLanding {
  MovePiece move;
  std::byte* whole = nullptr;  ///< where all of it belongs, if that is one piece of memory

  SharedLanding() = default;
  explicit SharedLanding(MovePiece pieces) : move(std::move(pieces)) {}
  explicit SharedLanding(std::byte* message, Stores stores = Stores::cached)
      : move(move_to(message, stores)), whole(message) {}
};

/// Returns how many bytes of a message of `bytes` bytes are moved before the next message of its
/// direction is, where all of them have `total` bytes. Messages of a redistribution may be
/// interleaved in its arrays: all proceed at one pace, so that one of them finds in a cache what
/// another brought there. Whole cache lines, and so whole numbers where a message has some.
[[nodiscard]] Bytes turn_of(Bytes bytes, Bytes total);

/// The pipes that a rank has under way.
class Pipes {
 public:
  /// Adds a message that is sent into a cleared pipe. Once `gone` is `number` or more, its receiver
  /// does not want it any more.
  void send(const Pipe& pipe, MovePiece move, Bytes bytes, const Word& gone, std::uint64_t number) {
    sends_.push_back({pipe, std::move(move), bytes, 0, &gone, number});
  }
  /// Adds the message of `step`, which is received out of a pipe that its sender has cleared.
  void receive(const Pipe& pipe, MovePiece move, Bytes bytes, std::size_t step) {
    receives_.push_back({pipe, std::move(move), bytes, 0, step});
  }
  /// Forgets all messages.
  void clear() {
    sends_.clear();
    receives_.clear();
  }

  [[nodiscard]] bool empty() const { return sends_.empty() && receives_.empty(); }

  /// Moves some of what can be moved now, in turn for all messages; true if anything was.
  /// Calls `arrived(step)` for each message that is all there.
  template <class Arrived>
  bool advance(Arrived&& arrived) {
    if (empty()) return false;
    const bool moved = move();
    std::erase_if(receives_, [&](const Receive& receive) {
      if (receive.taken < receive.bytes) return false;
      arrived(receive.step);
      return true;
    });
    return moved;
  }

 private:
  struct Send {
    Pipe pipe;
    MovePiece move;
    Bytes bytes;
    Bytes put;
    const Word* gone;
    std::uint64_t number;
  };
  struct Receive {
    Pipe pipe;
    MovePiece move;
    Bytes bytes;
    Bytes taken;
    std::size_t step;
  };

  bool move();
  static bool move(Send& send, Bytes turn);
  static bool move(Receive& receive, Bytes turn);
  template <class Messages>
  static bool move_all(Messages& messages);

  std::vector<Send> sends_;
  std::vector<Receive> receives_;
};

}  // namespace shunt
