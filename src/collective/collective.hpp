// What the kinds of collectives differ in. run_once.cpp and plan.cpp have all else of a call, for
// all kinds. A new kind is another folder here with such a class.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/memory_bound.hpp"
#include "collective/problem.hpp"
#include "engine/plan_run.hpp"
#include "model/traffic_signature.hpp"
#include "planner/memory_limit.hpp"
#include "planner/trials.hpp"

namespace shunt {

/// What an algorithm needs on this rank in addition to the caller's memory.
struct Needs {
  std::string name;         ///< of the algorithm, for messages
  Bytes head_bytes;         ///< Problem::head_bytes, within the limit of memory
  BoundsWithGrain buffers;  ///< null: none
};

/// How MPI's own collective can be called instead of Shunt.
enum class NativeCall {
  as_it_came,   ///< with the program's own arguments, whatever they are
  not_blocking  ///< by Shunt, which drives other exchanges meanwhile (native_call.hpp)
};

/// What the choice for a one-shot call depends on. What each number is, a kind says; the largest of
/// all ranks count.
using TrafficNumbers = std::array<Bytes, 4>;

/// What one rank knows of the traffic of a one-shot call.
struct CallTraffic {
  TrafficNumbers numbers{};
  Bytes packing = 0;  ///< bytes of packed copies of this rank alone
  /// The length of the block from each rank, for a kind whose ranks all know them; outlives this.
  const std::vector<Bytes>* lengths = nullptr;
};

/// Stateless; one object of each kind serves all threads.
class Collective {
 public:
  virtual ~Collective() = default;

  /// Returns the name of the kind in wisdom, as "alltoallv". No two kinds share one.
  [[nodiscard]] virtual const char* name() const = 0;

  /// The algorithm that needs no buffers and takes blocks of any length.
  [[nodiscard]] virtual const char* straight() const = 0;

  /// Whether each rank knows the lengths of all blocks, unless the program is wrong.
  [[nodiscard]] virtual bool all_know_lengths() const { return false; }

  /// Returns the traffic of a one-shot call in which rank `own` has blocks of these lengths, in
  /// bytes and by rank; `received` outlives what is returned.
  [[nodiscard]] virtual CallTraffic traffic_of(const std::vector<Bytes>& sent,
                                               const std::vector<Bytes>& received,
                                               Rank own) const = 0;

  /// Returns the class of traffic with these numbers.
  [[nodiscard]] virtual TrafficSignature signature_of(const TrafficNumbers& numbers) const = 0;

  /// Whether a call with such traffic ends on no rank before it has begun on all.
  [[nodiscard]] virtual bool waits_for_all(const TrafficNumbers& numbers, Rank ranks) const = 0;

  /// Returns the candidates of "auto" for a one-shot call, the preferred one first, MPI's own last.
  /// `traffic` has the numbers on which the ranks have agreed. Collective.
  [[nodiscard]] virtual std::vector<Configuration> candidates(Context& context,
                                                              const Options& options,
                                                              NativeCall native,
                                                              const CallTraffic& traffic) const = 0;

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

/// What the stages of an algorithm or an all-gather do.
template <class Staged>
[[nodiscard]] std::vector<std::string> stage_names_of(const Staged& staged) {
  std::vector<std::string> names;
  for (int stage = 0; stage < staged.stages(); ++stage) names.push_back(staged.stage_name(stage));
  return names;
}

}  // namespace shunt
