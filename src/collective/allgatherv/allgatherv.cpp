#include "collective/allgatherv/allgatherv.hpp"

#include <sstream>
#include <utility>

#include "collective/tuned_call.hpp"
#include "engine/allgather_run.hpp"
#include "engine/native_call.hpp"
#include "model/sources.hpp"
#include "planner/allgather_choice.hpp"
#include "planner/choose.hpp"

namespace shunt {

namespace {

/// What this rank has for all, and where the blocks of all belong.
AllgatherBlocks blocks_of(const Problem& problem, const BlockParts& buffers) {
  return {buffers.to_send().span(problem.own), buffers.to_receive()};
}

class Allgatherv final : public Collective {
 public:
  [[nodiscard]] const char* name() const override { return "allgatherv"; }

  [[nodiscard]] const char* straight() const override { return kDirectAllgather; }

  [[nodiscard]] bool all_know_lengths() const override { return true; }

  /// The numbers: the bytes of all blocks, how many are not empty, and the bytes of the longest.
  [[nodiscard]] CallTraffic traffic_of(const std::vector<Bytes>& /*sent*/,
                                       const std::vector<Bytes>& received,
                                       Rank /*own*/) const override {
    const SourceTotals totals = totals_of(received);
    return {.numbers = {totals.bytes, totals.sources, totals.longest_length}, .lengths = &received};
  }

  [[nodiscard]] TrafficSignature signature_of(const TrafficNumbers& numbers) const override {
    SourceTotals totals;
    totals.bytes = numbers[0];
    totals.sources = static_cast<Rank>(numbers[1]);
    totals.longest_length = numbers[2];
    return shunt::signature_of(totals);
  }

  /// Where only some ranks have a block, nobody waits for the others.
  [[nodiscard]] bool waits_for_all(const TrafficNumbers& numbers, Rank ranks) const override {
    return numbers[1] == ranks;
  }

  /// What rank 0 finds likely: where a program errs, ranks know of other lengths.
  [[nodiscard]] std::vector<Configuration> candidates(Context& context, const Options& options,
                                                      NativeCall native,
                                                      const CallTraffic& traffic) const override {
    const Sources sources(*traffic.lengths);
    const std::shared_ptr<const Machine> machine = context.topology.machine();
    std::vector<Configuration> candidates = likely_allgathers(
        {sources, *machine, may_use_broadcast_buffers(context, options)}, *context.tuning.profile(),
        context.topology.surroundings(), CallForm::one_shot, options);
    const bool carries = native == NativeCall::as_it_came || sources.total() <= kLargestInt;
    if (carries) candidates.push_back(with_algorithm(kNative, options));
    if (!learns(context)) return candidates;
    std::string text;
    for (const Configuration& candidate : candidates) text += candidate.algorithm + "\n";
    std::istringstream lines(context.progress.broadcast_text(text));
    candidates.clear();
    for (std::string line; std::getline(lines, line);) {
      candidates.push_back(with_algorithm(line, options));
    }
    return candidates;
  }

  [[nodiscard]] PlanChoice choose_plan(const Problem& problem, const BlockParts& buffers,
                                       Bytes packing) const override {
    Options left = problem.options;
    left.memory -= packing;
    if (problem.options.memory == 0 || left.memory > 0) {
      return choose_allgather_plan(problem.context, left, blocks_of(problem, buffers));
    }
    // There is no room for trials, which alone look at more than lengths.
    left.memory = 1;
    const std::vector<Bytes>& lengths = buffers.received();
    const ReceiveBlocks nowhere{nullptr, lengths, lengths};
    return choose_allgather_plan(problem.context, left, {{}, nowhere});
  }

  /// Within a limit no message is packed, and each byte is received where it belongs.
  [[nodiscard]] Needs needs(const Problem& problem, const Configuration& configuration,
                            CallForm /*form*/) const override {
    return {configuration.algorithm, problem.head_bytes, nullptr};
  }

  Counters run(const Problem& problem, const Configuration& configuration,
               const BlockParts& buffers) const override {
    return allgather_once(problem.context, configuration, blocks_of(problem, buffers));
  }

  [[nodiscard]] std::unique_ptr<PlannedExchange> plan(
      const Problem& problem, const Configuration& configuration, const BlockParts& buffers,
      const PlanChoice* /*choice*/, std::shared_ptr<PlanBuffers> /*shared*/) const override {
    return make_allgather_plan(problem.context, configuration, blocks_of(problem, buffers));
  }

  [[nodiscard]] std::vector<std::string> stage_names(const Problem& problem,
                                                     const Configuration& configuration,
                                                     const BlockParts& buffers) const override {
    if (configuration.algorithm == kNative) return {};
    Context& context = *problem.context;
    const RouteKind kind = route_kind(context, configuration);
    return stage_names_of(
        *context.schedules.find_allgather(configuration.algorithm, buffers.to_receive(), kind)
             .route->allgather);
  }
};

}  // namespace

const Collective& allgatherv() {
  static const Allgatherv kAllgatherv;
  return kAllgatherv;
}

}  // namespace shunt
