// One-shot calls with "auto": what each is made with, and what is learned of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "exchange/block_parts.hpp"
#include "exchange/yard_state.hpp"
#include "learning/learned_calls.hpp"
#include "model/sources.hpp"
#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// How MPI's own collective can be called in the place of a call.
enum class NativeCall {
  as_it_came,   ///< with the program's own arguments, whatever they are
  not_blocking  ///< so that other exchanges are helped along (native_call.hpp)
};

/// What one rank, or all of them together, know of the traffic of a call.
struct CallTraffic {
  TrafficBound bound;
  Bytes load_of_others = 0;  ///< the most bytes that a rank has for others, or from them
  Bytes messages = 0;        ///< most blocks of a rank that are not empty
  Bytes packing = 0;         ///< bytes of packed copies of this rank alone
};

/// The traffic of blocks of these lengths at rank `own`.
[[nodiscard]] CallTraffic call_traffic_of(const std::vector<Bytes>& sent,
                                          const std::vector<Bytes>& received, Rank own);

/// Of an exchange that may be made in parts, of the whole.
[[nodiscard]] CallTraffic call_traffic_of(const BlockParts& parts, Rank own);

/// A call with "auto", from before its first message to its end. All ranks make it with the same,
/// and what it teaches the next calls on the communicator follow (src/learning), and those of later
/// programs (wisdom); rank 0 says so where somebody asked (SHUNT_VERBOSE). Now and then it begins
/// with an agreement, a reduction of a few numbers, and where traffic is new with a word from rank
/// 0, and a reduction where memory is limited; so making it is collective. `yard` and `options`
/// outlive it.
class OneShot {
 public:
  /// An exchange of blocks, which is to be decided.
  OneShot(YardState& yard, const Options& options, NativeCall native);

  /// An exchange of blocks with the traffic that `traffic_of()` returns.
  template <class TrafficOf>
  OneShot(YardState& yard, const Options& options, NativeCall native, const TrafficOf& traffic_of)
      : OneShot(yard, options, native) {
    if (agrees()) agree_on(traffic_of());
    decide();
  }

  /// A broadcast of blocks of these lengths, which all ranks know. Throws like `totals_of`.
  OneShot(YardState& yard, const Options& options, NativeCall native,
          const std::vector<Bytes>& lengths);

  /// Whether the ranks agree before this exchange; otherwise all know already what to make it with,
  /// whatever its traffic.
  [[nodiscard]] bool agrees() const;

  /// Collective: where the exchange `agrees`, and before it is decided.
  void agree_on(const CallTraffic& traffic);

  /// From here on the exchange is under way. Once.
  void decide();

  /// What to make the call with (`way_text`), or "native".
  [[nodiscard]] const std::string& algorithm() const { return *algorithm_; }

  /// Whether that is MPI's own collective; false before it is decided.
  [[nodiscard]] bool is_native() const { return is_native_; }

  /// The same as the options of a call; until the next call.
  [[nodiscard]] const Options& way() const;

  /// The call is over on this rank. One that fails teaches nothing.
  void end();

  /// After the end of a call that was MPI's own: leaves those like it to MPI, too, as far as that
  /// is decided (`LeftToMpi`).
  void leave_to_mpi();

  /// All of the call: `once` makes it with the options that it is given, and returns its counters.
  template <class Once>
  Counters make(Once&& once) {
    Counters counters = once(way());
    end();
    counters.chosen = algorithm();
    return counters;
  }

 private:
  OneShot(YardState& yard, const Options& options, NativeCall native, bool broadcast);

  using Likely = std::function<std::vector<std::string>()>;

  [[nodiscard]] const char* name_in_wisdom() const;
  [[nodiscard]] CallTraffic agree(const CallTraffic& traffic, AgreementCost& cost);
  [[nodiscard]] LearnedTraffic& find(const TrafficSignature& signature, const Likely& likely,
                                     TimedCalls timed);
  void note(double seconds);
  void read();

  YardState& yard_;
  const Options& options_;
  const NativeCall native_;
  const bool broadcast_;
  LearnedKind& kind_;
  LearnedTraffic* traffic_ = nullptr;
  const std::string* algorithm_ = nullptr;
  bool is_native_ = false;
  double begin_ = 0;  ///< where the call is timed
};

}  // namespace shunt
