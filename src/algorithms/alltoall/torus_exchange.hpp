// The common form of the exchanges on rings and tori: at each stage messages go along single
// dimensions, all ports at once, and a stream is cut in given shares.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "schedule/ring_rule.hpp"

namespace shunt {

/// The ranks to which a stream goes on, and their shares of it.
class Takers {
 public:
  /// Shares of one rank are added up.
  void add(Rank to, Bytes share);

  [[nodiscard]] bool empty() const { return total_ == 0; }

  /// Cuts a stream of `length` bytes in proportion to the shares. `turn` turns the roundings of
  /// different streams against each other.
  void cut(Bytes length, Bytes turn, Bytes grain, std::vector<Piece>& pieces) const;

 private:
  struct Taker {
    Rank to;
    Bytes share;
  };

  std::array<Taker, 64> takers_;  ///< two for each of 31 dimensions, and oneself
  std::size_t count_ = 0;
  Bytes total_ = 0;
};

/// A message that a rank sends along a dimension, and what is in it.
struct TorusMove {
  int dimension;
  Rank distance;  ///< forward if positive
  Way way;
  RankBox data;
};

class TorusExchange : public Algorithm {
 public:
  TorusExchange(std::string name, Extents torus, Bytes grain);

  [[nodiscard]] std::string name() const final { return name_; }
  [[nodiscard]] Rank ranks() const final { return torus_.ranks(); }
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const final;
  [[nodiscard]] int step_count(int stage) const final;
  void route(int stage, Rank at, Rank destination, Bytes length,
             std::vector<Piece>& pieces) const final;

  /// A record goes as a stream of one byte would.
  [[nodiscard]] RecordRule record_rule(int stage, Rank at) const final;

  [[nodiscard]] const Extents* link_contention_free_on() const final { return &torus_; }
  [[nodiscard]] Way way_round(int stage, Rank from, Rank to) const final;
  [[nodiscard]] std::optional<Symmetry> symmetry() const final {
    return Symmetry{torus_, period()};
  }
  [[nodiscard]] StageBound bound(int stage, Rank rank, const TrafficBound& traffic) const final;

  /// Counts start-ups, and in each stage as many bytes as a rank has of its own: messages travel
  /// equally far from every rank.
  [[nodiscard]] double predict(const Loads& loads, const LinkCost& cost) const final;

 protected:
  [[nodiscard]] const Extents& torus() const { return torus_; }

 private:
  /// The messages of `rank`, but that to itself. The k-th one leaves in step k, and in that step
  /// `rank` receives from where a message over the same distance comes from. Ranks 0 and 1 have the
  /// most.
  [[nodiscard]] virtual std::vector<TorusMove> moves(int stage, Rank rank) const = 0;

  /// Finds the ranks that take what `at` holds for `destination`; none where it can hold nothing.
  virtual void share_out(int stage, Rank at, Rank destination, Takers& takers) const = 0;

  /// What a rank keeps in `stage`, in parts.
  [[nodiscard]] virtual std::vector<RankBox> kept(int stage, Rank rank) const = 0;

  /// Returns a period of the schedule: ranks whose coordinates differ by multiples of it do the
  /// same.
  [[nodiscard]] virtual Rank period() const { return 1; }

  std::string name_;
  Extents torus_;
  Bytes grain_;
};

}  // namespace shunt
