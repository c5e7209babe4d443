// Irregular personalised all-to-all: a block from every rank to every rank.
#pragma once

#include <vector>

#include "collective/collective.hpp"
#include "planner/choose.hpp"

namespace shunt {

/// Also what other kinds derive from in which a rank has a block of its own for each rank, or for
/// some: they differ in their names, and in MPI's own function.
class Alltoallv : public Collective {
 public:
  [[nodiscard]] const char* name() const override { return "alltoallv"; }
  [[nodiscard]] const char* straight() const final { return kStraight; }
  /// The numbers: the largest load, the longest block, the most blocks that are not empty, and the
  /// largest load of others, which is the most bytes that a rank has for others or from them.
  [[nodiscard]] CallTraffic traffic_of(const std::vector<Bytes>& sent,
                                       const std::vector<Bytes>& received, Rank own) const final;
  [[nodiscard]] TrafficSignature signature_of(const TrafficNumbers& numbers) const final;
  [[nodiscard]] bool waits_for_all(const TrafficNumbers& /*numbers*/, Rank /*ranks*/) const final {
    return true;
  }
  [[nodiscard]] std::vector<Configuration> candidates(Context& context, const Options& options,
                                                      NativeCall native,
                                                      const CallTraffic& traffic) const final;
  [[nodiscard]] PlanChoice choose_plan(const Problem& problem, const BlockParts& buffers,
                                       Bytes packing) const final;
  [[nodiscard]] Needs needs(const Problem& problem, const Configuration& configuration,
                            CallForm form) const final;
  Counters run(const Problem& problem, const Configuration& configuration,
               const BlockParts& buffers) const final;
  [[nodiscard]] std::unique_ptr<PlannedExchange> plan(
      const Problem& problem, const Configuration& configuration, const BlockParts& buffers,
      const PlanChoice* choice, std::shared_ptr<PlanBuffers> shared) const final;
  [[nodiscard]] std::shared_ptr<PlanBuffers> room_for_parts(const Problem& problem,
                                                            const Configuration& configuration,
                                                            const TrafficBound& part) const final;
  [[nodiscard]] std::vector<std::string> stage_names(const Problem& problem,
                                                     const Configuration& configuration,
                                                     const BlockParts& buffers) const final;

 protected:
  /// MPI's own function, once, with blocks of any lengths.
  virtual Counters call_native(const Problem& problem, const SendBlocks& send,
                               const ReceiveBlocks& receive) const;

  /// MPI's own function as a plan. Throws Error(count) unless `native_fits`.
  [[nodiscard]] virtual std::unique_ptr<PlannedExchange> plan_native(
      const Problem& problem, const SendBlocks& send, const ReceiveBlocks& receive) const;

 private:
  [[nodiscard]] std::unique_ptr<PlannedExchange> plan_by(const Problem& problem,
                                                         const Configuration& configuration,
                                                         const SendBlocks& send,
                                                         const ReceiveBlocks& receive,
                                                         std::shared_ptr<PlanBuffers> shared) const;
};

[[nodiscard]] const Collective& alltoallv();

/// Returns the schedule of an exchange in which no rank knows what the others have: for "auto" the
/// one that sends each block straight to its rank. See Schedules::find.
[[nodiscard]] const Schedule& one_shot_schedule(Context& context, const Options& options);

/// Returns the schedule that the options name; null for "auto" and "native". See
/// Schedules::find.
[[nodiscard]] const Schedule* named_schedule(Context& context, const Options& options);

/// Throws Error(argument) where the restriction of the schedule's algorithm forbids one of this
/// rank's blocks, given in bytes by rank.
void expect_supported(Context& context, const Schedule& schedule, const std::vector<Bytes>& sent,
                      const std::vector<Bytes>& received);

}  // namespace shunt
