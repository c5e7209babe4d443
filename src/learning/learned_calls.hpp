// What a communicator has learned of one-shot calls.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "learning/learner.hpp"
#include "learning/tuning_budget.hpp"
#include "model/configuration.hpp"
#include "model/traffic_signature.hpp"
#include "shunt/options.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Calls that differ in nothing but their traffic. The ranks know the kind of a call without
/// communication, since all give equal options.
struct CallKind {
  std::string_view name;   ///< of the kind of collective; outlives this
  int function = 0;        ///< of MPI that is called; 0 for calls of C++ as well
  bool preloaded = false;  ///< MPI's own function gets the program's arguments
  Mode mode{};
  Bytes grain = 0;
  Bytes packet = 0;
  bool shared_memory = false;
  bool single_copy = false;
  Effort effort{};
  Bytes memory = 0;

  friend auto operator<=>(const CallKind&, const CallKind&) = default;
};

/// Calls of one kind with traffics that are so similar that one configuration suits all of them.
struct LearnedTraffic {
  TrafficSignature signature;
  std::vector<Configuration> candidates;  ///< of the learner; but their windows are those of a call
  Learner learner;
  double own_seconds = 0;  ///< of all calls timed since the last agreement, on this rank
  bool failed = false;     ///< whether MPI's own function failed since then, on this rank
};

/// What the calls of one kind have taught.
struct LearnedKind {
  std::map<TrafficSignature, LearnedTraffic> traffics;
  /// What the ranks agreed on last: no rank may choose by what it alone knows of a call.
  LearnedTraffic* current = nullptr;
  std::optional<Configuration> only;  ///< where there is nothing to learn
  bool avoids_native = false;  ///< whether MPI's own function fails with arguments that came once
  /// How many calls without a choice are left, where lengths are known to all ranks, before the
  /// ranks agree again, since other lengths may come; and of how many this run is, twice as many
  /// each time.
  int unlearned_calls = -1;
  int unlearned_run = 0;
};

/// Which calls of a preloaded program MPI makes without a choice.
struct LeftToMpi {
  bool all = false;
  /// Where `all` is not set: the traffic whose learner decides which calls are made again without a
  /// choice. Null: none.
  LearnedTraffic* traffic = nullptr;

  /// Returns whether the next call is left to MPI, and counts it then.
  bool take() { return all || (traffic != nullptr && traffic->learner.take_again()); }

  /// Notes that MPI's own function has failed.
  void fail() {
    if (traffic != nullptr) traffic->failed = true;
  }
};

struct LearnedCalls {
  /// At least the number of MPI's functions that are told apart: a program's calls of one are
  /// mostly similar, and all ranks know which one is called.
  static constexpr std::size_t kFunctions = 16;

  std::map<CallKind, LearnedKind> kinds;
  std::pair<const CallKind, LearnedKind>* last = nullptr;  ///< of the last call
  std::array<LeftToMpi, kFunctions> left;                  ///< by function
  TuningBudget budget;
  double agreement_seconds = 0;  ///< what the last agreement took this rank

  /// Returns what the calls of a kind have taught. Fast where the last call was of this kind.
  LearnedKind& of(const CallKind& kind) {
    if (last == nullptr || last->first != kind) last = &*kinds.try_emplace(kind).first;
    return last->second;
  }
};

}  // namespace shunt
