#include <algorithm>

#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/torus_exchange.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// The dimensions in which there is anywhere to go; the first if there is none.
std::vector<int> wide_dimensions(const Extents& torus) {
  std::vector<int> wide;
  for (int dimension = 0; dimension < torus.dimensions(); ++dimension) {
    if (torus.extent(dimension) > 1) wide.push_back(dimension);
  }
  if (wide.empty()) wide.push_back(0);
  return wide;
}

/// Each block in k parts, one for each dimension: in phase q part j goes along dimension j + q, as
/// in the two-way pipeline of a ring. So in each phase every dimension serves one part.
///
/// Parts meet: at one rank there may be data of several parts for one destination, which in this
/// stage go on along different dimensions. Nothing says then which byte belongs to which part, nor
/// need it. What is there for one destination is alike, and is cut anew in the proportions that the
/// parts would have if all blocks were as long as each other. So the ways of bytes change, but not
/// how many go which way, and what equal blocks do to the links is what the parts would do. Bytes
/// go only where a part may be. Hence each makes a part of a shortest path in every stage in which
/// it moves, and all are there when the parts are, whatever the lengths of the blocks.
class TorusSplit final : public TorusExchange {
 public:
  TorusSplit(const Extents& extents, Bytes grain)
      : TorusExchange("torus-split:" + extents.name(), extents, grain),
        wide_(wide_dimensions(extents)) {
    for (const int dimension : wide_) {
      phase_stages_ = std::max(phase_stages_, torus().extent(dimension) / 2);
    }
  }

  [[nodiscard]] int stages() const override { return parts() * phase_stages_; }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return fmt::format("phase {}, step {}", phase_of(stage) + 1, moved_by(stage) + 1);
  }

 private:
  [[nodiscard]] std::vector<TorusMove> moves(int stage, Rank /*rank*/) const override {
    std::vector<TorusMove> moves;
    const int phase = phase_of(stage);
    const Rank moved = moved_by(stage);
    for (int part = 0; part < parts(); ++part) {
      const int dimension = dimension_of(part, phase);
      const Rank extent = torus().extent(dimension);
      if (moved >= extent / 2) continue;
      const RankBox data{moving_sources(stage), (extent / 2 - moved) * open_places(part, phase)};
      if (extent == 2) {
        moves.push_back({dimension, 1, Way::both, data});
      } else {
        moves.push_back({dimension, 1, Way::forward, data});
        moves.push_back({dimension, -1, Way::backward, data});
      }
    }
    return moves;
  }

  /// The shares are twice the blocks that there would be of each part.
  void share_out(int stage, Rank at, Rank destination, Takers& takers) const override {
    const int phase = phase_of(stage);
    const Rank moved = moved_by(stage);
    for (int part = 0; part < parts(); ++part) {
      const Bytes gathered = gathered_blocks(part, phase, at, destination);
      if (gathered == 0) continue;
      const int dimension = dimension_of(part, phase);
      const Rank extent = torus().extent(dimension);
      const Rank ahead = torus().ahead(at, destination, dimension);
      if (ahead == 0) {
        // What has come from both sides so far.
        takers.add(at, 2 * gathered * std::min(Bytes{2} * moved + 1, Bytes{extent}));
        continue;
      }
      takers.add(torus().neighbour(at, dimension, 1), gathered * halves(ahead + moved, extent));
      takers.add(torus().neighbour(at, dimension, -1),
                 gathered * halves(extent - ahead + moved, extent));
    }
  }

  [[nodiscard]] std::vector<RankBox> kept(int stage, Rank /*rank*/) const override {
    const int phase = phase_of(stage);
    if (phase + 1 == parts()) return {{Bytes{ranks()}, 1}};
    std::vector<RankBox> kept;
    for (int part = 0; part < parts(); ++part) {
      kept.push_back({near_sources(stage), open_places(part, phase)});
    }
    return kept;
  }

  /// How many halves of a block that has `distance` to go one way round do so.
  [[nodiscard]] static Bytes halves(Rank distance, Rank extent) {
    if (distance == extent - distance) return 1;
    return distance < extent - distance ? 2 : 0;
  }

  /// Of how many ranks a rank has data for one destination of the kind that `destination` is, by
  /// the dimensions which `part` has done: 0 if it is none to which the part has come there.
  [[nodiscard]] Bytes gathered_blocks(int part, int phase, Rank at, Rank destination) const {
    Bytes blocks = 1;
    for (int done = 0; done < phase; ++done) {
      const int dimension = dimension_of(part, done);
      if (torus().ahead(at, destination, dimension) != 0) return 0;
      blocks *= torus().extent(dimension);
    }
    return blocks;
  }

  /// How many places there are in the dimensions that are left to `part` after `phase`.
  [[nodiscard]] Bytes open_places(int part, int phase) const {
    Bytes places = 1;
    for (int later = phase + 1; later < parts(); ++later) {
      places *= torus().extent(dimension_of(part, later));
    }
    return places;
  }

  /// The ranks of which data may have come to a rank, since parts are mixed.
  [[nodiscard]] Bytes near_sources(int stage) const {
    if (phase_of(stage) > 0) return ranks();
    Bytes sources = 1;
    for (const int dimension : wide_) {
      sources *= std::min(2 * moved_by(stage) + 1, torus().extent(dimension));
    }
    return sources;
  }

  /// The same for data that goes on. On a ring it has always moved, and met none.
  [[nodiscard]] Bytes moving_sources(int stage) const {
    return parts() == 1 ? 1 : near_sources(stage);
  }

  [[nodiscard]] int parts() const { return static_cast<int>(wide_.size()); }
  [[nodiscard]] int dimension_of(int part, int phase) const {
    return wide_[static_cast<std::size_t>((part + phase) % parts())];
  }
  [[nodiscard]] int phase_of(int stage) const { return stage / phase_stages_; }
  /// How far that has moved in this phase which goes on.
  [[nodiscard]] Rank moved_by(int stage) const { return stage % phase_stages_; }

  std::vector<int> wide_;
  Rank phase_stages_ = 1;  ///< a lone rank has a message to itself
};

}  // namespace

std::unique_ptr<Algorithm> make_torus_split(const Extents& extents, Bytes grain) {
  // So that the product of any two shares has 63 bits at most.
  constexpr Bytes kMost = Bytes{1} << 31;
  if (Bytes{2} * extents.dimensions() * extents.ranks() > kMost) {
    throw Error(
        ErrorKind::argument,
        fmt::format("torus-split runs on at most {} ranks in {} dimensions, not on {}",
                    kMost / 2 / extents.dimensions(), extents.dimensions(), extents.name()));
  }
  return std::make_unique<TorusSplit>(extents, grain);
}

}  // namespace shunt
