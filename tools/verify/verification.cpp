#include "tools/verify/verification.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/registry.hpp"
#include "lab/proof/allgather_proof.hpp"
#include "lab/simulation/random_machine.hpp"
#include "lab/traffic/random_sources.hpp"
#include "shunt/error.hpp"
#include "tools/common/parallel_parts.hpp"

namespace shunt {

namespace {

/// Of a random machine.
constexpr Rank kMostNodes = 9;
constexpr Rank kLargestNode = 6;

std::string family_of(const std::string& name) { return name.substr(0, name.find(':')); }

bool depends_on_nodes(const std::string& name) {
  const auto by_name = [&](auto entries) {
    const auto entry = std::ranges::find(entries, family_of(name),
                                         [](const auto& candidate) { return candidate.name; });
    return entry != entries.end() && entry->by_nodes;
  };
  return by_name(algorithm_registry()) || by_name(allgather_registry());
}

Rank followed(const VerifySettings& settings, Rank ranks) {
  if (settings.destinations > 0) return settings.destinations;
  return ranks <= kAllDestinations ? ranks : kSomeDestinations;
}

}  // namespace

std::string name_on(const std::string& name, Rank ranks) {
  if (!is_allgather(name)) return make_algorithm(name, ranks, 1)->name();
  return make_allgather(name, Sources(std::vector<Bytes>(static_cast<std::size_t>(ranks), 0)))
      ->name();
}

Verification::Verification(const VerifySettings& settings)
    : settings_(settings), tori_(torus_cases(settings.longest_extent)) {}

void Verification::run() {
  for_each_part(static_cast<int>(tori_.size()) + settings_.machines + settings_.max_ranks,
                settings_.threads, [this](int part) { verify(part); });
  std::ranges::sort(violations_);
}

/// The parts: tori, random machines, and numbers of ranks.
void Verification::verify(int part) {
  const auto tori = static_cast<int>(tori_.size());
  if (part < tori) {
    verify_torus(tori_[static_cast<std::size_t>(part)]);
  } else if (part < tori + settings_.machines) {
    verify_machine(part - tori + 1);
  } else {
    verify_ranks(part - tori - settings_.machines + 1);
  }
}

void Verification::verify_ranks(Rank ranks) {
  for (const std::string& name : names_for(ranks)) {
    if (is_allgather(name)) {
      verify_allgather(name, ranks, Surroundings::flat(ranks), source_cases(1, ranks));
      continue;
    }
    Proof proof = prove(*make_algorithm(name, ranks, 1), followed(settings_, ranks));
    const std::lock_guard lock(mutex_);
    enter(name, ranks, std::move(proof));
  }
}

void Verification::verify_allgather(const std::string& name, Rank ranks,
                                    const Surroundings& surroundings,
                                    const std::vector<Sources>& cases) {
  Proof all;
  for (const Sources& sources : cases) {
    Proof proof = prove(*make_allgather(name, sources, surroundings), surroundings.machine().get());
    all.schedules += proof.schedules;
    std::ranges::move(proof.violations, std::back_inserter(all.violations));
  }
  const std::lock_guard lock(mutex_);
  enter(name, ranks, std::move(all));
}

/// The algorithms that depend on nodes, on nodes of any sizes and ranks in any order.
void Verification::verify_machine(int number) {
  const Machine machine =
      random_machine(static_cast<std::uint64_t>(number), kMostNodes, kLargestNode);
  std::vector<std::string> names = node_algorithm_names();
  std::ranges::copy(node_allgather_names(), std::back_inserter(names));
  for (const std::string& name : settings_.algorithms.empty() ? names : settings_.algorithms) {
    if (!depends_on_nodes(name)) continue;
    if (is_allgather(name)) {
      const auto seed = static_cast<std::uint64_t>(number);
      verify_allgather(name, machine.ranks(), Surroundings::known(machine),
                       {random_sources(seed, machine.ranks(), seed % 4 + 1)});
      const std::lock_guard lock(mutex_);
      ++tallies_[family_of(name)].machines;
      continue;
    }
    Proof proof = prove(*make_algorithm(name, machine, 1), followed(settings_, machine.ranks()));
    for (std::string& sentence : proof.violations) {
      sentence = fmt::format("random nodes {}: {}", number, sentence);
    }
    const std::lock_guard lock(mutex_);
    enter(name, machine.ranks(), std::move(proof));
    ++tallies_[family_of(name)].machines;
  }
}

/// The algorithms that depend on a torus, if all of them or this one without a shape was asked
/// for.
void Verification::verify_torus(const TorusCase& torus) {
  const auto& names = settings_.algorithms;
  if (!names.empty() && std::ranges::find(names, family_of(torus.name)) == names.end()) return;
  const auto algorithm = make_algorithm(torus.name, torus.ranks, 1);
  Proof proof =
      prove(*algorithm, settings_.destinations > 0 ? settings_.destinations : torus.ranks);
  const std::lock_guard lock(mutex_);
  enter(torus.name, torus.ranks, std::move(proof));
}

std::vector<std::string> Verification::names_for(Rank ranks) const {
  std::vector<std::string> names;
  if (settings_.algorithms.empty()) {
    names = algorithm_names(ranks);
    std::ranges::copy(allgather_names(ranks), std::back_inserter(names));
  }
  for (const std::string& name : settings_.algorithms) {
    try {
      names.push_back(name_on(name, ranks));
    } catch (const Error&) {
      // The restriction is not met on this number of ranks; if on none, `run` finds no schedule.
    }
  }
  return names;
}

void Verification::enter(const std::string& name, Rank ranks, Proof proof) {
  ProofTally& tally = tallies_[family_of(name)];
  tally.smallest = tally.schedules == 0 ? ranks : std::min(tally.smallest, ranks);
  tally.largest = std::max(tally.largest, ranks);
  tally.schedules += proof.schedules;
  tally.violations += std::ssize(proof.violations);
  std::ranges::move(proof.violations, std::back_inserter(violations_));
}

}  // namespace shunt
