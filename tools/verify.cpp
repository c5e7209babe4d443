// shunt verify: proves every schedule, every route and every broadcast at every number of ranks,
// and on random nodes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algorithms/broadcast_proof.hpp"
#include "algorithms/broadcast_registry.hpp"
#include "algorithms/proof.hpp"
#include "algorithms/registry.hpp"
#include "model/random_machine.hpp"
#include "model/random_sources.hpp"
#include "parallel_parts.hpp"
#include "shunt/error.hpp"
#include "subcommands.hpp"
#include "table.hpp"
#include "torus_cases.hpp"
#include "verification_report.hpp"

namespace shunt {

namespace {

/// Up to here the routes to all destinations are followed.
constexpr Rank kAllDestinations = 128;
/// Beyond, to so many, spread evenly over the ranks.
constexpr Rank kSomeDestinations = 16;
/// Of a random machine.
constexpr Rank kMostNodes = 9;
constexpr Rank kLargestNode = 6;

struct VerifySettings {
  Rank max_ranks = 128;
  std::vector<std::string> algorithms;
  int machines = 1000;
  Rank longest_extent = 16;  ///< of a torus
  Rank destinations = 0;     ///< 0: as the constants above say
  int threads = 2;
  bool json = false;
};

/// What was proved of one registry entry.
struct Tally {
  int smallest = 0;
  int largest = 0;
  Bytes machines = 0;  ///< proofs on random nodes
  Bytes schedules = 0;
  Bytes violations = 0;
};

std::string family_of(const std::string& name) { return name.substr(0, name.find(':')); }

bool depends_on_nodes(const std::string& name) {
  const auto by_name = [&](auto entries) {
    const auto entry = std::ranges::find(entries, family_of(name),
                                         [](const auto& candidate) { return candidate.name; });
    return entry != entries.end() && entry->by_nodes;
  };
  return by_name(algorithm_registry()) || by_name(broadcast_registry());
}

/// What the algorithm or broadcast runs as on that many ranks. Throws Error(argument) where it does
/// not.
std::string name_on(const std::string& name, Rank ranks) {
  if (!is_broadcast(name)) return make_algorithm(name, ranks, 1)->name();
  return make_broadcast(name, Sources(std::vector<Bytes>(static_cast<std::size_t>(ranks), 0)))
      ->name();
}

Rank followed(const VerifySettings& settings, Rank ranks) {
  if (settings.destinations > 0) return settings.destinations;
  return ranks <= kAllDestinations ? ranks : kSomeDestinations;
}

class Verification {
 public:
  explicit Verification(const VerifySettings& settings)
      : settings_(settings), tori_(torus_cases(settings.longest_extent)) {}

  void run() {
    for_each_part(static_cast<int>(tori_.size()) + settings_.machines + settings_.max_ranks,
                  settings_.threads, [this](int part) { verify(part); });
    std::ranges::sort(violations_);
  }

  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }
  [[nodiscard]] const std::map<std::string, Tally>& tallies() const { return tallies_; }

 private:
  /// The parts: tori, random machines, and numbers of ranks.
  void verify(int part) {
    const auto tori = static_cast<int>(tori_.size());
    if (part < tori) {
      verify_torus(tori_[static_cast<std::size_t>(part)]);
    } else if (part < tori + settings_.machines) {
      verify_machine(part - tori + 1);
    } else {
      verify_ranks(part - tori - settings_.machines + 1);
    }
  }

  void verify_ranks(Rank ranks) {
    for (const std::string& name : names_for(ranks)) {
      if (is_broadcast(name)) {
        verify_broadcast(name, ranks, Surroundings::flat(ranks), source_cases(1, ranks));
        continue;
      }
      Proof proof = prove(*make_algorithm(name, ranks, 1), followed(settings_, ranks));
      const std::lock_guard lock(mutex_);
      enter(name, ranks, std::move(proof));
    }
  }

  void verify_broadcast(const std::string& name, Rank ranks, const Surroundings& surroundings,
                        const std::vector<Sources>& cases) {
    Proof all;
    for (const Sources& sources : cases) {
      Proof proof = prove(*make_broadcast(name, sources, surroundings));
      all.schedules += proof.schedules;
      std::ranges::move(proof.violations, std::back_inserter(all.violations));
    }
    const std::lock_guard lock(mutex_);
    enter(name, ranks, std::move(all));
  }

