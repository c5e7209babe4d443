#include "shunt/plan.hpp"

#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bindings/agreed.hpp"
#include "bindings/named_options.hpp"
#include "bindings/plan_implementation.hpp"
#include "collective/alltoallv/alltoallv.hpp"
#include "collective/collective.hpp"
#include "model/configuration.hpp"
#include "model/wisdom.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt {

void Plan::Implementation::start() {
  trace.start([&] {
    planned_.exchange->expect_idle();
    if (planned_.buffers) planned_.buffers->pack();
    pending_ = true;
    planned_.exchange->start();
    if (beside) beside->start();
  });
}

void Plan::Implementation::wait() {
  trace.go_on([&] {
    planned_.exchange->wait();
    unpack();
    if (beside) beside->wait();
  });
}

bool Plan::Implementation::test() {
  return trace.go_on([&] {
    const bool over = planned_.exchange->test();
    if (over) unpack();
    return (!beside || beside->test()) && over;
  });
}

namespace {

/// Where the choice comes from, and what else was weighed.
std::string choice_text(const PlanChoice& choice, const Options& asked) {
  if (choice.trials.empty()) {
    std::vector<std::string> likely;
    for (const Configuration& each : choice.likely) {
      likely.push_back(configuration_text(each, asked));
    }
    return fmt::format("  the model's choice from {}\n", fmt::join(likely, ", "));
  }
  std::string text = choice.remembered
                         ? fmt::format("  remembered from {}, effort {}\n",
                                       day_text(*choice.remembered), name_of(choice.effort))
                         : fmt::format("  found by trials, effort {}\n", name_of(choice.effort));
  for (const Tried& tried : choice.trials) {
    text += fmt::format("  {} {:<19} {:>10.1f} us\n", choice.remembered ? "then " : "tried",
                        configuration_text(tried.configuration, asked), tried.seconds * 1e6);
  }
  return text;
}

RowKind row_kind(const Collective& kind) {
  return kind.all_know_lengths() ? RowKind::allgather : RowKind::exchange;
}

}  // namespace

std::string Plan::Implementation::explain() const {
  std::string text = fmt::format("{} on {} ranks, {} mode\n",
                                 configuration_text(planned_.configuration, planned_.asked),
                                 context_->ranks(), name_of(planned_.configuration.mode));
  if (planned_.choice) text += choice_text(*planned_.choice, planned_.asked);
  if (!counters().chosen.empty()) {
    text += fmt::format("  goes on learning, now with {}\n", counters().chosen);
  }
  if (planned_.asked.memory > 0) text += explain_memory();
  // MPI's own says nothing of its stages.
  if (counters().stages.empty()) return text;
  for (std::size_t stage = 0; stage < planned_.stage_names.size(); ++stage) {
    const StageCounters& counted = counters().stages[stage];
    text += fmt::format("  {:<21} {:>5} messages in, {:>11} bytes, longest {:>11}\n",
                        planned_.stage_names[stage], counted.messages_received, counted.received,
                        counted.longest_received);
  }
  return text + fmt::format("  buffers: {} bytes to send, {} to receive\n",
                            counters().peak_send_buffer, counters().peak_receive_buffer);
}

std::string Plan::Implementation::explain_memory() const {
  std::string text =
      fmt::format("  memory: {} bytes of at most {}", counters().memory, planned_.asked.memory);
  text += planned_.parts > 1 ? fmt::format(", in {} parts\n", planned_.parts) : "\n";
  if (!planned_.choice) return text;
  for (const LeftOut& candidate : planned_.choice->left_out) {
    text +=
        fmt::format("  left out {:<16} {:>11} bytes of buffers\n",
                    configuration_text(candidate.configuration, planned_.asked), candidate.memory);
  }
  return text;
}

void Plan::Implementation::unpack() {
  if (pending_ && planned_.buffers) planned_.buffers->unpack();
  pending_ = false;
}

Counters run_traced(const Problem& problem, const char* function, BlockParts& buffers) {
  if (!is_traced()) return run_once(problem, buffers);
  TracedCall call(CommunicatorTrace::of(*problem.context));
  Counters counters = run_once(problem, buffers);
  call.done(function, buffers.sent(), row_kind(problem.kind));
  return counters;
}

std::unique_ptr<Plan::Implementation> plan_traced(const Problem& problem,
                                                  std::unique_ptr<BlockParts> buffers,
                                                  const char* function,
                                                  const std::vector<Bytes>* sent) {
  TracedPlan trace(*problem.context, function, sent != nullptr ? *sent : buffers->sent(),
                   row_kind(problem.kind));
  auto planned =
      std::make_unique<Plan::Implementation>(problem.context, plan(problem, std::move(buffers)));
  planned->trace = std::move(trace);
  return planned;
}

Plan plan_read(const Collective& kind, const std::shared_ptr<Context>& context,
               const Options& asked, const char* function,
               const std::function<std::unique_ptr<BlockParts>()>& read) {
  std::optional<NamedOptions> options;
  const bool one_for_all = kind.all_know_lengths();
  auto parts = agreed(*context, [&] {
    options.emplace(asked);
    auto made = read();
    const std::size_t own = index_of(context->rank());
    expect_own_block(context->rank(), made->sent()[one_for_all ? 0 : own], made->received()[own]);
    return made;
  });
  // Collective: where the algorithm is new here, the nodes are found.
  const Schedule* const named = one_for_all ? nullptr : named_schedule(*context, *options);
  if (named != nullptr && !named->supports_all_pairs) {
    expect_on_all(*context,
                  [&] { expect_supported(*context, *named, parts->sent(), parts->received()); });
  }
  return Plan(plan_traced({kind, context, *options}, std::move(parts), function));
}

Plan::Plan(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

void Plan::start() { implementation_->start(); }
void Plan::wait() { implementation_->wait(); }
bool Plan::test() { return implementation_->test(); }
void Plan::execute() {
  start();
  wait();
}
const Counters& Plan::counters() const { return implementation_->counters(); }
std::string Plan::explain() const { return implementation_->explain(); }

}  // namespace shunt
