// The proofs of `shunt verify`: of every schedule, route and broadcast that was asked for.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "algorithms/surroundings.hpp"
#include "lab/proof/proof.hpp"
#include "model/sources.hpp"
#include "tools/verify/torus_cases.hpp"

namespace shunt {

/// The most ranks on which the routes to all destinations are followed.
inline constexpr Rank kAllDestinations = 128;
/// The number of destinations to which routes are followed on more ranks, spread evenly over these.
inline constexpr Rank kSomeDestinations = 16;

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
struct ProofTally {
  int smallest = 0;
  int largest = 0;
  Bytes machines = 0;  ///< proofs on random nodes
  Bytes schedules = 0;
  Bytes violations = 0;
};

/// What the algorithm or all-gather runs as on that many ranks. Throws Error(argument) where it
/// does not.
[[nodiscard]] std::string name_on(const std::string& name, Rank ranks);

class Verification {
 public:
  /// Refers to the settings.
  explicit Verification(const VerifySettings& settings);

  /// Proves all of it, with several threads.
  void run();

  /// In order.
  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }
  /// Returns the tallies by family: the name of a registry entry.
  [[nodiscard]] const std::map<std::string, ProofTally>& tallies() const { return tallies_; }

 private:
  void verify(int part);
  void verify_ranks(Rank ranks);
  void verify_allgather(const std::string& name, Rank ranks, const Surroundings& surroundings,
                        const std::vector<Sources>& cases);
  void verify_machine(int number);
  void verify_torus(const TorusCase& torus);
  [[nodiscard]] std::vector<std::string> names_for(Rank ranks) const;
  void enter(const std::string& name, Rank ranks, Proof proof);

  const VerifySettings& settings_;
  std::vector<TorusCase> tori_;
  std::mutex mutex_;  ///< guards what follows
  std::map<std::string, ProofTally> tallies_;
  std::vector<std::string> violations_;
};

}  // namespace shunt
