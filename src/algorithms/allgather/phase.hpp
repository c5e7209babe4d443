// What all-gathers are put together from: in a phase, what ranks hold spreads over them by one
// pattern.
#pragma once

#include <string>
#include <vector>

#include "model/loads.hpp"
#include "schedule/step.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Bytes by rank.
using Volumes = std::vector<Bytes>;

/// A pattern of messages. Knows no blocks: says which rank passes on to which, in which stage, and
/// *whose* holdings these are, those of the beginning of the phase. In one stage a rank sends the
/// same to each rank that it sends to.
class Phase {
 public:
  virtual ~Phase() = default;

  [[nodiscard]] virtual int stages() const = 0;
  [[nodiscard]] virtual std::string stage_name(int stage) const = 0;

  /// The steps of `rank` if all ranks hold something.
  [[nodiscard]] virtual std::vector<Step> steps(int stage, Rank rank) const = 0;
  [[nodiscard]] virtual int step_count(int stage) const = 0;

  /// Appends the ranks whose holdings of the beginning of the phase `rank` passes on in `stage`,
  /// each once; for stage stages(), those whose holdings it has after the phase.
  virtual void origins(int stage, Rank rank, std::vector<Rank>& origins) const = 0;

  /// What `Allgather::spreads_in_nodes` says of the stage.
  [[nodiscard]] virtual bool spreads_in_nodes(int /*stage*/) const { return false; }

  /// Whether only what was cut into one part for each rank takes part, instead of all holdings.
  [[nodiscard]] virtual bool deals_parts() const { return false; }

  /// In a phase that deals parts, whether the part for `other` comes to `rank`, to be passed on or
  /// to stay.
  [[nodiscard]] virtual bool comes_by(Rank /*other*/, Rank /*rank*/) const { return false; }

  /// The bytes that each rank passes on in `stage`, or has after the phase for stage stages(), if
  /// rank r has held[r] bytes at the beginning; `before` are the bytes of the stage before, if
  /// there is one.
  [[nodiscard]] virtual Volumes volumes(int stage, const Volumes& held,
                                        const Volumes& before) const;

  /// Seconds on one port each way a rank (`OnePortClock`). Turns `held` into what ranks have after
  /// the phase.
  [[nodiscard]] virtual double predict(Volumes& held, const LinkCost& cost) const;

 protected:
  /// Turns what ranks hold into what they have after a phase that brings everything to all.
  static void give_all_to_all(Volumes& held);
};

}  // namespace shunt
