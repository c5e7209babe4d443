#include "planner/patient.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/registry.hpp"
#include "model/configuration.hpp"

namespace shunt {

namespace {

/// As an entry of the registry has them: names, separated by spaces.
struct MoreExamples {
  std::string examples;
};

/// Other numbers of levels, radices and leaders.
MoreExamples with_parameters(Rank ranks) {
  std::string names;
  for (const int levels : {2, 4, 5}) names += fmt::format("stages:{0} grid:{0} ", levels);
  for (const Rank radix : {3, 4, 8, 16, 32}) {
    if (radix < ranks)
      names += fmt::format("bruck:{0} bruck-in-nodes:{0} bruck-among-nodes:{0} ", radix);
  }
  for (const Rank leaders : {4, 8}) {
    if (leaders < ranks) names += fmt::format("leaders:{} ", leaders);
  }
  return {names};
}

bool supports_both_ways(const Algorithm& algorithm) {
  for (Rank peer = 0; peer < algorithm.ranks(); ++peer) {
    // The restrictions that there are keep rank 0 from some other.
    if (!algorithm.supports_pair(0, peer) || !algorithm.supports_pair(peer, 0)) return false;
  }
  return true;
}

bool keeps_within(const Algorithm& algorithm, const TrafficBound& traffic, Bytes most) {
  for (Rank rank = 0; rank < algorithm.ranks(); ++rank) {
    if (algorithm.buffer_bound(rank, traffic) > most) return false;
  }
  return true;
}

}  // namespace

bool supports_all_pairs(const std::string& algorithm, Rank ranks, Bytes grain,
                        const Surroundings& surroundings) {
  return supports_both_ways(*make_algorithm(algorithm, ranks, grain, surroundings));
}

std::vector<std::string> patient_algorithms(const Surroundings& surroundings, Rank ranks,
                                            const TrafficBound& traffic, Bytes grain, Bytes most) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    const auto algorithm = make_algorithm(name, ranks, grain, surroundings);
    if (!supports_both_ways(*algorithm) || !keeps_within(*algorithm, traffic, most)) return;
    append_new({algorithm->name()}, names);
  };
  for (const AlgorithmEntry& entry : algorithm_registry()) for_each_example(entry, add);
  for_each_example(with_parameters(ranks), add);
  return names;
}

std::vector<std::string> patient_allgathers(const Surroundings& surroundings, Rank ranks) {
  const std::vector<Bytes> nothing(static_cast<std::size_t>(ranks), 0);
  const Sources sources(nothing);
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    (void)make_allgather(name, sources, surroundings);
    append_new({std::string(name)}, names);
  };
  for (const AllgatherEntry& entry : allgather_registry()) for_each_example(entry, add);
  return names;
}

std::vector<Configuration> variants_of(const Configuration& fastest, const Machine& machine,
                                       const TrafficBound& traffic) {
  std::vector<Configuration> variants{fastest};
  if (fastest.algorithm == kNative) return variants;
  const auto add = [&](auto change) {
    Configuration variant = fastest;
    change(variant);
    append_new({variant}, variants);
  };
  if (fastest.mode == Mode::dual_buffer) {
    add([](Configuration& variant) { variant.mode = Mode::single_buffer; });
  }
  for (const Bytes factor : {8, 64}) {
    if (fastest.grain * factor / 8 >= traffic.longest_block) break;
    add([&](Configuration& variant) { variant.grain = fastest.grain * factor; });
  }
  constexpr Bytes kPacket = 65536;
  const bool may_cut = fastest.packet == 0 && fastest.mode != Mode::blocking;
  if (may_cut && machine.nodes() > 1 && traffic.largest_load > kPacket) {
    add([](Configuration& variant) { variant.packet = kPacket; });
  }
  for (const int messages : {4, 16}) {
    if (messages >= std::min(fastest.window.messages, static_cast<int>(machine.ranks()))) break;
    add([&](Configuration& variant) { variant.window.messages = messages; });
  }
  return variants;
}

PlanChoice race_with_variants(Context& context, const std::vector<Configuration>& candidates,
                              const Configuration& preferred, const TrafficBound& traffic,
                              const TrialGround& ground, const CandidatesLimit& limit) {
  PlanChoice plain = race_plans(context, candidates, preferred, ground);
  std::vector<Configuration> variants =
      variants_of(plain.configuration, *context.topology.machine(), traffic);
  const bool races = limit == nullptr || limit(variants);
  if (!races || variants.size() == 1) return plain;
  PlanChoice choice = race_plans(context, variants, plain.configuration, ground);
  // What won the first race was timed anew in the second.
  std::ranges::copy_if(plain.trials, std::back_inserter(choice.trials), [&](const Tried& trial) {
    return trial.configuration != plain.configuration;
  });
  std::ranges::stable_sort(choice.trials, {}, &Tried::seconds);
  return choice;
}

}  // namespace shunt
