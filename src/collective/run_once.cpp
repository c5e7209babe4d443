#include "collective/division.hpp"
#include "collective/tuned_call.hpp"
#include "engine/parted_exchange.hpp"

namespace shunt {

namespace {

/// MPI's own collective takes ints. Where these do not suffice it would need copies of the blocks,
/// which no limit covers; then the call is made by the algorithm that needs no buffers.
Configuration within_ints(const Problem& problem, const Configuration& configuration,
                          const AgreedParts& agreed) {
  if (configuration.algorithm != kNative || agreed.fit_ints) return configuration;
  return with_algorithm(problem.kind.straight(), configuration);
}

/// Memory that is kept from call to call counts, too: it is given back where it is in the way.
void make_room(const Problem& problem, const AgreedParts& agreed, const DividedCall& divided) {
  const TrafficBound part = bound_of_part(agreed.traffic, problem.context->ranks(), divided.parts);
  const BoundsWithGrain& buffers = divided.needs.buffers;
  const Bytes needed =
      agreed.packing(part) + (buffers ? buffers(divided.configuration.grain)(part) : 0);
  Scratch& kept = problem.context->scratch;
  if (kept.capacity() + needed > problem.options.memory) kept.release();
}

Counters run_whole(const Problem& problem, const Configuration& configuration,
                   BlockParts& buffers) {
  buffers.pack();
  Counters counters = problem.kind.run(problem, configuration, buffers);
  buffers.unpack();
  counters.memory += buffers.memory();
  return counters;
}

Counters run_in_parts(const Problem& problem, const Configuration& chosen, BlockParts& buffers) {
  const AgreedParts agreed = agree_on(*problem.context, buffers);
  const Configuration configuration = within_ints(problem, chosen, agreed);
  const DividedCall divided = divide(problem, configuration, agreed, CallForm::one_shot);
  make_room(problem, agreed, divided);
  Problem part = problem;
  part.head_bytes = divided.needs.head_bytes;
  buffers.divide(divided.parts);
  Counters all;
  for (Bytes index = 0; index < divided.parts.count; ++index) {
    buffers.take(index);
    buffers.pack();
    add_part(all, problem.kind.run(part, divided.configuration, buffers));
    buffers.unpack();
  }
  all.memory += buffers.memory();
  return all;
}

}  // namespace

[[gnu::hot]] Counters run_configured(const Problem& problem, const Configuration& configuration,
                                     BlockParts& buffers) {
  if (problem.options.memory == 0) return run_whole(problem, configuration, buffers);
  return run_in_parts(problem, configuration, buffers);
}

[[gnu::hot]] Counters run_once(const Problem& problem, BlockParts& buffers) {
  TunedCall call(problem, NativeCall::not_blocking);
  call.complete([&] {
    CallTraffic traffic =
        problem.kind.traffic_of(buffers.sent(), buffers.received(), problem.context->rank());
    traffic.packing = buffers.packing();
    return traffic;
  });
  Counters counters = call.make([&](const Configuration& configuration) {
    return run_configured(problem, configuration, buffers);
  });
  if (call.is_tuned()) counters.chosen = call.text();
  return counters;
}

}  // namespace shunt
