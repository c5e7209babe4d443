// What a communicator has learned of one-shot calls.
#pragma once

#include <compare>
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
};

/// Those of one kind.
struct LearnedKind {
  std::map<TrafficSignature, LearnedTraffic> traffics;
  /// Of calls of which a rank only knows its own blocks: what the ranks agreed on last.
  LearnedTraffic* current = nullptr;
  /// What the last call was made with, a text that lives as long as this, and the options it says.
  const std::string* way_text = nullptr;
  Options way;
  bool is_native = false;  ///< whether it says MPI's own collective
};

/// Which calls of a preloaded program are MPI's own, so that nobody has to choose.
struct LeftToMpi {
  bool all = false;
  /// Otherwise those that it takes again: exchanges, or broadcasts of this traffic. Null: none.
  Learner* learner = nullptr;
  TrafficSignature signature = {};

  /// Counts the next one, if it is left to MPI.
  bool take() { return all || (learner != nullptr && learner->take_again()); }
};

struct LearnedCalls {
  std::map<CallKind, LearnedKind> kinds;
  std::pair<const CallKind, LearnedKind>* last = nullptr;  ///< of the last call
  LeftToMpi exchanges_left;
  LeftToMpi broadcasts_left;
  Allowance allowance;
  double agreement_seconds = 0;  ///< what the last agreement took this rank

  [[nodiscard]] LeftToMpi& left(bool broadcast) {
    return broadcast ? broadcasts_left : exchanges_left;
  }

  /// The calls of a kind, which is mostly that of the call before.
  LearnedKind& of(const CallKind& kind) {
    if (last == nullptr || last->first != kind) last = &*kinds.try_emplace(kind).first;
    return last->second;
  }
};

}  // namespace shunt
