#include "collective/alltoallv/alltoallv.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/block_exchange.hpp"
#include "engine/native_call.hpp"
#include "engine/native_plan.hpp"
#include "model/configuration.hpp"
#include "planner/learning_plan.hpp"
#include "planner/plan_choice.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// The schedule that the configuration names, but with this grain.
const Schedule& with_grain(Context& context, const Configuration& configuration, Bytes grain) {
  Configuration other = configuration;
  other.grain = grain;
  return context.schedules.find(configuration.algorithm, other);
}

/// The schedule of the configuration, by which this rank's blocks can go.
const Schedule& schedule_for(Context& context, const Configuration& configuration,
                             const BlockParts& buffers) {
  const Schedule& schedule = context.schedules.find(configuration.algorithm, configuration);
  expect_supported(context, schedule, buffers.sent(), buffers.received());
  return schedule;
}

}  // namespace

CallTraffic Alltoallv::traffic_of(const std::vector<Bytes>& sent,
                                  const std::vector<Bytes>& received, Rank own) const {
  const TrafficBound bound = shunt::traffic_of(sent, received);
  Bytes messages = 0;
  for (const std::vector<Bytes>* side : {&sent, &received}) {
    messages = std::max<Bytes>(messages,
                               std::ranges::count_if(*side, [](Bytes bytes) { return bytes > 0; }));
  }
  return {.numbers = {bound.largest_load, bound.longest_block, messages,
                      load_of_others(sent, received, own)}};
}

TrafficSignature Alltoallv::signature_of(const TrafficNumbers& numbers) const {
  const auto [load, longest, messages, load_of_others] = numbers;
  return shunt::signature_of(BusiestRank{load_of_others, longest, messages});
}

/// What all ranks have together nobody has asked: at most as much as the busiest one each. Nothing
/// is beyond the limit of memory for a traffic like this; what is for another one is made in parts.
std::vector<Configuration> Alltoallv::candidates(Context& context, const Options& options,
                                                 NativeCall /*native*/,
                                                 const CallTraffic& traffic) const {
  const auto [load, longest, messages, load_of_others] = traffic.numbers;
  const TrafficBound bound{load, longest};
  const std::shared_ptr<const Machine> machine = context.topology.machine();
  const std::shared_ptr<const Profile> profile = context.tuning.profile();
  const Surroundings surroundings = context.topology.surroundings();
  const TrafficSummary summary{bound, static_cast<Rank>(messages), load * context.ranks()};
  const AlltoallvCase exchange{*profile, surroundings,       *machine,
                               summary,  CallForm::one_shot, options};
  std::vector<Configuration> candidates{usual_configuration(exchange)};
  append_new(likely_exchanges(exchange), candidates);
  (void)fit(context, options, {bound, CallForm::one_shot, traffic.packing}, candidates);
  append_new({with_algorithm(kNative, options)}, candidates);
  return candidates;
}

/// Within a limit: among what fits whole with its packing, or what needs no buffers.
PlanChoice Alltoallv::choose_plan(const Problem& problem, const BlockParts& buffers,
                                  Bytes packing) const {
  Options left = problem.options;
  left.memory -= packing;
  if (problem.options.memory != 0 && left.memory <= 0) {
    PlanChoice straight;
    straight.configuration = with_algorithm(kStraight, problem.options);
    straight.likely = {straight.configuration};
    return straight;
  }
  return shunt::choose_plan(problem.context, name(), left, buffers.to_send(), buffers.to_receive(),
                            [&](const Configuration& configuration, const SendBlocks& send,
                                const ReceiveBlocks& receive) {
                              return plan_by(problem, configuration, send, receive, nullptr);
                            });
}

Needs Alltoallv::needs(const Problem& problem, const Configuration& configuration,
                       CallForm form) const {
  Needs needs{configuration.algorithm, problem.head_bytes, nullptr};
  if (configuration.algorithm == kNative) return needs;
  Context& context = *problem.context;
  const Algorithm& algorithm = *with_grain(context, configuration, configuration.grain).algorithm;
  if (form == CallForm::one_shot) needs.name = algorithm.name();
  if (algorithm.stages() == 1) return needs;
  if (form == CallForm::one_shot) {
    needs.head_bytes = head_within(algorithm, configuration.memory, problem.head_bytes);
  }
  needs.buffers = [&context, configuration, form,
                   head = needs.head_bytes](Bytes grain) -> BufferBound {
    const Algorithm& cut = *with_grain(context, configuration, grain).algorithm;
    if (form == CallForm::plan) return MemoryBound(cut, context.rank(), configuration.mode);
    return MemoryBound(cut, context.rank(), configuration.mode, head);
  };
  return needs;
}

