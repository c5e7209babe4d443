// What one rank shows to all others of its node at once: it writes, and each of them reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
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
  /// Which of so many notices or pages of a board is written then: they take turns, from round to
  /// round, and from showing to showing.
  [[nodiscard]] constexpr std::size_t turn_of(std::size_t count) const {
    return ((value_ >> kRoundBits) + value_) % count;
  }

  friend constexpr auto operator<=>(Moment, Moment) = default;

 private:
  static constexpr int kRoundBits = 24;

  std::uint64_t value_ = 0;
};

/// Says what a round shows, in two cache lines, of which a very short message needs the first only.
struct alignas(Region::kLine) Notice {
  Word moment;          ///< of what is there, once all else is written
  Bytes length;         ///< of all that is shown in the showing
  std::byte text[112];  ///< all of it, where it fits; else the round is in a page
};
static_assert(sizeof(Notice) == 2 * Region::kLine, "a notice is two cache lines");

/// A view of the board of some rank. It lies in a region of that rank; who will not look at it any
/// more says so in the region's `taken` words.
class Board {
 public:
  /// As many rounds as a rank shows before it waits for the slowest reader, in pages or in notices
  /// alone. Where ranks share processors, who gets one reads all of them at once.
  static constexpr std::size_t kPages = 16;
  static constexpr std::size_t kNotices = 64;

  explicit Board(const Region& region)
      : at_(region.data()),
        page_bytes_((2 * region.half() - kHead) / Bytes{kPages} / Region::kLine * Region::kLine) {}

  /// Of a region for a board with pages of `page` bytes.
  [[nodiscard]] static constexpr Bytes region_half(Bytes page) {
    return (Region::whole_lines(page) * Bytes{kPages} + kHead) / 2;
  }

  /// By its rank, before others look. All of it is written, so that the memory is there: what the
  /// rounds brought page by page were faults of every reader, and the first 16 rounds of 32 ranks
  /// took 15 ms each, where later ones take less than half of one.
  void clear() const {
    std::memset(at_, 0, bytes());
    for (std::size_t i = 0; i < kNotices; ++i) new (&notice(Moment(i, 0))) Notice{};
    new (&done()) Word(0);
  }

  /// By another rank, once it is clear: maps it there, some pages with each fault. Its rank may
  /// show something meanwhile, and nobody uses what is read here.
  void map() const {
    constexpr std::size_t kSystemPage = 4096;
    for (std::size_t i = 0; i < bytes(); i += kSystemPage) {
      (void)static_cast<std::byte>(static_cast<const volatile std::byte*>(at_)[i]);
    }
  }

  [[nodiscard]] Notice& notice(Moment moment) const {
    return reinterpret_cast<Notice*>(at_)[moment.turn_of(kNotices)];
  }
  /// What this rank has read of the boards of all others: everything up to then.
  [[nodiscard]] Word& done() const {
    return *reinterpret_cast<Word*>(at_ + kNotices * sizeof(Notice));
  }
  [[nodiscard]] std::byte* page(Moment moment) const {
    return at_ + kHead + static_cast<Bytes>(moment.turn_of(kPages)) * page_bytes_;
  }
  /// What one round shows at most.
  [[nodiscard]] Bytes page_bytes() const { return page_bytes_; }

 private:
  /// Beside the pages: the notices, and what was read; two halves of whole lines.
  static constexpr Bytes kHead = Bytes{kNotices * sizeof(Notice)} + 2 * Region::kLine;

  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(kHead + Bytes{kPages} * page_bytes_);
  }

  std::byte* at_;
  Bytes page_bytes_;
};

/// Whether it is shown in the notice alone.
[[nodiscard]] constexpr bool fits_notice(Bytes bytes) {
  return bytes <= static_cast<Bytes>(sizeof(Notice::text));
}

}  // namespace shunt
