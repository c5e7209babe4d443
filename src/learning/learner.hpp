// Finds out which of several ways to make a call is the fastest, while calls are made. Nothing here
// communicates: whoever tells the learners of all ranks the same gets the same choices of all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "learning/allowance.hpp"
#include "learning/race.hpp"

namespace shunt {

/// Seconds that an agreement takes.
struct AgreementCost {
  double least = 0;  ///< on the rank that came last to it, which waited for nobody
  double most = 0;   ///< on the one that waited longest
};

/// Which calls of a turn count.
enum class TimedCalls {
  /// Those after the first ones, one after the other, as the program makes them: the first would
  /// flatter what gains by beginning together, and wrong what finds in the caches what another way
  /// left there. Of too few, the last one.
  warm,
  /// All of them: where some ranks wait for nobody, they are soon calls ahead, and what later calls
  /// take is what the others find there already.
  all
};

/// Calls of one kind, with traffic of one sort: a race, and then its winner, until calls take
/// another time for long. Each time that happens it takes twice as long to count, so the choice
/// follows the machine, and does not flip to and fro. What lost in a bad moment would never be seen
/// to be faster since, if the winner takes as long as ever: so there is another race after
/// `kFirstReview` calls, and after twice as many each time. And a winner that *disappoints* is left
/// for the next best: a few calls in turn with others may flatter what takes longer in the long
/// run, and the least of several medians owes something to luck.
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

  /// The first candidate is the one to take as long as nothing is known; the one named `fallback`,
  /// if there is, is taken where no other is clearly faster.
  explicit Learner(std::vector<std::string> candidates, TimedCalls timed = TimedCalls::warm,
                   const std::string& fallback = "");

  /// Ends the race for the candidate of this name, as somebody has found out before, whose calls
  /// took so many seconds then; false where there is none.
  bool settle_on(const std::string& name, double seconds);

  /// The candidate that was assigned last has failed where another one may not: leaves it out.
  /// Where one is left out already both fail, so it is not for the way that the calls fail: takes
  /// all.
  void leave_out_current();

  /// Leaves out the candidate of this name for good; false where there is none, or no other.
  bool leave_out(const std::string& name);

  /// Leaves the next calls to the one that `settle_on` named, without an agreement before them;
  /// then all are tried, since what was found out before is not what the program does between its
  /// calls. The last of them are timed: the first ones after trials take longer, and there may
  /// never be so many.
  void trust(int calls);

  /// Whether the ranks have to agree before the next call.
  [[nodiscard]] bool is_due() const { return calls_left_ == 0 && has_choice(); }

  /// Whether there are several candidates.
  [[nodiscard]] bool has_choice() const { return candidates_.size() > 1; }

  /// The calls that were timed since the last agreement took the slowest rank so many seconds, all
  /// of them together. Returns whether it has settled now, or on another one.
  bool note(double seconds, Allowance& allowance);

  /// Decides on the next calls, before the first of which the ranks have agreed, at that cost.
  void assign(const AgreementCost& measured, const Allowance& allowance);

  /// Counts a call and names the candidate to make it with.
  const std::string& take();

  /// Counts a call that is made like the last one; false where the ranks have to agree before it,
  /// or it may be timed.
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

  /// What has won, or leads so far.
  [[nodiscard]] const std::string& leader() const { return candidates_[leader_index()]; }

  /// Seconds of its calls in the median; 0 where none was timed.
  [[nodiscard]] double seconds() const {
    return settled_ ? expected_ : race_.seconds(race_.leader());
  }

  struct Tried {
    std::string name;
    double seconds;     ///< of a call in the median of its turns
    std::size_t turns;  ///< so many
  };
  /// What the race has shown, the fastest first.
  [[nodiscard]] std::vector<Tried> tried() const;

 private:
  /// So many of the calls that were assigned.
  [[nodiscard]] int timed_calls() const {
    const int warm_ups = timed_ == TimedCalls::all ? 0 : std::min(calls_ - 1, Race::kWarmUps);
    return std::min(calls_, Race::kTurn) - warm_ups;
  }
  [[nodiscard]] int most_calls() const {
    return timed_ == TimedCalls::all ? kMostTimedCalls : kMostCalls;
  }
  /// Seconds that would not have been spent without an agreement at that cost: who waits there for
  /// others would wait for them in the next call, unless there is who waits for nobody.
  [[nodiscard]] double lost_to(const AgreementCost& cost) const {
    return timed_ == TimedCalls::all ? cost.most : cost.least;
  }
  [[nodiscard]] std::optional<std::size_t> index_of(const std::string& name) const;
  [[nodiscard]] std::size_t leader_index() const { return settled_ ? winner_ : race_.leader(); }
  [[nodiscard]] int calls_of_winner(double agreement, const Allowance& allowance);
  [[nodiscard]] int calls_worth(double agreement, int most) const;
  void begin_anew(const std::string& fallback);
  void note_of_race(double each, Allowance& allowance);
  void settle();
  void watch(double seconds);
  void leave_what_disappoints();
  void race_again();

  std::vector<std::string> candidates_;
  TimedCalls timed_;
  std::optional<std::size_t> fallback_;
  std::optional<std::string> left_out_;
  Race race_;
  bool settled_ = false;
  std::size_t winner_ = 0;         ///< where it is settled
  double expected_ = 0;            ///< seconds of its calls; 0: none was timed yet
  std::vector<double> served_;     ///< what they took in its last runs
  std::int64_t served_calls_ = 0;  ///< in all runs since it won
  int winners_left_ = 0;           ///< of the last race, for another one

  // What was assigned last.
  std::size_t current_ = 0;
  bool races_ = false;  ///< whether it is a call of the race
  int calls_ = 0;
  int untimed_ = 0;  ///< of them, before those that are timed
  int calls_left_ = 0;
  AgreementCost measured_;  ///< what the agreement before it took,
  AgreementCost cost_;      ///< and the same, stalls aside

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
