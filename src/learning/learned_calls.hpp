// What a communicator has learned of one-shot calls.
#pragma once

#include <array>
#include <compare>
#include <map>
#include <memory>
#include <optional>

#include "learning/allowance.hpp"
#include "learning/learner.hpp"
#include "shunt/options.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Calls between which nothing but the traffic differs. The ranks know that they make such a call
/// without a word, since all give the same options.
struct CallKind {
  bool broadcast = false;
  bool native_needs_consent = false;
  Mode mode{};
  Bytes grain = 0;
  Bytes packet = 0;
  bool shared_memory = false;

  friend auto operator<=>(const CallKind&, const CallKind&) = default;
};

/// Traffic for which the same is about as good: up to three numbers of it, each within a factor of
/// two.
using TrafficClass = std::array<int, 3>;

/// The class of these numbers: bits of their binary forms.
[[nodiscard]] TrafficClass class_of(const std::array<Bytes, 3>& numbers);

/// One learner, and what this rank has to say at the next agreement.
struct LearnedTraffic {
  Learner learner;
  double own_seconds = 0;  ///< of the last timed call on this rank
};

/// Those of one kind.
struct LearnedKind {
  std::map<TrafficClass, LearnedTraffic> traffics;
  /// Of calls of which a rank only knows its own blocks: what the ranks agreed on last.
  LearnedTraffic* current = nullptr;
};

struct LearnedCalls {
  std::map<CallKind, LearnedKind> kinds;
  Allowance allowance;
  double agreement_seconds = 0;  ///< what the last agreement took this rank
};

}  // namespace shunt
