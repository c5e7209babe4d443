// What a communicator has learned of one-shot calls.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "learning/allowance.hpp"
#include "learning/learner.hpp"
#include "model/traffic_signature.hpp"
#include "shunt/options.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Calls between which nothing but the traffic differs. The ranks know that they make such a call
/// without a word, since all give the same options.
struct CallKind {
  bool broadcast = false;
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

/// Calls of one kind with traffic for which the same is about as good.
struct LearnedTraffic {
  TrafficSignature signature;
  Learner learner;
  double own_seconds = 0;  ///< of the calls that were timed since the last agreement, on this rank
  bool failed = false;     ///< whether MPI's own function failed since then, on this rank
};

/// What the calls of one kind have taught.
struct LearnedKind {
  std::map<TrafficSignature, LearnedTraffic> traffics;
  /// What the ranks agreed on last: no rank may choose by what it alone knows of a call.
  LearnedTraffic* current = nullptr;
  bool avoids_native = false;  ///< MPI's own function fails with arguments that came once
  /// Broadcasts among which nothing can be chosen, until the ranks agree again, since other lengths
  /// may come; and how many there were the last time. Twice as many each time.
  int unlearned_calls = -1;
  int unlearned_run = 0;
  /// What the last call was made with, a text that lives as long as this, and the options it says.
  const std::string* way_text = nullptr;
  Options way;
  bool is_native = false;  ///< whether it says MPI's own collective
};

/// Which calls of a preloaded program are MPI's own, so that nobody has to choose.
struct LeftToMpi {
  bool all = false;
  /// Otherwise those that its learner takes again. Null: none.
  LearnedTraffic* traffic = nullptr;

  /// Counts the next one, if it is left to MPI.
  bool take() { return all || (traffic != nullptr && traffic->learner.take_again()); }

  /// MPI's own function has failed.
  void fail() {
    if (traffic != nullptr) traffic->failed = true;
  }
};

struct LearnedCalls {
  /// At least as many as the functions of MPI that are told apart: a program's calls of one are
  /// mostly alike, and all ranks know which one is called.
  static constexpr std::size_t kFunctions = 16;

  std::map<CallKind, LearnedKind> kinds;
  std::pair<const CallKind, LearnedKind>* last = nullptr;  ///< of the last call
  std::array<LeftToMpi, kFunctions> left;                  ///< by function
  Allowance allowance;
  double agreement_seconds = 0;  ///< what the last agreement took this rank

  /// The calls of a kind, which is mostly that of the call before.
  LearnedKind& of(const CallKind& kind) {
    if (last == nullptr || last->first != kind) last = &*kinds.try_emplace(kind).first;
    return last->second;
  }
};

}  // namespace shunt
