#include "planner/broadcast_choice.hpp"

#include <numeric>

#include "exchange/broadcast_run.hpp"
#include "exchange/byte_buffer.hpp"
#include "exchange/native_call.hpp"
#include "exchange/native_plan.hpp"
#include "exchange/simulated.hpp"
#include "model/traffic_signature.hpp"
#include "model/way_text.hpp"
#include "planner/choose.hpp"
#include "planner/patient.hpp"
#include "planner/recalled_choice.hpp"

namespace shunt {

namespace {

bool all_fit_native(const YardState& yard, const BroadcastBlocks& blocks) {
  const int own = native_fits(blocks.receive) ? 1 : 0;
  int all = 0;
  yard.reduce(&own, &all, 1, MPI_INT, MPI_MIN);
  return all != 0;
}

}  // namespace

bool may_use_boards(YardState& yard, const Options& options) {
  if (kSimulated || !options.shared_memory || options.mode == Mode::blocking) return false;
  return yard.machine()->nodes() > 1 || yard.node().shares();
}

Counters broadcast_once(const std::shared_ptr<YardState>& yard, const Options& options,
                        const BroadcastBlocks& blocks) {
  if (options.algorithm == kNative) return call_allgatherv(*yard, blocks);
  RouteKind kind = route_kind(*yard, options);
  const std::shared_ptr<Boards> none;
  const std::shared_ptr<Boards>& boards = kind.way == RouteWay::boards ? yard->kept_boards() : none;
  if (kind.way == RouteWay::boards && boards == nullptr) kind.way = RouteWay::straight;
  KeptBroadcasts::Kept& kept = yard->broadcast(options.algorithm, blocks.receive, kind);
  return run_once(*yard, kept, boards, options, blocks);
}

std::unique_ptr<PlannedExchange> make_broadcast_plan(const std::shared_ptr<YardState>& yard,
                                                     const Options& options,
                                                     const BroadcastBlocks& blocks) {
  if (options.algorithm == kNative) return native_allgatherv(yard, blocks);
  RouteKind kind = route_kind(*yard, options);
  auto route = yard->broadcast(options.algorithm, blocks.receive, kind).route;
  std::shared_ptr<Boards> boards;
  if (route->longest_shown > 0) {
    boards = Boards::make(*yard, route->longest_shown);
    if (boards == nullptr) {
      kind.way = RouteWay::straight;
      route = yard->broadcast(options.algorithm, blocks.receive, kind).route;
    }
  }
  return std::make_unique<BroadcastRun>(yard, std::move(route), std::move(boards), options, blocks);
}

PlanChoice choose_broadcast_plan(const std::shared_ptr<YardState>& yard, const Options& options,
                                 const BroadcastBlocks& blocks) {
  const Sources sources(blocks.receive.bytes);
  PlanChoice expected;
  expected.likely = likely_broadcasts(*yard->profile(), sources, yard->surroundings(),
                                      CallForm::plan, may_use_boards(*yard, options));
  expected.algorithm = expected.likely.front();
  const bool room = options.memory == 0 || 2 * sources.total() <= options.memory;
  if (!room || sources.total() > kLargestTrial) return expected;

  const bool native_fits_all = all_fit_native(*yard, blocks);
  const auto fits = [&](const Options& way) {
    if (way.algorithm == kNative) return native_fits_all;
    yard->expect_broadcast(way.algorithm);
    return true;
  };
  const auto choose = [&](Effort effort) {
    if (effort == Effort::estimate) return expected;
    std::vector<std::string> candidates = expected.likely;
    if (native_fits_all) candidates.emplace_back(kNative);
    std::vector<std::byte> own(blocks.own.begin(), blocks.own.end());
    const OwnBytes received = make_zeros(static_cast<std::size_t>(sources.total()));
    ReceiveBlocks places{received.get(), sources.lengths(), sources.lengths()};
    std::exclusive_scan(sources.lengths().begin(), sources.lengths().end(), places.offsets.begin(),
                        Bytes{0});
    const BroadcastBlocks scratch{own, places};
    const auto make = [&](const std::string& way) {
      return make_broadcast_plan(yard, read_way(way, options), scratch);
    };
    const TrialGround ground{make, own, sources.total() <= kShortTrial ? kManyInARow : 0};
    if (effort == Effort::measure) return try_plans(*yard, candidates, expected.algorithm, ground);
    append_new(patient_broadcasts(yard->surroundings(), yard->ranks()), candidates);
    // Blocks that are cut are not cut by the grain.
    return race_with_variants(*yard, candidates, expected.algorithm, options, {sources.total(), 0},
                              ground);
  };
  return recall_or_choose(*yard, {"allgatherv plan", options, signature_of(sources.totals())}, fits,
                          choose);
}

}  // namespace shunt