[[gnu::hot]] Counters Alltoallv::run(const Problem& problem, const Configuration& configuration,
                                     const BlockParts& buffers) const {
  Context& context = *problem.context;
  const SendBlocks& send = buffers.to_send();
  const ReceiveBlocks& receive = buffers.to_receive();
  if (configuration.algorithm == kNative) return call_native(problem, send, receive);
  const Schedule& schedule = schedule_for(context, configuration, buffers);
  return run_exchange(context, schedule, configuration, problem.head_bytes, send, receive);
}

std::unique_ptr<PlannedExchange> Alltoallv::plan(const Problem& problem,
                                                 const Configuration& configuration,
                                                 const BlockParts& buffers,
                                                 const PlanChoice* choice,
                                                 std::shared_ptr<PlanBuffers> shared) const {
  const SendBlocks& send = buffers.to_send();
  const ReceiveBlocks& receive = buffers.to_receive();
  if (choice != nullptr && LearningPlan::can_learn(*choice, problem.options)) {
    return std::make_unique<LearningPlan>(
        problem.context, *choice, problem.options, [&](const Configuration& candidate) {
          return plan_by(problem, candidate, send, receive, nullptr);
        });
  }
  return plan_by(problem, configuration, send, receive, std::move(shared));
}

std::unique_ptr<PlannedExchange> Alltoallv::plan_by(const Problem& problem,
                                                    const Configuration& configuration,
                                                    const SendBlocks& send,
                                                    const ReceiveBlocks& receive,
                                                    std::shared_ptr<PlanBuffers> shared) const {
  if (configuration.algorithm == kNative) return plan_native(problem, send, receive);
  return make_plan(problem.context, configuration, send, receive, std::move(shared));
}

Counters Alltoallv::call_native(const Problem& problem, const SendBlocks& send,
                                const ReceiveBlocks& receive) const {
  return call_alltoallv(*problem.context, send, receive);
}

std::unique_ptr<PlannedExchange> Alltoallv::plan_native(const Problem& problem,
                                                        const SendBlocks& send,
                                                        const ReceiveBlocks& receive) const {
  return native_alltoallv(problem.context, send, receive);
}

std::shared_ptr<PlanBuffers> Alltoallv::room_for_parts(const Problem& problem,
                                                       const Configuration& configuration,
                                                       const TrafficBound& part) const {
  if (configuration.algorithm == kNative) return nullptr;
  Context& context = *problem.context;
  const Algorithm& algorithm =
      *context.schedules.find(configuration.algorithm, configuration).algorithm;
  if (algorithm.stages() == 1) return nullptr;
  const auto [messages, own] = stage_buffers(algorithm, context.rank(), part);
  auto room = std::make_shared<PlanBuffers>();
  room->provide(configuration.mode, messages, messages, own);
  return room;
}

std::vector<std::string> Alltoallv::stage_names(const Problem& problem,
                                                const Configuration& configuration,
                                                const BlockParts& buffers) const {
  if (configuration.algorithm == kNative) return {};
  return stage_names_of(*schedule_for(*problem.context, configuration, buffers).algorithm);
}

const Collective& alltoallv() {
  static const Alltoallv kAlltoallv;
  return kAlltoallv;
}

const Schedule& one_shot_schedule(Context& context, const Options& options) {
  return context.schedules.find(options.algorithm == kAuto ? kStraight : options.algorithm,
                                options);
}

const Schedule* named_schedule(Context& context, const Options& options) {
  if (options.algorithm == kAuto || options.algorithm == kNative) return nullptr;
  return &context.schedules.find(options.algorithm, options);
}

void expect_supported(Context& context, const Schedule& schedule, const std::vector<Bytes>& sent,
                      const std::vector<Bytes>& received) {
  if (schedule.supports_all_pairs) return;
  const Algorithm& algorithm = *schedule.algorithm;
  auto check = [&](Rank source, Rank destination, Bytes bytes) {
    if (bytes == 0 || algorithm.supports_pair(source, destination)) return;
    throw Error(ErrorKind::argument,
                fmt::format("rank {} has {} bytes for rank {}, a pair that algorithm {} does not "
                            "carry",
                            source, bytes, destination, algorithm.name()));
  };
  for (Rank peer = 0; peer < context.ranks(); ++peer) {
    check(context.rank(), peer, sent[index_of(peer)]);
    check(peer, context.rank(), received[index_of(peer)]);
  }
}

}  // namespace shunt
