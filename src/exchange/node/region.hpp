// What one rank lays out in shared memory for the others of its node: messages, a letter to each
// receiver that says where its message lies, and words by which they follow each other.
//
// Exchanges through a region are numbered from 1. The sender packs the messages of exchange n into
// one of two halves, in turn, and then says so: to each receiver in its letter, or to all at once
// by setting `ready` to n. A receiver copies its message out and sets its `taken` word to n. The
// sender packs exchange n only when all who were to take something from that half, in exchange n -
// 2 or before, have done so; so it never waits for the slowest receiver of the last exchange.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "shunt/types.hpp"

namespace shunt {

using Word = std::atomic<std::uint64_t>;
static_assert(Word::is_always_lock_free && sizeof(Word) == 8,
              "ranks meet in words of shared memory");

/// Set in a `taken` word: this receiver will never look at the region again.
inline constexpr std::uint64_t kTakenForever = std::numeric_limits<std::uint64_t>::max();

/// A message as its sender describes it to one receiver.
struct SharedMessage {
  /// In the half; negative: the message travels through MPI.
  Bytes offset;
  Bytes length;
  /// 0: all of it lies there; more: it passes through a pipe with a ring of that many bytes.
  Bytes ring;
};

/// What a sender has for one receiver, in a cache line of its own: a short message costs the
/// receiver no other one.
struct alignas(64) Letter {
  Word number;  ///< of the exchange, once all else is written
  SharedMessage message;
  std::byte text[32];  ///< the message itself, if its ring is kInLetter
};
static_assert(sizeof(Letter) == 64, "a letter is one cache line");

/// As `ring`: the message is the text of the letter.
inline constexpr Bytes kInLetter = -1;

/// A view of a region: of one's own, or of another rank's.
class Region {
 public:
  struct Shape {
    std::size_t tables;     ///< each with a `ready` word and one letter per receiver
    std::size_t receivers;  ///< places in the node
    Bytes half;             ///< bytes
  };

  [[nodiscard]] static Bytes bytes(const Shape& shape) {
    return head_bytes(shape.tables, shape.receivers) + 2 * shape.half;
  }

  /// Lays out an empty region at `at`, which is aligned to kLine bytes.
  Region(std::byte* at, const Shape& shape) : Region(at, shape.tables, shape.receivers) {
    for (Bytes i = 0; i < head_bytes(tables_, receivers_) / kWord; ++i) new (word(i)) Word(0);
    word(0)->store(static_cast<std::uint64_t>(shape.half), std::memory_order_relaxed);
    for (std::size_t table = 0; table < tables_; ++table) {
      for (std::size_t receiver = 0; receiver < receivers_; ++receiver) {
        letter(table, receiver).message = {-1, 0, 0};
      }
    }
  }

  /// A region that was laid out with this many tables and receivers.
  Region(std::byte* at, std::size_t tables, std::size_t receivers)
      : at_(at), tables_(tables), receivers_(receivers) {}

  [[nodiscard]] Bytes half() const {
    return static_cast<Bytes>(word(0)->load(std::memory_order_relaxed));
  }
  [[nodiscard]] Word& ready(std::size_t table) const {
    return *word(1 + static_cast<Bytes>(table));
  }
  [[nodiscard]] Word& taken(std::size_t receiver) const {
    return *word(ready_words(tables_) + static_cast<Bytes>(receiver));
  }
  [[nodiscard]] Letter& letter(std::size_t table, std::size_t receiver) const {
    const Bytes first = ready_words(tables_) + taken_words(receivers_);
    return reinterpret_cast<Letter*>(at_ + first * kWord)[table * receivers_ + receiver];
  }
  /// The half of even exchanges; that of odd ones follows, `half()` bytes later.
  [[nodiscard]] std::byte* data() const { return at_ + head_bytes(tables_, receivers_); }

  /// Bytes of a cache line; what different ranks write lies in different ones.
  static constexpr Bytes kLine = 64;
  [[nodiscard]] static constexpr Bytes whole_lines(Bytes bytes) {
    return (bytes + kLine - 1) / kLine * kLine;
  }

 private:
  static constexpr Bytes kWord = sizeof(Word);

  [[nodiscard]] static Bytes ready_words(std::size_t tables) {
    return whole_lines((1 + static_cast<Bytes>(tables)) * kWord) / kWord;
  }
  [[nodiscard]] static Bytes taken_words(std::size_t receivers) {
    return whole_lines(static_cast<Bytes>(receivers) * kWord) / kWord;
  }
  [[nodiscard]] static Bytes head_bytes(std::size_t tables, std::size_t receivers) {
    const auto letters = static_cast<Bytes>(tables * receivers * sizeof(Letter));
    return (ready_words(tables) + taken_words(receivers)) * kWord + letters;
  }
  [[nodiscard]] Word* word(Bytes index) const {
    return reinterpret_cast<Word*>(at_ + index * kWord);
  }

  std::byte* at_;
  std::size_t tables_;
  std::size_t receivers_;
};

}  // namespace shunt
