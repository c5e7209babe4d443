#include <algorithm>

#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/ring_along.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Stages of phase 1.
constexpr int kFirst = 2;

/// Which way the two halves go of what has an odd distance to go; of an even one, neither.
struct Sides {
  Bytes forward = 0;
  Bytes backward = 0;
  Bytes none = 0;
};

/// How many odd distances, at most half way round, there are one way.
Bytes odd_distances(Rank extent) { return (extent / 2 + 1) / 2; }

/// AT2 (Liu 2005, Fig. 5), for any even extents. In phase 1 all data gets to ranks whose
/// coordinates have the parities of its destination's: then the ranks of each of the four classes
/// are a torus of their own, of every second rank. Two of these exchange along rows and then along
/// columns, the other two the reverse, so that no link serves two of them at once. Odd distances
/// half way round, which multiples of 4 do not have, are taken both ways, half of the data each.
class GridExchange final : public TorusExchange {
 public:
  GridExchange(const char* family, const Extents& extents, RingAlong::Maker make, Bytes grain)
      : TorusExchange(fmt::format("{}:{}", family, extents.name()), extents, grain),
        columns_(torus(), 0, 2, make),
        rows_(torus(), 1, 2, make),
        ring_stages_(std::max(columns_.stages(), rows_.stages())) {}

  [[nodiscard]] int stages() const override { return kFirst + 2 * ring_stages_; }
  [[nodiscard]] std::string stage_name(int stage) const override {
    if (stage < kFirst) return fmt::format("phase 1, step {}", stage + 1);
    return fmt::format("phase {}, step {}", 2 + (stage - kFirst) / ring_stages_,
                       1 + ring_stage(stage));
  }

 private:
  [[nodiscard]] std::vector<TorusMove> moves(int stage, Rank rank) const override {
    if (stage >= kFirst) {
      return ring(stage, rank).moves(ring_stage(stage), rank, place(stage, rank));
    }
    std::vector<TorusMove> moves;
    for (const int dimension : {0, 1}) {
      const Rank extent = torus().extent(dimension);
      const Rank other = torus().extent(1 - dimension);
      const Bytes odd = odd_distances(extent);
      const Bytes odd_other = odd_distances(other);
      // What is half way round comes to step 2 from both sides.
      const Bytes half_way = extent / 2 % 2;
      const RankBox data = stage == 0 ? RankBox{1, odd * (other / 2 + odd_other)}
                                      : RankBox{1 + half_way, (odd + half_way) * odd_other};
      if (extent == 2) {
        moves.push_back({dimension, 1, Way::both, {data.sources, 2 * data.destinations}});
      } else {
        moves.push_back({dimension, 1, Way::forward, data});
        moves.push_back({dimension, -1, Way::backward, data});
      }
    }
    return moves;
  }

  void share_out(int stage, Rank at, Rank destination, Takers& takers) const override {
    if (stage >= kFirst) {
      ring(stage, at).share_out(ring_stage(stage), at, destination, takers);
    } else if (stage == 0) {
      to_neighbours(at, destination, takers);
    } else {
      to_diagonals(at, destination, takers);
    }
  }

  [[nodiscard]] std::vector<RankBox> kept(int stage, Rank rank) const override {
    if (stage >= kFirst) return ring(stage, rank).kept(ring_stage(stage), place(stage, rank));
    // Its own data, and then also that of its four neighbours, for its class.
    return {{stage == 0 ? 1 : 5, ranks() / 4}};
  }

  [[nodiscard]] Rank period() const override { return rows_.period(); }

  /// Step 1 of phase 1, by the signs of the distances dx down the columns and dy along the rows.
  /// What has both odd goes one of these ways: each of its four quadrants another one.
  void to_neighbours(Rank at, Rank destination, Takers& takers) const {
    const Sides x = sides(0, at, destination);
    const Sides y = sides(1, at, destination);
    takers.add(torus().neighbour(at, 0, 1), x.forward * (y.none + y.forward));
    takers.add(torus().neighbour(at, 1, 1), y.forward * (x.none + x.backward));
    takers.add(torus().neighbour(at, 0, -1), x.backward * (y.none + y.backward));
    takers.add(torus().neighbour(at, 1, -1), y.backward * (x.none + x.forward));
    takers.add(at, x.none * y.none);
  }

  /// Step 2: what had both distances odd goes the other one of its ways.
  void to_diagonals(Rank at, Rank destination, Takers& takers) const {
    const Sides x = sides(0, at, destination);
    const Sides y = sides(1, at, destination);
    if (x.none * y.none > 0) return takers.add(at, 1);
    if (x.none == y.none) return;  // neither has been gone: no data is here
    const int dimension = x.none > 0 ? 1 : 0;
    const Sides& side = dimension == 0 ? x : y;
    takers.add(torus().neighbour(at, dimension, 1), side.forward);
    takers.add(torus().neighbour(at, dimension, -1), side.backward);
  }

  [[nodiscard]] Sides sides(int dimension, Rank at, Rank destination) const {
    const Rank ahead = torus().ahead(at, destination, dimension);
    if (ahead % 2 == 0) return {0, 0, 2};
    const Rank half = torus().extent(dimension) / 2;
    if (ahead == half) return {1, 1, 0};
    return ahead < half ? Sides{2, 0, 0} : Sides{0, 2, 0};
  }

  [[nodiscard]] bool in_second_phase(int stage) const { return stage < kFirst + ring_stages_; }
  [[nodiscard]] int ring_stage(int stage) const { return (stage - kFirst) % ring_stages_; }

  [[nodiscard]] bool along_rows(int stage, Rank rank) const {
    const Rank sum = torus().coordinate(rank, 0) + torus().coordinate(rank, 1);
    return (sum % 2 == 0) == in_second_phase(stage);
  }

  [[nodiscard]] const RingAlong& ring(int stage, Rank rank) const {
    return along_rows(stage, rank) ? rows_ : columns_;
  }

  /// After phase 1 a rank has data of 9 ranks; after phase 2, of all that are on its ring.
  [[nodiscard]] RankBox place(int stage, Rank rank) const {
    const RingAlong& other = along_rows(stage, rank) ? columns_ : rows_;
    return in_second_phase(stage) ? RankBox{9, other.size()} : RankBox{Bytes{9} * other.size(), 1};
  }

  RingAlong columns_;
  RingAlong rows_;
  int ring_stages_;
};

bool is_grid_of_multiples(const Extents& extents, Rank multiple) {
  return extents.dimensions() == 2 && extents.extent(0) % multiple == 0 &&
         extents.extent(1) % multiple == 0;
}

}  // namespace

std::unique_ptr<Algorithm> make_torus(const Extents& extents, Bytes grain) {
  if (!is_grid_of_multiples(extents, 4)) {
    throw Error(ErrorKind::argument,
                fmt::format("torus runs on R x C ranks, both multiples of 4, not on {}; "
                            "torus-split runs on any torus",
                            extents.name()));
  }
  return std::make_unique<GridExchange>("torus", extents, alternating_ring, grain);
}

std::unique_ptr<Algorithm> make_torus_pipeline(const Extents& extents, Bytes grain) {
  if (!is_grid_of_multiples(extents, 2)) {
    throw Error(ErrorKind::argument,
                fmt::format("torus-pipeline runs on R x C ranks, both even, not on {}; "
                            "torus-split runs on any torus",
                            extents.name()));
  }
  return std::make_unique<GridExchange>("torus-pipeline", extents, pipelined_ring, grain);
}

}  // namespace shunt
