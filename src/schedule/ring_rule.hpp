// How data goes round a ring, stage by stage: algorithm AR of Liu 2005, and the two-way pipeline.
#pragma once

#include <memory>
#include <vector>

#include "schedule/way.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// How far the first and the second half of a stream go. A stream is not cut where both are equal.
struct Halves {
  Rank first;
  Rank second;
};

/// Data from at most `sources` ranks, or places of a ring, for at most `destinations`.
struct RankBox {
  Bytes sources;
  Bytes destinations;

  /// Where each place of one box has the data of the other one.
  friend RankBox operator*(const RankBox& a, const RankBox& b) {
    return {a.sources * b.sources, a.destinations * b.destinations};
  }
};

/// A message of one place of a ring: how far it goes, forward if positive, its way, and what it
/// has.
struct RingMove {
  Rank distance;
  Way way;
  RankBox data;
};

/// Which way the data of a complete exchange takes on a ring, and when. Where data is passed on
/// depends only on the distance that is left to its destination, so data from different places can
/// be combined.
class RingRule {
 public:
  virtual ~RingRule() = default;

  [[nodiscard]] virtual int stages() const = 0;

  /// Returns a period of the rule: places that lie a multiple of it apart do the same.
  [[nodiscard]] virtual Rank period() const = 0;

  /// The messages that `place` sends in `stage`. Messages over one distance have the same number k
  /// at all places.
  [[nodiscard]] virtual std::vector<RingMove> moves(int stage, Rank place) const = 0;

  /// How far data at `place` goes in `stage` whose destination lies `ahead` places ahead.
  [[nodiscard]] virtual Halves halves(int stage, Rank place, Rank ahead) const = 0;

  /// What a place keeps in `stage` though it is not for itself.
  [[nodiscard]] virtual RankBox waiting(int stage) const = 0;
};

/// Algorithm AR (Liu 2005, Fig. 2): one step to the neighbours, after which all data is at places
/// of its destination's parity; then two places a step, even ones forward and odd ones backward,
/// until these ways are done, and then the reverse. `size` is even.
[[nodiscard]] std::unique_ptr<RingRule> alternating_ring(Rank size);

/// Everything goes the shorter way, one place a step, both ways at once; of what is for the
/// opposite place half goes either way. Any size.
[[nodiscard]] std::unique_ptr<RingRule> pipelined_ring(Rank size);

}  // namespace shunt
