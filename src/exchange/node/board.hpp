// What one rank shows to all others of its node at once: it writes, and each of them reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "exchange/node/region.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A point in the order of all that ranks show each other: rounds of numbered showings.
class Moment {
 public:
  constexpr Moment() = default;
  constexpr Moment(std::uint64_t showing, std::uint64_t round)
      : value_((showing << kRoundBits) | round) {}
  constexpr explicit Moment(std::uint64_t value) : value_(value) {}

  /// After all rounds of a showing.
  [[nodiscard]] static constexpr Moment end_of(std::uint64_t showing) {
    return {showing, (std::uint64_t{1} << kRoundBits) - 1};
  }

  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }
  /// Which half of a board is written then: the halves take turns, from round to round, and from
  /// showing to showing.
  [[nodiscard]] constexpr std::size_t half() const { return ((value_ >> kRoundBits) + value_) % 2; }

  friend constexpr auto operator<=>(Moment, Moment) = default;

 private:
  static constexpr int kRoundBits = 24;

  std::uint64_t value_ = 0;
};

/// Says what is in a half of a board, in one cache line: a short message costs no other one.
struct alignas(Region::kLine) Notice {
  Word moment;         ///< of what is there, once all else is written
  Bytes length;        ///< of all that is shown in the showing
  std::byte text[48];  ///< all of it, where it fits
};
static_assert(sizeof(Notice) == Region::kLine, "a notice is one cache line");

/// A view of the board of some rank. It lies in a region of that rank; who will not look at it any
/// more says so in the region's `taken` words.
class Board {
 public:
  explicit Board(const Region& region)
      : at_(region.data()), half_(region.half() - region_half(0)) {}

  /// Of a region for a board with halves of `half` bytes.
  [[nodiscard]] static constexpr Bytes region_half(Bytes half) {
    return Region::whole_lines(half) + kHead / 2;
  }

  /// By its rank, before others look.
  void clear() const {
    for (std::size_t half = 0; half < 2; ++half) new (&notice(half)) Notice{};
    new (&done()) Word(0);
  }

  [[nodiscard]] Notice& notice(std::size_t half) const {
    return reinterpret_cast<Notice*>(at_)[half];
  }
  /// What this rank has read of the boards of all others: everything up to then.
  [[nodiscard]] Word& done() const { return *reinterpret_cast<Word*>(at_ + 2 * Region::kLine); }
  [[nodiscard]] std::byte* data(std::size_t half) const {
    return at_ + kHead + static_cast<Bytes>(half) * half_;
  }
  /// Bytes of a half: what one round shows at most.
  [[nodiscard]] Bytes half() const { return half_; }

 private:
  /// Beside the halves: two notices, and what was read.
  static constexpr Bytes kHead = 4 * Region::kLine;

  std::byte* at_;
  Bytes half_;
};

/// Whether it is shown in the notice alone.
[[nodiscard]] constexpr bool fits_notice(Bytes bytes) {
  return bytes <= static_cast<Bytes>(sizeof(Notice::text));
}

}  // namespace shunt
