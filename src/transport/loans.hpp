// Messages that are copied once: their sender lends the memory they lie in, and waits; the receiver
// copies them from there to where they belong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "shunt/error.hpp"
#include "shunt/options.hpp"
#include "shunt/types.hpp"
#include "transport/processes.hpp"
#include "transport/region.hpp"

namespace shunt {

/// A value of SharedMessage::ring: the message is lent, and the text of its letter says where it
/// lies.
inline constexpr Bytes kOnLoan = -2;

/// A value of SharedMessage::ring: the message is lent, and a description in shared memory says
/// where in the memory of the node it lies.
inline constexpr Bytes kDescribed = -3;

/// Shorter messages take longer to be lent than to be copied twice: each costs a call of the
/// system.
inline constexpr Bytes kLeastLent = 8192;

/// Whether the options have a message of that length lent where it can be.
[[nodiscard]] inline bool wants_loan(const Options& options, Bytes bytes) {
  return options.single_copy && bytes >= kLeastLent;
}

/// Writes where a lent message begins in the memory of its sender, which is this rank.
inline void put_lent(Letter& letter, const std::byte* message) {
  std::memcpy(letter.text, &message, sizeof message);
}
/// Reads it.
[[nodiscard]] inline const std::byte* lent_in(const Letter& letter) {
  const std::byte* message = nullptr;
  std::memcpy(&message, letter.text, sizeof message);
  return message;
}

/// The loans of one rank that are under way.
class Loans {
 public:
  /// What a rank does to end a loan: it sets `taken` to `number`, or to more.
  struct Return {
    Word* taken;
    std::uint64_t number;
  };

  /// Copies `bytes` bytes of a lent message, from its byte `place` on, to where they belong. Called
  /// for all of it in order. Throws Error where they cannot be read.
  using CopyPiece = std::function<void(Bytes place, Bytes bytes)>;

  /// Bytes that a rank copies, in some milliseconds, before it looks at its other messages. Blocks
  /// of 4 MiB took an eighth longer in pieces of 1 MiB.
  static constexpr Bytes kLongTurn = Bytes{16} << 20;

  /// A message that another rank lends this one.
  struct Borrowed {
    CopyPiece copy;
    Bytes bytes;
    std::size_t step;
    Return end;
    bool in_pace = false;  ///< whether it is copied in turn with others that are (turn_of)
    Bytes copied = 0;
  };

  /// Returns a copy out of the memory of the process at `place`, from `from` to `to`. `processes`
  /// outlives it.
  [[nodiscard]] static CopyPiece read_from(const Processes& processes, std::size_t place,
                                           const std::byte* from, std::byte* to) {
    return [=, &processes](Bytes begin, Bytes bytes) {
      processes.read(place, from + begin, to + begin, bytes);
    };
  }

  static void give_back(Return end) { end.taken->store(end.number, std::memory_order_release); }

  /// Adds a message that this rank lends.
  void lend(Return end) { lent_.push_back(end); }
  void borrow(Borrowed borrowed) { borrowed_.push_back(std::move(borrowed)); }
  /// Forgets all loans.
  void clear() {
    lent_.clear();
    borrowed_.clear();
  }

  /// Whether no loan is under way.
  [[nodiscard]] bool empty() const { return lent_.empty() && borrowed_.empty(); }

  /// Copies a piece of one of the messages that were borrowed, in turn, and looks for what has been
  /// returned; true if there was anything. Calls `arrived(step)` for a message that is all there,
  /// and `lost(error)` for one that cannot be read.
  template <class Arrived, class Lost>
  bool advance(Arrived&& arrived, Lost&& lost) {
    if (empty()) return false;
    const auto returned = std::erase_if(lent_, [](const Return& end) {
      return end.taken->load(std::memory_order_acquire) >= end.number;
    });
    if (borrowed_.empty()) return returned > 0;
    if (const std::optional<Error> error = copy_some()) {
      lost(*error);
    } else if (borrowed_.front().copied < borrowed_.front().bytes) {
      std::ranges::rotate(borrowed_, borrowed_.begin() + 1);
      return true;
    } else {
      arrived(borrowed_.front().step);
    }
    give_back(borrowed_.front().end);
    borrowed_.erase(borrowed_.begin());
    return true;
  }

 private:
  /// Copies the next piece of the first one, or says why it cannot.
  [[nodiscard]] std::optional<Error> copy_some();

  std::vector<Return> lent_;
  std::deque<Borrowed> borrowed_;
};

}  // namespace shunt
