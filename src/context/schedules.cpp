#include "context/schedules.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/registry.hpp"

namespace shunt {

namespace {

/// Steps of a node's ranks under way at a time where messages go in packets. By trial on four hosts
/// with links of 200 Mbit/s and blocks of 64 KiB to 1 MiB: half as many left links idle, four times
/// as many lost packets.
constexpr std::size_t kStepsUnderWay = 8;

/// Tokens that go round in each node; 0: the order alone keeps to the ports.
std::size_t tokens_of(const Options& options) {
  if (options.mode == Mode::blocking) return 1;
  return options.packet > 0 ? kStepsUnderWay : 0;
}

Schedule make_schedule(std::unique_ptr<Algorithm> made, Rank rank, std::size_t tokens) {
  Schedule schedule{std::move(made), {}, {}, true};
  const Algorithm& algorithm = *schedule.algorithm;
  const Machine* const machine = tokens > 0 ? algorithm.port_contention_free_on() : nullptr;
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    schedule.steps.push_back(algorithm.steps(stage, rank));
    schedule.turns.emplace_back();
    if (machine == nullptr) continue;
    schedule.turns.back() = token_order(
        *machine, rank, [&](Rank mate) { return algorithm.steps(stage, mate); }, tokens);
  }
  for (Rank peer = 0; peer < algorithm.ranks(); ++peer) {
    if (algorithm.supports_pair(rank, peer) && algorithm.supports_pair(peer, rank)) continue;
    schedule.supports_all_pairs = false;
  }
  return schedule;
}

}  // namespace

Window within_limits(Window window, const Algorithm& algorithm) {
  window.bytes = std::min(window.bytes, algorithm.max_in_flight());
  return window;
}

const Schedule& Schedules::find(const std::string& algorithm, const Options& options) {
  const Bytes grain = options.grain;
  const std::size_t tokens = tokens_of(options);
  for (const Kept& kept : schedules_) {
    if (kept.algorithm == algorithm && kept.grain == grain && kept.tokens == tokens) {
      return kept.schedule;
    }
  }
  auto made = make_algorithm(algorithm, set_.ranks(), grain, topology_.surroundings());
  schedules_.push_back(
      {algorithm, grain, tokens, make_schedule(std::move(made), set_.rank(), tokens)});
  return schedules_.back().schedule;
}

KeptAllgather& Schedules::find_allgather(const std::string& name, const ReceiveBlocks& blocks,
                                         RouteKind kind) {
  const auto known = std::ranges::find_if(allgathers_, [&](const MadeAllgather& made) {
    return made.name == name && made.kind == kind && made.lengths == blocks.bytes &&
           made.offsets == blocks.offsets;
  });
  if (known != allgathers_.end()) {
    allgathers_.splice(allgathers_.begin(), allgathers_, known);
    return allgathers_.front().kept;
  }
  auto allgather = make_allgather(name, Sources(blocks.bytes), topology_.surroundings());
  auto route = std::make_shared<const AllgatherRoute>(
      make_route(std::move(allgather), set_.rank(), set_.node(), blocks.offsets, kind));
  allgathers_.push_front({name, kind, blocks.bytes, blocks.offsets, {std::move(route), nullptr}});
  if (allgathers_.size() > kMostAllgathers) allgathers_.pop_back();
  return allgathers_.front().kept;
}

void Schedules::expect_allgather(const std::string& name) {
  if (usable_allgathers_.contains(name)) return;
  const std::vector<Bytes> nothing(index_of(set_.ranks()), 0);
  (void)make_allgather(name, Sources(nothing), topology_.surroundings());
  usable_allgathers_.insert(name);
}

}  // namespace shunt
