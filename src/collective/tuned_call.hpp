// The configuration of a one-shot call, and what "auto" learns of it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "collective/collective.hpp"
#include "context/context.hpp"
#include "learning/learned_calls.hpp"
#include "shunt/counters.hpp"

namespace shunt {

/// Whether calls on a communicator teach anything: a simulated call is made once.
[[nodiscard]] bool learns(const Context& context);

/// A one-shot call, from before its first message to its end. All ranks make it with one
/// configuration: the one that the caller has named, or with "auto" one that the tuner chooses.
/// What the call teaches is used by later calls on the communicator (src/learning) and of later
/// programs (wisdom); rank 0 reports choices where SHUNT_VERBOSE asks for it. Collective: now and
/// then a call of "auto" begins with an agreement, a reduction of a few numbers, and where traffic
/// is new with a broadcast from rank 0, and a reduction where memory is limited. What the problem
/// refers to outlives it.
class TunedCall {
 public:
  /// Begins a call without looking at its blocks: most are made as earlier ones were. `function`
  /// tells the functions of MPI apart by which programs make calls of one kind.
  TunedCall(const Problem& problem, NativeCall native, int function = 0);

  /// Whether the ranks agree before this call is decided. Otherwise all know its configuration
  /// already, whatever its traffic: ranks of a faulty program may each have another one.
  [[nodiscard]] bool agrees() const;

  /// Whether the configuration is decided.
  [[nodiscard]] bool is_decided() const { return configuration_ != nullptr; }

  /// Notes, before the ranks agree, that MPI's own function fails with this rank's arguments. It is
  /// no candidate for such calls any more.
  void avoid_native() { avoids_native_ = true; }

  /// Decides the configuration, where it depends on the traffic: `traffic_of` returns that of this
  /// rank, as the kind of the problem describes it. Collective, also on a rank that cannot read its
  /// own, which gives none.
  template <class TrafficOf>
  void complete(const TrafficOf& traffic_of) {
    if (!is_decided()) {
      agree_on(traffic_of());
      decide();
    }
    if (is_timed() && all_know_lengths_) time_if_like(traffic_of());
  }

  /// Whether the call is timed.
  [[nodiscard]] bool is_timed() const { return begin_ > 0; }

  /// Whether the caller is to call MPI's own function, with the program's arguments. False before
  /// the call is decided.
  [[nodiscard]] bool is_left_to_caller() const {
    return native_ == NativeCall::as_it_came && is_native_;
  }

  /// Returns the configuration of the call, which is decided; valid until the next call.
  [[nodiscard]] const Configuration& configuration() const { return *configuration_; }

  /// Whether the tuner chooses.
  [[nodiscard]] bool is_tuned() const { return learned_ != nullptr; }

  /// Returns what it is called in messages, and in Counters::chosen (`configuration_text`). Takes a
  /// part of what a short call takes.
  [[nodiscard]] std::string text() const { return configuration_text(*configuration_, options_); }

  /// Ends the call on this rank. Not called for a call that fails, which teaches nothing.
  void end();

  /// Notes that MPI's own collective has made the call, and has failed on this rank.
  void fail();

  /// Leaves later calls of the function to MPI, as far as that is decided (`LeftToMpi`), where MPI
  /// made this one. Called after its end.
  void leave_to_mpi();

  /// Makes all of the call: `once` makes it by the configuration that it is given, and returns its
  /// counters.
  template <class Once>
  Counters make(Once&& once) {
    try {
      Counters counters = once(configuration());
      end();
      return counters;
    } catch (...) {
      if (is_native_) fail();
      throw;
    }
  }

 private:
  void agree_on(const CallTraffic& traffic);
  void decide();
  void time_if_like(const CallTraffic& traffic);
  [[nodiscard]] std::string name_in_wisdom() const;
  [[nodiscard]] TrafficNumbers agree(const TrafficNumbers& own, AgreementCost& cost);
  [[nodiscard]] LearnedTraffic& find(const CallTraffic& agreed);
  void note(double seconds);

  Context& context_;
  const Options& options_;
  const Collective& kind_;
  const NativeCall native_;
  const int function_;
  const bool all_know_lengths_;
  LearnedKind* learned_ = nullptr;  ///< null unless the tuner chooses
  LearnedTraffic* traffic_ = nullptr;
  const Configuration* configuration_ = nullptr;  ///< null before it is decided
  bool is_native_ = false;
  bool avoids_native_ = false;
  double begin_ = 0;  ///< where the call is timed
};

}  // namespace shunt
