#include "bindings/c/exchange.hpp"

#include <fmt/format.h>

#include "bindings/agreed.hpp"
#include "bindings/c/agreement.hpp"
#include "bindings/c/call_buffers.hpp"
#include "bindings/c/mpi_faults.hpp"
#include "bindings/c/pair_exchange.hpp"
#include "bindings/plan_implementation.hpp"
#include "collective/alltoallv/alltoallv.hpp"
#include "environment/environment.hpp"
#include "shunt/error.hpp"

namespace shunt::c {

namespace {

const Options& options_for(const Environment& chosen, const Call& call) {
  return is_allgather(call.form) ? chosen.allgather : chosen.options;
}

void expect_algorithm(const Environment& environment, Context& context, bool allgather) {
  const Options& options = allgather ? environment.allgather : environment.options;
  try {
    if (allgather) {
      context.schedules.expect_allgather(options.algorithm);
    } else {
      (void)context.schedules.find(options.algorithm, options);
    }
  } catch (const Error& error) {
    throw Error(error.kind(),
                fmt::format("{} is \"{}\": {}", allgather ? "SHUNT_ALLGATHER" : "SHUNT_ALGORITHM",
                            options.algorithm, error.what()));
  }
}

/// Throws Error(argument) naming the variable where the environment cannot be used among the ranks
/// of `context`, for all-gathers or for all-to-all exchanges. Collective where the algorithm is
/// new.
[[gnu::hot]] void expect_usable(const Environment& environment, Context& context, bool allgather) {
  if (!environment.faults.empty()) [[unlikely]]
    expect_readable(environment);
  const Asked asked = allgather ? environment.asked_allgather : environment.asked;
  if (asked == Asked::algorithm) expect_algorithm(environment, context, allgather);
}

/// Where the root is wrong, the rank has no blocks, and says so at the end.
Problem problem_of(const Call& call, const std::shared_ptr<Context>& context,
                   const Options& options) {
  const bool has_root = 0 <= call.root && call.root < context->ranks();
  return {.kind = kind_of(call.form),
          .context = context,
          .options = options,
          .own = index_of(context->rank()),
          .root = has_root ? call.root : 0};
}

/// All that can be wrong about this rank's part.
Arguments read_all(const Call& call, const Environment& chosen, Context& context) {
  expect_usable(chosen, context, is_allgather(call.form));
  Arguments arguments = read_arguments(call, context.rank(), context.ranks());
  if (arguments.fault) std::rethrow_exception(arguments.fault);
  if (!arguments.allgather && chosen.options.algorithm != kNative) {
    expect_supported(context, one_shot_schedule(context, chosen.options), arguments.sent(),
                     arguments.receive.bytes());
  }
  return arguments;
}

/// What an agreement needs to know of the arguments.
Part part_of_blocks(const Arguments& arguments) {
  return {nullptr, arguments.sent(), arguments.receive.bytes(),
          !arguments.send && !arguments.allgather};
}

}  // namespace

[[gnu::hot]] void exchange_once(const Call& call, NativeCall native,
                                std::optional<TunedCall>& tuned) {
  const Environment& chosen = environment();
  const Options& options = options_for(chosen, call);
  // Collective, so before anything that may be wrong on this rank alone.
  const std::shared_ptr<Context>& context = context_of(call.comm);
  const Problem problem = problem_of(call, context, options);
  CallBuffers buffers(call, context, options, native);
  if (chosen.check) {
    const auto read = [&] { return read_all(call, chosen, *context); };
    buffers.set(read_and_agree(*context, read, part_of_blocks));
  } else {
    expect_usable(chosen, *context, is_allgather(call.form));
  }
  tuned.emplace(problem, native, static_cast<int>(call.form));
  if (!tuned->is_decided() && meets_fault(call, context->ranks(), Remedy::another_way)) {
    tuned->avoid_native();
  }
  tuned->complete([&] { return buffers.traffic_for(problem.kind); });
  if (tuned->is_left_to_caller()) return;
  // Before the call is made: what goes wrong here is not its configuration's fault.
  BlockParts& parts = buffers.parts();
  tuned->make([&](const Configuration& configuration) {
    Counters counters = run_configured(problem, configuration, parts);
    buffers.swap_long_blocks();
    return counters;
  });
  buffers.expect_no_fault();
}

bool make_exchange(const Call& call, Failure& failure) noexcept {
  return succeeds(failure, [&] {
    std::optional<TunedCall> tuned;
    exchange_once(call, NativeCall::not_blocking, tuned);
  });
}

[[gnu::hot]] void end_native(TunedCall& tuned, int code, bool seen) {
  if (code != MPI_SUCCESS) return tuned.fail();
  tuned.end();
  if (!seen && !environment().check) tuned.leave_to_mpi();
}

std::unique_ptr<Plan::Implementation> plan_exchange(const Call& call,
                                                    const SHUNT_Request* request) {
  const Environment& chosen = environment();
  const Options& options = options_for(chosen, call);
  const std::shared_ptr<Context> context = context_of(call.comm);
  // Collective where the algorithm is new, so before what may be wrong on this rank alone.
  expect_usable(chosen, *context, is_allgather(call.form));
  const auto read = [&] {
    expect_pointer(request, "request");
    return read_all(call, chosen, *context);
  };
  Arguments arguments =
      chosen.check ? read_and_agree(*context, read, part_of_blocks) : agreed(*context, read);
  const std::vector<Bytes> sent = arguments.sent();
  const bool swapped = are_swapped(arguments, options);
  auto planned =
      plan_traced(problem_of(call, context, options),
                  typed_parts(arguments, context->ranks(), swapped), call.function, &sent);
  if (swapped) planned->beside = std::make_unique<PairExchange>(context, arguments.receive);
  return planned;
}

}  // namespace shunt::c
