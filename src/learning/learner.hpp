// Finds out which of several candidates, each a configuration of a call, is the fastest, while
// calls are made. Nothing here communicates: learners that are given equal numbers on all ranks
// make equal choices on all ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "learning/race.hpp"
#include "learning/tuning_budget.hpp"

namespace shunt {

/// Seconds that an agreement takes.
struct AgreementCost {
  double least = 0;  ///< on the rank that came last to it, which did not wait
  double most = 0;   ///< on the one that waited longest
};

/// Which calls of a turn count.
enum class TimedCalls {
  /// The calls after the first ones, as the program makes them one after the other. The first ones
  /// would favour configurations that gain by beginning together, and disadvantage those that find
  /// in the caches what another one left there. Of few calls, the last one.
  warm,
  /// All calls: ranks that wait for no other are soon several calls ahead, and later calls of the
  /// others find their data there already.
  all
};

/// Learns the fastest configuration of calls of one kind with similar traffic: runs a race, and
/// then takes its winner until its calls have taken a different time for long. Each time that
/// happens it has to last twice as long, so that the choice follows the machine and does not flip
/// to and fro. A candidate that lost by a chance delay would never be seen to be faster if the
/// winner stays as it is: so there is another race after `kFirstReview` calls, and after twice as
/// many each time. And a winner that *disappoints* is replaced by the next best: a few calls in
/// turn with others may favour what takes longer in the long run, and the least of several medians
/// is partly luck.
///
/// The ranks *agree* from time to time, before a call: how long the first calls after the last
/// agreement took the slowest of them, and what the agreement itself costs. In a race they agree
/// before each turn; later so rarely that it costs a small part of the calls.
class Learner {
 public:
  /// The most calls without an agreement; and where all calls are timed, since what an agreement
  /// costs there is more than the call.
  static constexpr int kMostCalls = 512;
  static constexpr int kMostTimedCalls = 4 * kMostCalls;

  /// Calls with the first winner before all are tried again.
  static constexpr std::int64_t kFirstReview = 4096;

  /// Candidates are known by their numbers, from 0. The first one is taken as long as nothing is
  /// known; `fallback`, if there is, where no other is clearly faster.
  explicit Learner(std::size_t candidates, TimedCalls timed = TimedCalls::warm,
                   std::optional<std::size_t> fallback = {});

  /// Ends the race in favour of the candidate, which was found earlier to be the fastest, with
  /// calls of `seconds`. Returns false where it is left out.
  bool settle_on(std::size_t candidate, double seconds);

  /// Leaves out the candidate that was assigned last, which has failed where another one may not.
  /// Where one is left out already, both fail, so the candidates are not the cause: takes all
  /// again.
  void leave_out_current();

  /// Leaves out the candidate forever. Returns false where it is left out already, or there is no
  /// other one.
  bool leave_out(std::size_t candidate);

  /// Leaves the next `calls` calls to the candidate that `settle_on` named, without an agreement
  /// before them. Then all are tried, since what was found earlier did not include what the program
  /// does between its calls. The last of these calls are timed: the first ones after trials take
  /// longer, and the program may never make that many.
  void trust(int calls);

  /// Whether the ranks have to agree before the next call.
  [[nodiscard]] bool is_due() const { return calls_left_ == 0 && has_choice(); }

  /// Whether there are several candidates.
  [[nodiscard]] bool has_choice() const { return candidates_.size() > 1; }

  /// Notes that the calls that were timed since the last agreement took the slowest rank `seconds`
  /// in all. Returns whether the learner has settled now, or on another candidate.
  bool note(double seconds, TuningBudget& budget);

  /// Decides on the next calls. The ranks have just agreed, which took what `measured` says.
  void assign(const AgreementCost& measured, const TuningBudget& budget);

  /// Counts a call, and returns the candidate to make it with.
  std::size_t take();

  /// Counts a call that is made as the last one was. Returns false, and does not count it, where
  /// the ranks have to agree before it, or it may be timed.
  bool take_again() {
    if (calls_left_ == 0 || calls_ - calls_left_ < untimed_ + timed_calls()) return false;
    --calls_left_;
    return true;
  }

