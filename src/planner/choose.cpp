#include "planner/choose.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <ranges>
#include <string>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/registry.hpp"

namespace shunt {

namespace {

struct Expected {
  std::string name;
  double seconds;
};

/// Those within twice the least time, the best first.
std::vector<std::string> likely(std::vector<Expected> candidates) {
  std::ranges::stable_sort(candidates, {}, &Expected::seconds);
  constexpr std::size_t kMost = 4;
  constexpr double kWithin = 2;
  std::vector<std::string> names;
  for (const Expected& candidate : candidates) {
    if (names.size() == kMost || candidate.seconds > kWithin * candidates.front().seconds) break;
    names.push_back(candidate.name);
  }
  return names;
}

/// The candidates that come in by the model, as far as their rules apply.
template <class Case>
std::vector<std::string> weighed(const std::vector<CandidateRule<Case>>& rules, const Case& given) {
  std::vector<std::string> names;
  for (const CandidateRule<Case>& rule : rules) {
    if (rule.place != CandidatePlace::by_model || !rule.applies(given)) continue;
    names.insert(names.end(), rule.candidates.begin(), rule.candidates.end());
  }
  return names;
}

/// What of a family of algorithms for tori keeps within the buffers of its rule.
std::vector<Configuration> on_torus(const CandidateRule<AlltoallvCase>& rule,
                                    const std::string& family, const AlltoallvCase& exchange) {
  const auto algorithm =
      make_algorithm(family + ":" + torus_of(exchange)->name(), exchange.machine.ranks(),
                     exchange.asked.grain, exchange.surroundings);
  const auto fits = [&](Rank rank) {
    return algorithm->buffer_bound(rank, exchange.traffic.bound) <= rule.torus_buffers;
  };
  if (!std::ranges::all_of(std::views::iota(Rank{0}, exchange.machine.ranks()), fits)) return {};
  return {with_algorithm(algorithm->name(), exchange.asked)};
}

/// What a message of an all-gather costs, by the flat model: each waits for one of the step before.
LinkCost link_of(const ExchangeCosts& costs, const Machine& machine) {
  if (machine.nodes() == 1) {
    return {costs.stage + costs.inside_start_up, costs.inside_per_byte, costs.copy_per_byte};
  }
  return {costs.stage + costs.outside_start_up, costs.outside_per_byte + costs.way_out_per_byte,
          costs.copy_per_byte};
}

}  // namespace

std::vector<Configuration> expected_exchanges(const AlltoallvCase& exchange) {
  std::vector<Expected> candidates;
  for (const std::string& name : weighed(alltoallv_candidates(), exchange)) {
    const auto algorithm = make_algorithm(name, exchange.machine, Options{}.grain);
    // Everything else of one stage sends the messages of kStraight, by way of buffers.
    if (algorithm->stages() == 1 && algorithm->name() != kStraight) continue;
    candidates.push_back({name, expected_seconds(exchange.profile, *algorithm, exchange.machine,
                                                 exchange.traffic, exchange.form)});
  }
  std::vector<Configuration> expected = with_algorithms(likely(candidates), exchange.asked);
  append_new({with_algorithm(kStraight, exchange.asked)}, expected);
  return expected;
}

std::vector<Configuration> likely_exchanges(const AlltoallvCase& exchange) {
  const bool tries_buffers = exchange.traffic.bound.largest_load <= kLargestTrial;
  std::vector<Configuration> candidates;
  if (tries_buffers) candidates = expected_exchanges(exchange);
  for (const CandidateRule<AlltoallvCase>& rule : alltoallv_candidates()) {
    if (rule.place != CandidatePlace::last || (rule.has_buffers && !tries_buffers)) continue;
    if (!rule.applies(exchange)) continue;
    for (const std::string& candidate : rule.candidates) {
      append_new(rule.torus_buffers > 0
                     ? on_torus(rule, candidate, exchange)
                     : std::vector{read_configuration(candidate, exchange.asked)},
                 candidates);
    }
  }
  return candidates;
}

Configuration usual_configuration(const AlltoallvCase& exchange) {
  // How long two copies take depends on the minute, one copy never took much longer than MPI's own:
  // with 4 and 8 MiB of 2 to 16 ranks on two processors two took 0.64 to 1.2 times as long as one
  // in a good hour, and up to 2.6 times in a bad one.
  constexpr Bytes kBeyondCaches = Bytes{2} << 20;
  const bool once = exchange.traffic.bound.largest_load >= kBeyondCaches && may_copy_once(exchange);
  return once ? straight_once(exchange.asked) : with_algorithm(kStraight, exchange.asked);
}

std::vector<Configuration> likely_allgathers(const AllgathervCase& gather, const Profile& profile,
                                             const Surroundings& surroundings, CallForm form,
                                             const Options& asked) {
  const LinkCost cost = link_of(profile.costs(form), gather.machine);
  std::vector<Expected> candidates;
  for (const std::string& name : weighed(allgatherv_candidates(), gather)) {
    candidates.push_back(
        {name, make_allgather(name, gather.sources, surroundings, cost)->predict(cost)});
  }
  std::vector<std::string> names = likely(candidates);
  for (const CandidateRule<AllgathervCase>& rule : allgatherv_candidates()) {
    if (rule.place == CandidatePlace::by_model || !rule.applies(gather)) continue;
    for (const std::string& name : rule.candidates) {
      if (rule.place == CandidatePlace::first) {
        std::erase(names, name);
        names.insert(names.begin(), name);
      } else if (std::ranges::find(names, name) == names.end()) {
        names.push_back(name);
      }
    }
  }
  return with_algorithms(names, asked);
}

}  // namespace shunt
