// One-shot calls with "auto": the configuration of each, and what is learned of it.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "exchange/block_parts.hpp"
#include "exchange/context.hpp"
#include "learning/learned_calls.hpp"
#include "model/configuration.hpp"
#include "model/sources.hpp"
#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// How MPI's own collective can be called instead of Shunt.
enum class NativeCall {
  as_it_came,   ///< with the program's own arguments, whatever they are
  not_blocking  ///< by Shunt, which drives other exchanges meanwhile (native_call.hpp)
};

/// What one rank knows of the traffic of a call, or all ranks together.
struct CallTraffic {
  TrafficBound bound;
  Bytes load_of_others = 0;  ///< the most bytes that a rank has for others, or from them
  Bytes messages = 0;        ///< most blocks of a rank that are not empty
  Bytes packing = 0;         ///< bytes of packed copies of this rank alone
};

/// The traffic of blocks of these lengths at rank `own`.
[[nodiscard]] CallTraffic call_traffic_of(const std::vector<Bytes>& sent,
                                          const std::vector<Bytes>& received, Rank own);

/// Returns the traffic of an exchange that may be made in parts, all parts together.
[[nodiscard]] CallTraffic call_traffic_of(const BlockParts& parts, Rank own);

/// A call with "auto", from before its first message to its end. All ranks make it with one
/// configuration. What it teaches is used by later calls on the communicator (src/learning) and of
/// later programs (wisdom); rank 0 reports choices where SHUNT_VERBOSE asks for it. Collective: now
/// and then it begins with an agreement, a reduction of a few numbers, and where traffic is new
/// with a broadcast from rank 0, and a reduction where memory is limited. `context` and `options`
/// outlive it.
class OneShot {
 public:
  /// A call that is to be decided. `kind` is the name of a kind of collective, which outlives this.
  /// `function` tells the functions of MPI apart by which programs make calls of one kind.
  OneShot(Context& context, const Options& options, NativeCall native, const char* kind,
          bool broadcast, int function = 0);

  /// An exchange of blocks with the traffic that `traffic_of()` returns.
  template <class TrafficOf>
  OneShot(Context& context, const Options& options, NativeCall native, const char* kind,
          const TrafficOf& traffic_of)
      : OneShot(context, options, native, kind, false) {
    if (agrees()) agree_on(traffic_of());
    decide();
  }

  /// A broadcast of blocks of these lengths. Throws like `totals_of`.
  OneShot(Context& context, const Options& options, NativeCall native, const char* kind,
          const std::vector<Bytes>& lengths);

  /// Whether the ranks agree before this call. Otherwise all know its configuration already,
  /// whatever its traffic: ranks of a faulty program may each have another one.
  [[nodiscard]] bool agrees() const;

  /// Notes, before the ranks agree, that MPI's own function fails with this rank's arguments. It is
  /// no candidate for such calls any more.
  void avoid_native() { avoids_native_ = true; }

  /// Agrees on the traffic. Collective; called where the call `agrees`, before it is decided.
  void agree_on(const CallTraffic& traffic);
  void agree_on(const std::vector<Bytes>& lengths);

  /// Decides the configuration; from here on the call is under way. Called once.
  void decide();

  /// Whether the call is timed.
  [[nodiscard]] bool is_timed() const { return begin_ > 0; }

  /// Has the time of a broadcast of blocks of these lengths, which was decided, count only if it is
  /// like those that the ranks agreed on. Throws as `totals_of` does.
  void time_if_like(const std::vector<Bytes>& lengths);

  /// Whether the configuration is MPI's own collective; false before it is decided.
  [[nodiscard]] bool is_native() const { return is_native_; }

  /// Returns the configuration of the call; valid until the next call.
  [[nodiscard]] const Configuration& configuration() const { return *configuration_; }

  /// Returns what it is called in messages, and in Counters::chosen (`configuration_text`).
  [[nodiscard]] std::string text() const { return configuration_text(*configuration_, options_); }

  /// Ends the call on this rank. Not called for a call that fails, which teaches nothing.
  void end();

  /// Notes that MPI's own collective has made the call, and has failed on this rank.
  void fail();

  /// Leaves later calls of the function to MPI, as far as that is decided (`LeftToMpi`). Called
  /// after the end of a call that MPI's own collective made.
  void leave_to_mpi();

  /// Makes all of the call: `once` makes it by the configuration that it is given, and returns its
  /// counters.
  template <class Once>
  Counters make(Once&& once) {
    Counters counters;
    try {
      counters = once(configuration());
    } catch (...) {
      if (is_native_) fail();
      throw;
    }
    end();
    counters.chosen = text();
    return counters;
  }

 private:
  using Likely = std::function<std::vector<Configuration>()>;

  [[nodiscard]] std::string name_in_wisdom() const;
  /// Numbers of a traffic, of which the largest of all ranks count.
  using Numbers = std::array<double, 4>;

  [[nodiscard]] Numbers agree(const Numbers& own, AgreementCost& cost);
  [[nodiscard]] LearnedTraffic& find(const TrafficSignature& signature, const Likely& likely,
                                     TimedCalls timed);
  [[nodiscard]] std::vector<Configuration> likely_of_first(const std::vector<Bytes>& lengths);
  void note(double seconds);
  void leave_out();
  [[nodiscard]] LearnedTraffic& without_what_fails(LearnedTraffic& traffic);

  Context& context_;
  const Options& options_;
  const NativeCall native_;
  const char* const name_;
  const bool broadcast_;
  const int function_;
  LearnedKind& kind_;
  LearnedTraffic* traffic_ = nullptr;
  const Configuration* configuration_ = nullptr;
  bool is_native_ = false;
  bool avoids_native_ = false;
  double begin_ = 0;  ///< where the call is timed
};

}  // namespace shunt
