// What complete exchanges on rings and tori cost in the model of Liu 2005: all ports at once.
#pragma once

#include "model/loads.hpp"
#include "model/machine.hpp"

namespace shunt {

/// The cost of a complete exchange of equal blocks (Liu 2005, Section 2).
struct TorusCost {
  double start_ups = 0;
  double transmission = 0;   ///< blocks for which links are waited for
  double rearrangement = 0;  ///< blocks that a rank copies between phases

  /// Returns the seconds of an exchange of blocks of `block` bytes; `cost` has the paper's t_s, t_w
  /// and rho.
  [[nodiscard]] double seconds(const LinkCost& cost, Bytes block) const {
    const auto bytes = static_cast<double>(block);
    return start_ups * cost.start_up + transmission * bytes * cost.per_byte +
           rearrangement * bytes * cost.copy;
  }
};

/// Returns how many blocks the busiest link has to carry at least in any complete exchange: Lemma
/// 1, for odd extents N with N^2 - 1 instead of N^2.
[[nodiscard]] double least_transmission(const Extents& torus);

/// Returns the cost of AR on a ring of `ranks` ranks (Lemma 2). The paper counts no rearrangement
/// on a ring.
[[nodiscard]] TorusCost ring_cost(Rank ranks);

/// Returns the cost of AT2 on R x C ranks, R <= C (Lemma 4 and Section 4.D), as published; where
/// half of an extent is no multiple of 4, more is transmitted.
[[nodiscard]] TorusCost published_torus_cost(Rank rows, Rank columns);

/// Returns the cost of AT2 as implemented, for any multiples of 4: AR on rings of every second
/// rank, in rows and columns at once, of which the busier ones are waited for.
[[nodiscard]] TorusCost torus_cost(Rank rows, Rank columns);

/// Returns the cost of AT2 with the two-way pipeline instead of AR, for even extents: the least
/// transmission.
[[nodiscard]] TorusCost torus_pipeline_cost(Rank rows, Rank columns);

/// Returns the cost of sending blocks in k parts on a torus of k dimensions, rearranged at the
/// beginning of each of k phases: the least transmission. On a ring this is the two-way pipeline.
[[nodiscard]] TorusCost split_cost(const Extents& torus);

/// The algorithms of Table II, for one port, but the last.
enum class TorusAlgorithm {
  tseng_1997,  ///< [5]: Tseng, Lin, Gupta, Panda
  suh_1998,    ///< [6]: Suh, Yalamanchili
  suh_2001,    ///< [10]: Suh, Shin
  at2
};

/// Table II: the cost on a torus of 2^d x 2^d ranks, d >= 2.
[[nodiscard]] TorusCost table_2_cost(TorusAlgorithm algorithm, int d);

}  // namespace shunt
