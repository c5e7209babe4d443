#include "collective/allgatherv/allgatherv.hpp"

#include <utility>

#include "exchange/broadcast_run.hpp"
#include "planner/broadcast_choice.hpp"
#include "planner/choose.hpp"

namespace shunt {

namespace {

/// What this rank has for all, and where the blocks of all belong.
BroadcastBlocks blocks_of(const Problem& problem, const BlockParts& buffers) {
  return {buffers.to_send().span(problem.own), buffers.to_receive()};
}

class Allgatherv final : public Collective {
 public:
  [[nodiscard]] const char* name() const override { return "allgatherv"; }

  [[nodiscard]] const char* straight() const override { return kDirectBroadcast; }

  [[nodiscard]] OneShot choose(const Problem& problem, const BlockParts& buffers) const override {
    return {*problem.context, problem.options, NativeCall::not_blocking, name(),
            buffers.received()};
  }

  [[nodiscard]] PlanChoice choose_plan(const Problem& problem, const BlockParts& buffers,
                                       Bytes packing) const override;

  /// Within a limit no message is packed, and each byte is received where it belongs.
  [[nodiscard]] Needs needs(const Problem& problem, const Configuration& configuration,
                            CallForm /*form*/) const override {
    return {configuration.algorithm, problem.head_bytes, nullptr};
  }

  Counters run(const Problem& problem, const Configuration& configuration,
               const BlockParts& buffers) const override {
    return broadcast_once(problem.context, configuration, blocks_of(problem, buffers));
  }

  [[nodiscard]] std::unique_ptr<PlannedExchange> plan(
      const Problem& problem, const Configuration& configuration, const BlockParts& buffers,
      const PlanChoice* /*choice*/, std::shared_ptr<PlanBuffers> /*shared*/) const override {
    return make_broadcast_plan(problem.context, configuration, blocks_of(problem, buffers));
  }

  [[nodiscard]] std::vector<std::string> stage_names(const Problem& problem,
                                                     const Configuration& configuration,
                                                     const BlockParts& buffers) const override;
};

PlanChoice Allgatherv::choose_plan(const Problem& problem, const BlockParts& buffers,
                                   Bytes packing) const {
  Options left = problem.options;
  left.memory -= packing;
  if (problem.options.memory == 0 || left.memory > 0) {
    return choose_broadcast_plan(problem.context, left, blocks_of(problem, buffers));
  }
  // There is no room for trials, which alone look at more than lengths.
  left.memory = 1;
  const std::vector<Bytes>& lengths = buffers.received();
  const ReceiveBlocks nowhere{nullptr, lengths, lengths};
  return choose_broadcast_plan(problem.context, left, {{}, nowhere});
}

std::vector<std::string> Allgatherv::stage_names(const Problem& problem,
                                                 const Configuration& configuration,
                                                 const BlockParts& buffers) const {
  if (configuration.algorithm == kNative) return {};
  Context& context = *problem.context;
  const RouteKind kind = route_kind(context, configuration);
  return stage_names_of(
      *context.schedules.find_broadcast(configuration.algorithm, buffers.to_receive(), kind)
           .route->broadcast);
}

}  // namespace

const Collective& allgatherv() {
  static const Allgatherv kAllgatherv;
  return kAllgatherv;
}

}  // namespace shunt
