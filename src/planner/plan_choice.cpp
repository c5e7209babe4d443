#include "planner/plan_choice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/native_plan.hpp"
#include "engine/plan_builder.hpp"
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
  context.progress.reduce(own, largest, 5, MPI_INT64_T, MPI_MAX);
  Bytes total = 0;
  context.progress.reduce(&sent, &total, 1, MPI_INT64_T, MPI_SUM);
  return {{{largest[0], largest[1]}, static_cast<Rank>(largest[3]), total},
          largest[4],
          largest[2] == 0};
}

/// A choice for blocks on whose traffic the ranks have agreed.
class PlanChooser {
 public:
  PlanChooser(Context& context, const Options& options, const Agreed& agreed)
      : context_(context),
        options_(options),
        agreed_(agreed),
        profile_(context.tuning.profile()),
        machine_(context.topology.machine()),
        surroundings_(context.topology.surroundings()) {}

  /// What the model expects to be the fastest of what fits into a limit of memory.
  [[nodiscard]] PlanChoice expected() const {
    PlanChoice choice;
    choice.likely = expected_exchanges(exchange());
    choice.left_out = fit(context_, options_, weighed(), choice.likely).left_out;
    choice.configuration = choice.likely.front();
    if (choice.configuration.algorithm == kStraight) {
      choice.configuration = usual_configuration(exchange());
    }
    return choice;
  }

  /// Whether what is remembered can be used.
  [[nodiscard]] bool fits(const Configuration& known) const {
    if (known.algorithm == kNative) return agreed_.native_fits;
    if (!supports_all_pairs(known.algorithm, context_.ranks(), known.grain, surroundings_))
      return false;
    std::vector<Configuration> candidates{known};
    return fit(context_, options_, weighed(), candidates).left_out.empty();
  }

  /// The fastest of the candidates, or what is expected where there is no room to try them.
  [[nodiscard]] PlanChoice tried(Effort effort, const SendBlocks& send,
                                 const ReceiveBlocks& receive, const PlanMaker& make) const {
    std::vector<Configuration> candidates = candidates_for(effort);
    const std::size_t together = effort == Effort::patient ? kRacedTogether : candidates.size();
    const Fitting fitting = fit(context_, options_, weighed(), candidates, together);
    PlanChoice choice =
        fitting.trials_fit ? race(effort, candidates, send, receive, make) : expected();
    choice.left_out = fitting.left_out;
    return choice;
  }

 private:
  [[nodiscard]] AlltoallvCase exchange() const {
    return {*profile_, surroundings_, *machine_, agreed_.traffic, CallForm::plan, options_};
  }

  [[nodiscard]] Weighed weighed() const { return {agreed_.traffic.bound, CallForm::plan}; }

  [[nodiscard]] std::vector<Configuration> candidates_for(Effort effort) const {
    std::vector<Configuration> candidates = likely_exchanges(exchange());
    const auto append = [&](const std::vector<std::string>& algorithms) {
      append_new(with_algorithms(algorithms, options_), candidates);
    };
    if (agreed_.native_fits) append({kNative});
    if (effort == Effort::patient) {
      append(patient_algorithms(surroundings_, context_.ranks(), agreed_.traffic.bound,
                                options_.grain, kLargestTrial));
    }
    return candidates;
  }

  [[nodiscard]] PlanChoice race(Effort effort, const std::vector<Configuration>& candidates,
                                const SendBlocks& send, const ReceiveBlocks& receive,
                                const PlanMaker& make) const {
    ScratchBlocks scratch(send.bytes, receive.bytes);
    const auto make_trial = [&](const Configuration& candidate) {
      return make(candidate, scratch.send(), scratch.receive());
    };
    const TrafficBound& traffic = agreed_.traffic.bound;
    const bool is_short = traffic.largest_load <= kShortTrial;
    const TrialGround ground{make_trial, scratch.sent(), is_short ? kManyInARow : 0};
    const Configuration usual = usual_configuration(exchange());
    if (effort == Effort::measure) return try_plans(context_, candidates, usual, ground);
    return race_with_variants(
        context_, candidates, usual, traffic, ground, [&](std::vector<Configuration>& variants) {
          return fit(context_, options_, weighed(), variants, kRacedTogether).trials_fit;
        });
  }

  Context& context_;
  const Options& options_;
  const Agreed& agreed_;
  std::shared_ptr<const Profile> profile_;
  std::shared_ptr<const Machine> machine_;
  Surroundings surroundings_;
};

bool is_native(const Tried& tried) { return tried.configuration.algorithm == kNative; }

}  // namespace

std::unique_ptr<PlannedExchange> make_plan(const std::shared_ptr<Context>& context,
                                           const Configuration& configuration,
                                           const SendBlocks& send, const ReceiveBlocks& receive,
                                           std::shared_ptr<PlanBuffers> buffers) {
  if (configuration.algorithm == kNative) return native_alltoallv(context, send, receive);
  const Schedule& schedule = context->schedules.find(configuration.algorithm, configuration);
  Configuration limited = configuration;
  // Packets have their turns.
  if (limited.packet == 0) limited.window = within_limits(limited.window, *schedule.algorithm);
  return build_plan(context, schedule, limited, send, receive, std::move(buffers));
}

PlanChoice choose_plan(const std::shared_ptr<Context>& context, const char* kind,
                       const Options& options, const SendBlocks& send, const ReceiveBlocks& receive,
                       const PlanMaker& make) {
  const Agreed agreed = agree(*context, send, receive);
  const PlanChooser chooser(*context, options, agreed);
  const TrafficBound& traffic = agreed.traffic.bound;
  if (traffic.largest_load > kLargestTrial) return chooser.expected();
  const Question question{fmt::format("{} plan", kind), options,
                          signature_of(BusiestRank{agreed.load_of_others, traffic.longest_block,
                                                   agreed.traffic.most_messages})};
  PlanChoice choice = recall_or_choose(
      *context, question, [&](const Configuration& known) { return chooser.fits(known); },
      [&](Effort effort) {
        if (effort == Effort::estimate) return chooser.expected();
        return chooser.tried(effort, send, receive, make);
      });
  // What is remembered may have been tried for blocks that MPI could place, unlike these.
  if (!agreed.native_fits) std::erase_if(choice.trials, is_native);
  return choice;
}

}  // namespace shunt
