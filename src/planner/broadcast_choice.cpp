#include "planner/broadcast_choice.hpp"

#include <numeric>

#include "exchange/broadcast_run.hpp"
#include "exchange/mpi_call.hpp"
#include "exchange/native_plan.hpp"
#include "planner/choose.hpp"

namespace shunt {

namespace {

bool all_fit_native(const YardState& yard, const BroadcastBlocks& blocks) {
  int fits = native_fits(blocks.receive) ? 1 : 0;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, yard.comm(), &request),
            "MPI_Iallreduce");
  yard.complete(request);
  return fits != 0;
}

}  // namespace

const std::string& expected_broadcast(YardState& yard, const Sources& sources) {
  return yard.broadcasts.name(sources, [&] {
    return likely_broadcasts(sources, yard.surroundings(), kTypicalLink).front();
  });
}

std::unique_ptr<PlannedExchange> make_broadcast_plan(const std::shared_ptr<YardState>& yard,
                                                     const Options& options,
                                                     const BroadcastBlocks& blocks) {
  if (options.algorithm == kNative) return native_allgatherv(yard, blocks);
  auto plan = std::make_unique<BroadcastRun>(
      yard, yard->broadcast_route(options.algorithm, blocks.receive, options.mode), options,
      blocks);
  plan->prepare();
  return plan;
}

PlanChoice choose_broadcast_plan(const std::shared_ptr<YardState>& yard, const Options& options,
                                 const BroadcastBlocks& blocks) {
  const Sources sources(blocks.receive.bytes);
  std::vector<std::string> candidates =
      likely_broadcasts(sources, yard->surroundings(), kTypicalLink);
  if (sources.total() > kLargestTrial) return {candidates.front(), {}};
  const std::string preferred = candidates.front();
  if (all_fit_native(*yard, blocks)) candidates.emplace_back(kNative);

  std::vector<std::byte> own(blocks.own.begin(), blocks.own.end());
  std::vector<std::byte> received(static_cast<std::size_t>(sources.total()));
  BroadcastBlocks scratch{own, {received.data(), sources.lengths(), sources.lengths()}};
  std::exclusive_scan(sources.lengths().begin(), sources.lengths().end(),
                      scratch.receive.offsets.begin(), Bytes{0});
  return try_plans(*yard, candidates, preferred, [&](const std::string& name) {
    Options candidate = options;
    candidate.algorithm = name;
    return make_broadcast_plan(yard, candidate, scratch);
  });
}

}  // namespace shunt
