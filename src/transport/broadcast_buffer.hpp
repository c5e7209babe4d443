// What one rank publishes to all others of its node at once: it writes, and each of them reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "shunt/types.hpp"
#include "transport/region.hpp"

namespace shunt {

/// A point in the order of all that ranks publish for each other: rounds of numbered all-gathers.
class Moment {
 public:
  constexpr Moment() = default;
  constexpr Moment(std::uint64_t allgather, std::uint64_t round)
      : value_((allgather << kRoundBits) | round) {}
  constexpr explicit Moment(std::uint64_t value) : value_(value) {}

  /// After all rounds of an all-gather.
  [[nodiscard]] static constexpr Moment end_of(std::uint64_t allgather) {
    return {allgather, (std::uint64_t{1} << kRoundBits) - 1};
  }

  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }
  /// Returns which of `count` headers or pages of a broadcast buffer is written at this moment:
  /// they are used in turn, from round to round, and from all-gather to all-gather.
  [[nodiscard]] constexpr std::size_t turn_of(std::size_t count) const {
    return ((value_ >> kRoundBits) + value_) % count;
  }

  friend constexpr auto operator<=>(Moment, Moment) = default;

 private:
  static constexpr int kRoundBits = 24;

  std::uint64_t value_ = 0;
};

/// Says what a round publishes, in two cache lines, of which a very short message needs the first
/// only.
struct alignas(Region::kLine) RoundHeader {
  Word moment;          ///< the moment of what is published; written last
  Bytes length;         ///< bytes of all rounds of the all-gather
  std::byte text[112];  ///< all bytes, where they fit; else the round is in a page
};
static_assert(sizeof(RoundHeader) == 2 * Region::kLine, "a header is two cache lines");

/// A view of the broadcast buffer of some rank. The broadcast buffer lies in a region of that rank;
/// a rank that will not read it any more says so in the region's `taken` words.
class BroadcastBuffer {
 public:
  /// How many rounds a rank publishes, in pages or in headers alone, before it waits for the
  /// slowest reader. Where ranks share processors, a rank that gets one reads all of them at a
  /// time.
  static constexpr std::size_t kPages = 16;
  static constexpr std::size_t kHeaders = 64;

  explicit BroadcastBuffer(const Region& region)
      : at_(region.data()),
        page_bytes_((2 * region.half() - kHead) / Bytes{kPages} / Region::kLine * Region::kLine) {}

  /// Returns the half of a region for a broadcast buffer with pages of `page` bytes.
  [[nodiscard]] static constexpr Bytes region_half(Bytes page) {
    return (Region::whole_lines(page) * Bytes{kPages} + kHead) / 2;
  }

  /// Clears the broadcast buffer. Called by its rank, before others read it. Writes all of it, so
  /// that the memory exists: otherwise each of the first rounds takes page faults of every reader
  /// (15 ms each on 32 ranks, where later ones take less than 0.5 ms).
  void clear() const {
    std::memset(at_, 0, bytes());
    for (std::size_t i = 0; i < kHeaders; ++i) new (&header(Moment(i, 0))) RoundHeader{};
    new (&done()) Word(0);
  }

  /// Maps the broadcast buffer, some pages with each fault. Called by another rank, once the
  /// broadcast buffer is clear. Its rank may publish something meanwhile; what is read here is not
  /// used.
  void map() const {
    constexpr std::size_t kSystemPage = 4096;
    for (std::size_t i = 0; i < bytes(); i += kSystemPage) {
      (void)static_cast<std::byte>(static_cast<const volatile std::byte*>(at_)[i]);
    }
  }

  [[nodiscard]] RoundHeader& header(Moment moment) const {
    return reinterpret_cast<RoundHeader*>(at_)[moment.turn_of(kHeaders)];
  }
  /// The moment up to which this rank has read the broadcast buffers of all others.
  [[nodiscard]] Word& done() const {
    return *reinterpret_cast<Word*>(at_ + kHeaders * sizeof(RoundHeader));
  }
  [[nodiscard]] std::byte* page(Moment moment) const {
    return at_ + kHead + static_cast<Bytes>(moment.turn_of(kPages)) * page_bytes_;
  }
  /// Returns the most bytes that one round publishes.
  [[nodiscard]] Bytes page_bytes() const { return page_bytes_; }

 private:
  /// Bytes before the pages: the headers, and what was read; two halves of whole lines.
  static constexpr Bytes kHead = Bytes{kHeaders * sizeof(RoundHeader)} + 2 * Region::kLine;

  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(kHead + Bytes{kPages} * page_bytes_);
  }

  std::byte* at_;
  Bytes page_bytes_;
};

/// Whether a message of `bytes` bytes is published in the header alone.
[[nodiscard]] constexpr bool fits_header(Bytes bytes) {
  return bytes <= static_cast<Bytes>(sizeof(RoundHeader::text));
}

}  // namespace shunt
