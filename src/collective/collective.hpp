// What the kinds of collectives differ in. run_once.cpp and plan.cpp have all else of a call, for
// all kinds. A new kind is another folder here with such a class.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/memory_bound.hpp"
#include "collective/problem.hpp"
#include "exchange/plan_run.hpp"
#include "planner/memory_limit.hpp"
#include "planner/one_shot.hpp"
#include "planner/trials.hpp"

namespace shunt {

/// What an algorithm needs on this rank in addition to the caller's memory.
struct Needs {
  std::string name;         ///< of the algorithm, for messages
  Bytes head_bytes;         ///< Problem::head_bytes, within the limit of memory
  BoundsWithGrain buffers;  ///< null: none
};

/// Stateless; one object of each kind serves all threads.
class Collective {
 public:
  virtual ~Collective() = default;

  /// Returns the name of the kind in wisdom, as "alltoallv". No two kinds share one.
  [[nodiscard]] virtual const char* name() const = 0;

  /// The algorithm that needs no buffers and takes blocks of any length.
  [[nodiscard]] virtual const char* straight() const = 0;

  /// Begins a one-shot call of "auto". Collective.
  [[nodiscard]] virtual OneShot choose(const Problem& problem, const BlockParts& buffers) const = 0;

  /// Chooses for a plan of "auto". Collective. `packing` are the bytes of packed copies where
  /// memory is limited.
  [[nodiscard]] virtual PlanChoice choose_plan(const Problem& problem, const BlockParts& buffers,
                                               Bytes packing) const = 0;

  [[nodiscard]] virtual Needs needs(const Problem& problem, const Configuration& configuration,
                                    CallForm form) const = 0;

  /// Makes the part that `buffers` give now.
  virtual Counters run(const Problem& problem, const Configuration& configuration,
                       const BlockParts& buffers) const = 0;

  /// Plans the part that `buffers` give now. `choice` is what the tuner knows of the problem, if
  /// the plan may go on learning; `shared` is memory for the plans of all parts, or null.
  [[nodiscard]] virtual std::unique_ptr<PlannedExchange> plan(
      const Problem& problem, const Configuration& configuration, const BlockParts& buffers,
      const PlanChoice* choice, std::shared_ptr<PlanBuffers> shared) const = 0;

  /// Memory for the plans of several parts, none longer than `part`; null: each has its own. Those
  /// that were laid out first cannot be moved.
  [[nodiscard]] virtual std::shared_ptr<PlanBuffers> room_for_parts(
      const Problem& /*problem*/, const Configuration& /*configuration*/,
      const TrafficBound& /*part*/) const {
    return nullptr;
  }

  /// What the stages do; none of MPI's own.
  [[nodiscard]] virtual std::vector<std::string> stage_names(const Problem& problem,
                                                             const Configuration& configuration,
                                                             const BlockParts& buffers) const = 0;
};

/// What the stages of an algorithm or a broadcast do.
template <class Staged>
[[nodiscard]] std::vector<std::string> stage_names_of(const Staged& staged) {
  std::vector<std::string> names;
  for (int stage = 0; stage < staged.stages(); ++stage) names.push_back(staged.stage_name(stage));
  return names;
}

}  // namespace shunt
