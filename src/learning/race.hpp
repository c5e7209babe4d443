// Several ways to make a call take turns, until it is clear which is the fastest.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace shunt {

/// A race of several candidates, each of which has one turn in a round. In the first three rounds a
/// turn is one call. The first round says little, since everything is made there for the first
/// time; the next two show which candidates are hopeless, two rounds since one call may have had
/// bad luck. Turns of later rounds are of several calls, and only these count then. Candidates drop
/// out whose fastest turn takes longer than the median of the best; and after some rounds, those
/// whose median is not near the best, unless their fastest turn is faster than any of the best. The
/// others have as many rounds again, which cost little, since they take about as long. After the
/// last round the least median wins. But the fallback wins, or else the favourite, where the
/// difference may be chance, which allows for more while the favourite had few turns.
class Race {
 public:
  /// Calls of a turn from the fourth round on.
  static constexpr int kTurn = 4;

  /// Calls of such a turn before those that are timed, after which the caches are as the candidate
  /// leaves them: the second call of MPI's own still took a third longer than those after it.
  static constexpr int kWarmUps = 2;

  /// `fallback` wins unless another racer is faster by more than may be chance.
  Race(std::size_t racers, std::size_t favourite, std::optional<std::size_t> fallback = {});

  [[nodiscard]] bool is_over() const { return over_; }

  /// Returns the racer whose turn it is. Called while the race is not over.
  [[nodiscard]] std::size_t next() const { return next_; }

  /// Returns how many calls the racer makes in its turn.
  [[nodiscard]] int calls_of_turn() const { return round_ < kRoundsOfOne ? 1 : kTurn; }

  /// Notes that a call of the racer whose turn it was took `seconds`, in the mean, and ends the
  /// turn.
  void note(double seconds);

  /// Returns the racer that wins by what is known so far; in the rounds of single calls the
  /// favourite, since they say little.
  [[nodiscard]] std::size_t leader() const;

  /// Returns the seconds of a call in the median of the racer's turns of several calls; where there
  /// was none, in its fastest turn of one call; 0 where there was no turn.
  [[nodiscard]] double seconds(std::size_t racer) const;

  /// Notes, after the race, that calls of `racer`, which won, have taken `seconds` in the median
  /// since. That counts from now on, and any racer that had enough turns may lead, whether it
  /// dropped out or not. Once several racers were corrected, one of these leads: on a machine that
  /// has become slower each in turn would seem slow.
  void correct(std::size_t racer, double seconds);

  /// Returns how many turns the racer had.
  [[nodiscard]] std::size_t turns(std::size_t racer) const;

 private:
  static constexpr int kRoundsOfOne = 3;

  struct Racer {
    bool is_in = true;
    std::size_t turns = 0;
    double single = 0;           ///< seconds of its fastest turn of one call
    std::vector<double> others;  ///< seconds of its turns of several calls
    bool is_corrected = false;
  };

  [[nodiscard]] bool is_known(std::size_t racer) const { return racers_[racer].turns > 0; }
  [[nodiscard]] static double least_of(const Racer& racer);
  [[nodiscard]] bool is_clearly_slower(std::size_t number, double best) const;
  [[nodiscard]] bool has_enough_turns(std::size_t racer) const;
  /// Whether `racer` is as good as `best`, but for chance.
  [[nodiscard]] bool is_as_good(std::size_t racer, std::size_t best) const;
  [[nodiscard]] std::size_t fastest() const;
  void go_on();
  void end_round();

  std::vector<Racer> racers_;
  std::size_t favourite_;
  std::optional<std::size_t> fallback_;
  std::size_t next_ = 0;
  int round_ = 0;
  bool over_;
};

}  // namespace shunt
