#include <utility>

#include <mpi.h>

#include "collective/division.hpp"
#include "engine/parted_exchange.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// MPI's own function, which the caller has named, takes ints: on all ranks or on none.
void expect_ints(const Problem& problem, const BlockParts& buffers) {
  const int own = buffers.fits_ints() ? 0 : 1;
  int any = 0;
  problem.context->progress.reduce(&own, &any, 1, MPI_INT, MPI_MAX);
  if (any == 0) return;
  if (own != 0) {
    throw Error(ErrorKind::count,
                "a count or displacement exceeds the ints that MPI's own function takes");
  }
  throw Error(ErrorKind::communication,
              "a count or displacement of another rank exceeds the ints that MPI's own function "
              "takes");
}

/// As one exchange, around which the buffers are packed and unpacked.
void plan_whole(const Problem& problem, std::unique_ptr<BlockParts> buffers,
                PlannedCollective& planned) {
  planned.stage_names = problem.kind.stage_names(problem, planned.configuration, *buffers);
  planned.exchange = problem.kind.plan(problem, planned.configuration, *buffers,
                                       planned.choice ? &*planned.choice : nullptr, nullptr);
  planned.exchange->counters.memory += buffers->memory();
  planned.buffers = std::move(buffers);
}

/// As several, one after the other.
void plan_parts(const Problem& problem, const AgreedParts& agreed, const DividedCall& divided,
                std::unique_ptr<BlockParts> buffers, PlannedCollective& planned) {
  const Parts& parts = divided.parts;
  std::shared_ptr<PlanBuffers> shared;
  if (parts.count > 1) {
    shared =
        problem.kind.room_for_parts(problem, divided.configuration,
                                    bound_of_part(agreed.traffic, problem.context->ranks(), parts));
  }
  const Bytes room = shared != nullptr ? shared->capacity() : 0;
  buffers->divide(parts);
  // Only now: buffers that are asked for blocks take memory for a part of them, and not for all.
  planned.stage_names = problem.kind.stage_names(problem, planned.configuration, *buffers);
  std::vector<std::unique_ptr<PlannedExchange>> exchanges;
  for (Bytes index = 0; index < parts.count; ++index) {
    buffers->take(index);
    exchanges.push_back(
        problem.kind.plan(problem, divided.configuration, *buffers, nullptr, shared));
  }
  if (shared != nullptr && shared->capacity() > room) {
    throw Error(ErrorKind::truncated,
                "a part of the exchange is longer than the ranks have said; their counts do not "
                "agree");
  }
  planned.parts = parts.count;
  planned.exchange =
      std::make_unique<PartedExchange>(problem.context, std::move(buffers), std::move(exchanges));
}

}  // namespace

PlannedCollective plan(const Problem& problem, std::unique_ptr<BlockParts> buffers) {
  const Options& options = problem.options;
  PlannedCollective planned{.asked = options, .configuration = options};
  const bool limited = options.memory != 0;
  const AgreedParts agreed = limited ? agree_on(*problem.context, *buffers) : AgreedParts{};
  if (options.algorithm == kNative && !limited) expect_ints(problem, *buffers);
  if (options.algorithm == kAuto) {
    const Bytes packing = limited ? agreed.packing(agreed.traffic) : 0;
    planned.choice = problem.kind.choose_plan(problem, *buffers, packing);
    planned.configuration = planned.choice->configuration;
    planned.configuration.memory = options.memory;  // all of it
  }
  if (limited) {
    const DividedCall divided = divide(problem, planned.configuration, agreed, CallForm::plan);
    plan_parts(problem, agreed, divided, std::move(buffers), planned);
  } else {
    plan_whole(problem, std::move(buffers), planned);
  }
  return planned;
}

}  // namespace shunt