  /// Whether the call that was counted last is to be timed.
  [[nodiscard]] bool is_timed() const {
    const int since = calls_ - calls_left_ - untimed_;
    return candidates_.size() > 1 && since > 0 && since <= timed_calls();
  }

  [[nodiscard]] bool is_settled() const { return settled_; }

  /// Returns the candidate that has won, or leads so far.
  [[nodiscard]] std::size_t leader() const { return candidates_[leading_racer()]; }

  /// Returns the median seconds of the leader's calls; 0 where none was timed.
  [[nodiscard]] double seconds() const {
    return settled_ ? expected_ : race_.seconds(race_.leader());
  }

  struct Taken {
    std::size_t candidate;
    double seconds;     ///< of a call in the median of its turns
    std::size_t turns;  ///< how many it had
  };
  /// Returns what the race has shown, the fastest candidate first.
  [[nodiscard]] std::vector<Taken> tried() const;

 private:
  /// Returns how many of the calls that were assigned are timed.
  [[nodiscard]] int timed_calls() const {
    const int warm_ups = timed_ == TimedCalls::all ? 0 : std::min(calls_ - 1, Race::kWarmUps);
    return std::min(calls_, Race::kTurn) - warm_ups;
  }
  [[nodiscard]] int most_calls() const {
    return timed_ == TimedCalls::all ? kMostTimedCalls : kMostCalls;
  }
  /// Returns the seconds that would not have been spent without an agreement at that cost. A rank
  /// that waits there for others would wait for them in the next call, unless some ranks wait for
  /// no other.
  [[nodiscard]] double lost_to(const AgreementCost& cost) const {
    return timed_ == TimedCalls::all ? cost.most : cost.least;
  }
  [[nodiscard]] std::optional<std::size_t> racer_of(std::optional<std::size_t> candidate) const;
  [[nodiscard]] std::size_t leading_racer() const { return settled_ ? winner_ : race_.leader(); }
  [[nodiscard]] int calls_of_winner(double agreement, const TuningBudget& budget);
  [[nodiscard]] int calls_worth(double agreement, int most) const;
  void begin_anew();
  void note_of_race(double each, TuningBudget& budget);
  void settle();
  void watch(double seconds);
  void leave_what_disappoints();
  void race_again();

  /// The candidates that are not left out. The racers of the race are their places here.
  std::vector<std::size_t> candidates_;
  TimedCalls timed_;
  std::optional<std::size_t> fallback_;  ///< a candidate
  std::optional<std::size_t> left_out_;  ///< the one that has failed
  Race race_;
  bool settled_ = false;
  std::size_t winner_ = 0;         ///< the racer, where it is settled
  double expected_ = 0;            ///< seconds of its calls; 0: none was timed yet
  std::vector<double> served_;     ///< what they took in its last runs
  std::int64_t served_calls_ = 0;  ///< calls in all runs since it won
  int winners_left_ = 0;           ///< winners that were replaced since the last race

  // What follows is what was assigned last.
  std::size_t current_ = 0;  ///< a racer
  bool races_ = false;       ///< whether it is a call of the race
  int calls_ = 0;
  int untimed_ = 0;  ///< calls before those that are timed
  int calls_left_ = 0;
  AgreementCost measured_;  ///< what the agreement before it took,
  AgreementCost cost_;      ///< and what it would have taken without stalls

  /// What the first run doubles, to as many calls as a turn: they are timed like those of a race.
  static constexpr int kShortRun = Race::kTurn / 2;

  int run_ = kShortRun;   ///< calls of the winner's last run
  int surprises_ = 0;     ///< timed calls in a row that took another time than expected
  int patience_ = 8;      ///< surprises that begin another race
  int false_alarms_ = 0;  ///< rows of surprises that began none
  std::int64_t until_review_ = kFirstReview;  ///< calls that are left to the winner
  std::int64_t review_ = kFirstReview;        ///< that were, at the beginning
};

}  // namespace shunt
