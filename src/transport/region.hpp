// What one rank lays out in shared memory for the others of its node: messages, a descriptor to
// each receiver that says where its message lies, and words by which they follow each other.
//
// Exchanges through a region are numbered from 1. The sender packs the messages of exchange n into
// one of two halves, in turn, and then says so: to each receiver in its descriptor, or to all at
// once by setting `ready` to n. A receiver copies its messages out and sets the `done` word of its
// own region to n. The sender packs exchange n only when all ranks that were to take something from
// that half, in exchange n - 2 or before, are done with that; so it never waits for the slowest
// receiver of the last exchange. A rank that says that something is ready in n is done with n - 1,
// so a rank that hears from its receivers anyway need not look at their words.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "model/cache_line.hpp"
#include "shunt/types.hpp"

namespace shunt {

using Word = std::atomic<std::uint64_t>;
static_assert(Word::is_always_lock_free && sizeof(Word) == 8,
              "ranks meet in words of shared memory");

/// Set in a `taken` word: this receiver will never look at the region again. Set in `done`: its
/// rank will never look at another one.
inline constexpr std::uint64_t kTakenForever = std::numeric_limits<std::uint64_t>::max();

/// Has a line of another rank fetched that is looked at soon, while others are on their way.
inline void look_ahead(const void* at) { __builtin_prefetch(at); }

/// A message as its sender describes it to one receiver.
struct SharedMessage {
  /// Where it begins in the half; negative: the message travels through MPI.
  Bytes offset;
  Bytes length;
  /// 0: all of it lies there; more: it passes through a pipe with a ring of that many bytes.
  Bytes ring;
};

/// What a sender has for one receiver, in a cache line of its own: a short message costs the
/// receiver no other one.
struct alignas(64) MessageDescriptor {
  Word number;  ///< of the exchange; written last
  SharedMessage message;
  std::byte text[32];  ///< the message itself, if its ring is kInDescriptor
};
static_assert(sizeof(MessageDescriptor) == 64, "a descriptor is one cache line");

/// A value of SharedMessage::ring: the message is the text of the descriptor.
inline constexpr Bytes kInDescriptor = -1;

/// A view of a region, of this rank or of another one.
class Region {
 public:
  struct Shape {
    std::size_t tables;     ///< each with a `ready` word and one descriptor per receiver
    std::size_t receivers;  ///< places in the node
    Bytes half;             ///< bytes
  };

  [[nodiscard]] static Bytes bytes(const Shape& shape) {
    const auto descriptors =
        static_cast<Bytes>(shape.tables * shape.receivers * sizeof(MessageDescriptor));
    return first_bytes(shape.tables) + 2 * shape.half + taken_bytes(shape.receivers) + descriptors;
  }

  /// A region of that shape, which was laid out at `at`.
  Region(std::byte* at, const Shape& shape) : at_(at), shape_(shape) {}

  /// Lays out an empty region at `at`, which is aligned to kLine bytes; `half` is whole lines.
  [[nodiscard]] static Region lay_out(std::byte* at, const Shape& shape) {
    const Region region(at, shape);
    const auto clear = [](std::byte* words, Bytes bytes) {
      for (Bytes i = 0; i < bytes; i += kWord) new (words + i) Word(0);
    };
    clear(at, first_bytes(shape.tables));
    clear(region.end_of_data(), bytes(shape) - (region.end_of_data() - at));
    region.word(0)->store(static_cast<std::uint64_t>(shape.half), std::memory_order_relaxed);
    for (std::size_t table = 0; table < shape.tables; ++table) {
      for (std::size_t receiver = 0; receiver < shape.receivers; ++receiver) {
        region.descriptor(table, receiver).message = {-1, 0, 0};
      }
    }
    return region;
  }

  /// A region that another rank laid out with this many tables and receivers.
  [[nodiscard]] static Region found(std::byte* at, std::size_t tables, std::size_t receivers) {
    const std::uint64_t half = reinterpret_cast<Word*>(at)->load(std::memory_order_relaxed);
    return {at, {tables, receivers, static_cast<Bytes>(half)}};
  }

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] Bytes half() const { return shape_.half; }
  [[nodiscard]] Word& ready(std::size_t table) const {
    return *word(1 + static_cast<Bytes>(table));
  }
  /// The number of the last exchange in which the region's rank has taken all that it was to take
  /// from others.
  [[nodiscard]] Word& done() const { return *word(1 + static_cast<Bytes>(shape_.tables)); }
  /// The number of the last exchange whose message, if it was exposed, that receiver has taken.
  [[nodiscard]] Word& taken(std::size_t receiver) const {
    return reinterpret_cast<Word*>(end_of_data())[receiver];
  }
  [[nodiscard]] MessageDescriptor& descriptor(std::size_t table, std::size_t receiver) const {
    std::byte* const descriptors = end_of_data() + taken_bytes(shape_.receivers);
    return reinterpret_cast<MessageDescriptor*>(descriptors)[table * shape_.receivers + receiver];
  }
  /// The half of even exchanges; that of odd ones follows, `half()` bytes later. It begins where
  /// `ready` and `done` end: a short message of a plan is in the page that its receiver has looked
  /// at already.
  [[nodiscard]] std::byte* data() const { return at_ + first_bytes(shape_.tables); }

  /// Bytes of a cache line; what different ranks write lies in different ones.
  static constexpr Bytes kLine = kCacheLine;
  [[nodiscard]] static constexpr Bytes whole_lines(Bytes bytes) {
    return (bytes + kLine - 1) / kLine * kLine;
  }

 private:
  static constexpr Bytes kWord = sizeof(Word);

  /// Returns the bytes of the words before the halves: the half's length, `ready` and `done`.
  [[nodiscard]] static Bytes first_bytes(std::size_t tables) {
    return whole_lines((2 + static_cast<Bytes>(tables)) * kWord);
  }
  [[nodiscard]] static Bytes taken_bytes(std::size_t receivers) {
    return whole_lines(static_cast<Bytes>(receivers) * kWord);
  }
  [[nodiscard]] std::byte* end_of_data() const { return data() + 2 * shape_.half; }
  [[nodiscard]] Word* word(Bytes index) const {
    return reinterpret_cast<Word*>(at_ + index * kWord);
  }

  std::byte* at_;
  Shape shape_;
};

}  // namespace shunt
