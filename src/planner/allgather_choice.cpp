#include "planner/allgather_choice.hpp"

#include "engine/allgather_run.hpp"
#include "engine/native_call.hpp"
#include "engine/native_plan.hpp"
#include "model/configuration.hpp"
#include "model/traffic_signature.hpp"
#include "mpi_calls/simulated.hpp"
#include "planner/choose.hpp"
#include "planner/patient.hpp"
#include "planner/recalled_choice.hpp"
#include "planner/scratch_blocks.hpp"

namespace shunt {

namespace {

bool all_fit_native(const Context& context, const AllgatherBlocks& blocks) {
  const int own = native_fits(blocks.receive) ? 1 : 0;
  int all = 0;
  context.progress.reduce(&own, &all, 1, MPI_INT, MPI_MIN);
  return all != 0;
}

}  // namespace

bool may_use_broadcast_buffers(Context& context, const Options& options) {
  if (kSimulated || !options.shared_memory || options.mode == Mode::blocking) return false;
  return context.topology.machine()->nodes() > 1 || context.node().shares();
}

Counters allgather_once(const std::shared_ptr<Context>& context, const Configuration& configuration,
                        const AllgatherBlocks& blocks) {
  if (configuration.algorithm == kNative) return call_allgatherv(*context, blocks);
  RouteKind kind = route_kind(*context, configuration);
  const std::shared_ptr<BroadcastBuffers> none;
  const std::shared_ptr<BroadcastBuffers>& broadcast_buffers =
      kind.way == RouteWay::broadcast_buffers ? context->kept_broadcast_buffers() : none;
  if (kind.way == RouteWay::broadcast_buffers && broadcast_buffers == nullptr)
    kind.way = RouteWay::straight;
  KeptAllgather& kept =
      context->schedules.find_allgather(configuration.algorithm, blocks.receive, kind);
  return run_once(*context, kept, broadcast_buffers, configuration, blocks);
}

std::unique_ptr<PlannedExchange> make_allgather_plan(const std::shared_ptr<Context>& context,
                                                     const Configuration& configuration,
                                                     const AllgatherBlocks& blocks) {
  if (configuration.algorithm == kNative) return native_allgatherv(context, blocks);
  RouteKind kind = route_kind(*context, configuration);
  auto route =
      context->schedules.find_allgather(configuration.algorithm, blocks.receive, kind).route;
  std::shared_ptr<BroadcastBuffers> broadcast_buffers;
  if (route->longest_published > 0) {
    broadcast_buffers = context->make_broadcast_buffers(route->longest_published);
    if (broadcast_buffers == nullptr) {
      kind.way = RouteWay::straight;
      route =
          context->schedules.find_allgather(configuration.algorithm, blocks.receive, kind).route;
    }
  }
  return std::make_unique<AllgatherRun>(context, std::move(route), std::move(broadcast_buffers),
                                        configuration, blocks);
}

PlanChoice choose_allgather_plan(const std::shared_ptr<Context>& context, const Options& options,
                                 const AllgatherBlocks& blocks) {
  const Sources sources(blocks.receive.bytes);
  PlanChoice expected;
  const std::shared_ptr<const Machine> machine = context->topology.machine();
  expected.likely = likely_allgathers(
      {sources, *machine, may_use_broadcast_buffers(*context, options)}, *context->tuning.profile(),
      context->topology.surroundings(), CallForm::plan, options);
  expected.configuration = expected.likely.front();
  const bool room = options.memory == 0 || 2 * sources.total() <= options.memory;
  if (!room || sources.total() > kLargestTrial) return expected;

  const bool native_fits_all = all_fit_native(*context, blocks);
  const auto fits = [&](const Configuration& known) {
    if (known.algorithm == kNative) return native_fits_all;
    context->schedules.expect_allgather(known.algorithm);
    return true;
  };
  const auto choose = [&](Effort effort) {
    if (effort == Effort::estimate) return expected;
    std::vector<Configuration> candidates = expected.likely;
    if (native_fits_all) candidates.push_back(with_algorithm(kNative, options));
    ScratchBlocks scratch({std::ssize(blocks.own)}, sources.lengths());
    const AllgatherBlocks trial{scratch.sent(), scratch.receive()};
    const auto make = [&](const Configuration& candidate) {
      return make_allgather_plan(context, candidate, trial);
    };
    const TrialGround ground{make, scratch.sent(),
                             sources.total() <= kShortTrial ? kManyInARow : 0};
    if (effort == Effort::measure)
      return try_plans(*context, candidates, expected.configuration, ground);
    append_new(with_algorithms(
                   patient_allgathers(context->topology.surroundings(), context->ranks()), options),
               candidates);
    // Blocks that are cut are not cut by the grain.
    return race_with_variants(*context, candidates, expected.configuration, {sources.total(), 0},
                              ground);
  };
  return recall_or_choose(*context, {"allgatherv plan", options, signature_of(sources.totals())},
                          fits, choose);
}

}  // namespace shunt