  /// The algorithms that depend on nodes, on nodes of any sizes and ranks in any order.
  void verify_machine(int number) {
    const Machine machine =
        random_machine(static_cast<std::uint64_t>(number), kMostNodes, kLargestNode);
    std::vector<std::string> names = node_algorithm_names();
    std::ranges::copy(node_broadcast_names(), std::back_inserter(names));
    for (const std::string& name : settings_.algorithms.empty() ? names : settings_.algorithms) {
      if (!depends_on_nodes(name)) continue;
      if (is_broadcast(name)) {
        const auto seed = static_cast<std::uint64_t>(number);
        verify_broadcast(name, machine.ranks(), Surroundings::known(machine),
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
  void verify_torus(const TorusCase& torus) {
    const auto& names = settings_.algorithms;
    if (!names.empty() && std::ranges::find(names, family_of(torus.name)) == names.end()) return;
    const auto algorithm = make_algorithm(torus.name, torus.ranks, 1);
    Proof proof =
        prove(*algorithm, settings_.destinations > 0 ? settings_.destinations : torus.ranks);
    const std::lock_guard lock(mutex_);
    enter(torus.name, torus.ranks, std::move(proof));
  }

  [[nodiscard]] std::vector<std::string> names_for(Rank ranks) const {
    std::vector<std::string> names;
    if (settings_.algorithms.empty()) {
      names = algorithm_names(ranks);
      std::ranges::copy(broadcast_names(ranks), std::back_inserter(names));
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

  void enter(const std::string& name, Rank ranks, Proof proof) {
    Tally& tally = tallies_[family_of(name)];
    tally.smallest = tally.schedules == 0 ? ranks : std::min(tally.smallest, ranks);
    tally.largest = std::max(tally.largest, ranks);
    tally.schedules += proof.schedules;
    tally.violations += std::ssize(proof.violations);
    std::ranges::move(proof.violations, std::back_inserter(violations_));
  }

  const VerifySettings& settings_;
  std::vector<TorusCase> tori_;
  std::mutex mutex_;  ///< guards what follows
  std::map<std::string, Tally> tallies_;
  std::vector<std::string> violations_;
};

/// Throws the reason why a name given by the user runs on no number of ranks.
void check_names(const VerifySettings& settings) {
  for (const std::string& name : settings.algorithms) {
    std::optional<Error> reason;
    for (Rank ranks = settings.max_ranks; ranks >= 1; --ranks) {
      try {
        (void)name_on(name, ranks);
        reason.reset();
        break;
      } catch (const Error& error) {
        reason = error;
      }
    }
    if (reason) throw Error(*reason);
  }
}

Table tally_table(const Verification& verification) {
  Table table({{"algorithm", Align::left},
               {"from ranks"},
               {"to ranks"},
               {"random nodes"},
               {"schedules"},
               {"violations"}});
  for (const auto& [family, tally] : verification.tallies()) {
    table.add(
        {family, tally.smallest, tally.largest, tally.machines, tally.schedules, tally.violations});
  }
  return table;
}

std::string summary(const Verification& verification) {
  Bytes schedules = 0;
  for (const auto& [family, tally] : verification.tallies()) schedules += tally.schedules;
  return fmt::format("checked {} schedules of {} algorithms: {} violations", schedules,
                     verification.tallies().size(), verification.violations().size());
}

void print_details(const VerifySettings& settings, const Verification& verification) {
  if (settings.destinations > 0) {
    fmt::print("\nRoutes were followed to at most {} destinations.\n", settings.destinations);
  } else {
    fmt::print("\nRoutes were followed to all destinations");
    if (settings.max_ranks > kAllDestinations) {
      fmt::print(" up to {} ranks, to {} beyond", kAllDestinations, kSomeDestinations);
    }
    fmt::print(".\n");
  }
  const auto& tallies = verification.tallies();
  if (std::ranges::any_of(tallies, [](const auto& entry) { return is_broadcast(entry.first); })) {
    fmt::print("Broadcasts were followed byte by byte, with no source, one, some and all.\n");
  }
}

void verify_all(const VerifySettings& settings) {
  check_names(settings);
  Verification verification(settings);
  verification.run();
  print_report(
      {"algorithms", tally_table(verification), verification.violations(), summary(verification)},
      settings.json, [&] { print_details(settings, verification); });
}

}  // namespace

void add_verify(Command app) {
  const Command command = app.add_subcommand("verify", "Prove all schedules and routes");
  auto settings = std::make_shared<VerifySettings>();
  command.add_option("--max-ranks", settings->max_ranks, "Check 1 to this many ranks")
      .between(1, 100000)
      .shows_default();
  command.add_option("--algorithm", settings->algorithms,
                     "Check only this algorithm or broadcast; may be\nrepeated");
  command
      .add_option("--random-nodes", settings->machines,
                  "Check what depends on nodes on so many more machines\n"
                  "of random nodes, ranks in any order")
      .between(0, 10000000)
      .shows_default();
  command
      .add_option("--longest-extent", settings->longest_extent,
                  "Check what depends on a torus on all of two dimensions\n"
                  "to this many ranks a dimension, and on rings to 4 times\n"
                  "as many; and on one of three and one of four dimensions")
      .between(0, 1000)
      .shows_default();
  command
      .add_option("--destinations", settings->destinations,
                  fmt::format("Follow routes to at most this many destinations,\n"
                              "spread over the ranks. Default: to all up to {} ranks,\n"
                              "to {} beyond. Schedules are always checked whole",
                              kAllDestinations, kSomeDestinations))
      .between(1, 100000);
  command.add_option("--threads", settings->threads, "Threads that share the work")
      .between(1, 1024)
      .shows_default();
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings, command] {
    if (!command.subcommand_chosen()) verify_all(*settings);
  });
  add_redistribution_proofs(command);
}

}  // namespace shunt
