#include "planner/plan_choice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "exchange/native_plan.hpp"
#include "exchange/plan_builder.hpp"
#include "model/configuration.hpp"
#include "model/traffic_signature.hpp"
#include "planner/choose.hpp"
#include "planner/memory_limit.hpp"
#include "planner/patient.hpp"
#include "planner/recalled_choice.hpp"
#include "planner/scratch_blocks.hpp"

namespace shunt {

namespace {

/// What all ranks know of the traffic.
struct Agreed {
  TrafficSummary traffic;
  Bytes load_of_others;
  bool native_fits;
};

/// Blocks for others, or from them.
Bytes count_messages(const std::vector<Bytes>& bytes, Rank own) {
  const Bytes filled = std::ssize(bytes) - std::ranges::count(bytes, 0);
  return filled - (bytes[static_cast<std::size_t>(own)] > 0 ? 1 : 0);
}

Agreed agree(const Context& context, const SendBlocks& send, const ReceiveBlocks& receive) {
  const Bytes sent = total_bytes(send.bytes);
  const Bytes own[] = {std::max(sent, total_bytes(receive.bytes)), std::ranges::max(send.bytes),
                       native_fits(send, receive) ? 0 : 1,
                       std::max(count_messages(send.bytes, context.rank()),
                                count_messages(receive.bytes, context.rank())),
                       load_of_others(send.bytes, receive.bytes, context.rank())};
  Bytes largest[5] = {};
  context.reduce(own, largest, 5, MPI_INT64_T, MPI_MAX);
  Bytes total = 0;
  context.reduce(&sent, &total, 1, MPI_INT64_T, MPI_SUM);
  return {{{largest[0], largest[1]}, static_cast<Rank>(largest[3]), total},
          largest[4],
          largest[2] == 0};
}

bool is_native(const Tried& tried) { return tried.configuration.algorithm == kNative; }

}  // namespace

std::unique_ptr<PlannedExchange> make_plan(const std::shared_ptr<Context>& context,
                                           const Configuration& configuration,
                                           const SendBlocks& send, const ReceiveBlocks& receive,
                                           std::shared_ptr<PlanBuffers> buffers) {
  if (configuration.algorithm == kNative) return native_alltoallv(context, send, receive);
  const Schedule& schedule = context->schedule(configuration.algorithm, configuration);
  Configuration limited = configuration;
  // Packets have their turns.
  if (limited.packet == 0) limited.window = within_limits(limited.window, *schedule.algorithm);
  return build_plan(context, schedule, limited, send, receive, std::move(buffers));
}

PlanChoice choose_plan(const std::shared_ptr<Context>& context, const char* kind,
                       const Options& options, const SendBlocks& send, const ReceiveBlocks& receive,
                       const PlanMaker& make) {
  const Agreed agreed = agree(*context, send, receive);
  const TrafficBound& traffic = agreed.traffic.bound;
  const std::shared_ptr<const Machine> machine = context->machine();
  const Rank ranks = context->ranks();
  const Weighed weighed{traffic, CallForm::plan};
  const std::vector<Configuration> likely = with_algorithms(
      likely_algorithms(*context->profile(), *machine, agreed.traffic, CallForm::plan), options);
  PlanChoice expected;
  expected.likely = likely;
  expected.left_out = fit(*context, options, weighed, expected.likely).left_out;
  const std::vector<Configuration> single_copies =
      likely_single_copies(*context->profile(), *machine, traffic, options);
  const Configuration usual = usual_configuration(traffic, options, single_copies);
  expected.configuration = expected.likely.front();
  if (expected.configuration.algorithm == kStraight) expected.configuration = usual;
  if (traffic.largest_load > kLargestTrial) return expected;

  const auto fits = [&](const Configuration& known) {
    if (known.algorithm == kNative) return agreed.native_fits;
    if (!carries_all(known.algorithm, ranks, known.grain, context->surroundings())) return false;
    std::vector<Configuration> candidates{known};
    return fit(*context, options, weighed, candidates).left_out.empty();
  };
  const auto choose = [&](Effort effort) {
    if (effort == Effort::estimate) return expected;
    std::vector<Configuration> candidates = likely;
    const auto append = [&](const std::vector<std::string>& algorithms) {
      append_new(with_algorithms(algorithms, options), candidates);
    };
    append_new(single_copies, candidates);
    append(likely_node_algorithms(*machine, traffic, kLargestTrial));
    append(likely_torus_algorithms(context->surroundings(), traffic, kLargestTorusBuffers));
    if (agreed.native_fits) append({kNative});
    if (effort == Effort::patient) {
      append(patient_algorithms(context->surroundings(), ranks, traffic, options.grain,
                                kLargestTrial));
    }
    const std::size_t together = effort == Effort::patient ? kRacedTogether : candidates.size();
    const Fitting fitting = fit(*context, options, weighed, candidates, together);
    expected.left_out = fitting.left_out;
    if (!fitting.trials_fit) return expected;

    ScratchBlocks scratch(send.bytes, receive.bytes);
    const auto make_trial = [&](const Configuration& candidate) {
      return make(candidate, scratch.send(), scratch.receive());
    };
    const bool is_short = traffic.largest_load <= kShortTrial;
    const TrialGround ground{make_trial, scratch.sent(), is_short ? kManyInARow : 0};
    const CandidatesLimit limit = [&](std::vector<Configuration>& variants) {
      return fit(*context, options, weighed, variants, kRacedTogether).trials_fit;
    };
    PlanChoice choice = effort == Effort::measure ? try_plans(*context, candidates, usual, ground)
                                                  : race_with_variants(*context, candidates, usual,
                                                                       traffic, ground, limit);
    choice.left_out = fitting.left_out;
    return choice;
  };
  const Question question{fmt::format("{} plan", kind), options,
                          signature_of(BusiestRank{agreed.load_of_others, traffic.longest_block,
                                                   agreed.traffic.most_messages})};
  PlanChoice choice = recall_or_choose(*context, question, fits, choose);
  // What is remembered may have been tried for blocks that MPI could place, unlike these.
  if (!agreed.native_fits) std::erase_if(choice.trials, is_native);
  return choice;
}

}  // namespace shunt
