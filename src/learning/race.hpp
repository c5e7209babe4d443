// Several ways to make a call take turns, until it is clear which is the fastest.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace shunt {

/// One turn each in a round. The first round says little, since everything has to be made there for
/// the first time; the next two show who is hopeless, since one call may have had bad luck: turns
/// of one call there. Later ones are of several, and nothing else counts then. Those drop out whose
/// fastest turn takes longer than the median of the best; and after some rounds, those whose median
/// is not near the best, unless their fastest turn is faster than its own: the others have as many
/// rounds again, which cost little, since they take about as long. After the last round the least
/// median wins; but the one to fall back on does so too, and else the favourite, where the
/// difference is what chance makes of equals, which is more while the favourite had few turns.
class Race {
 public:
  /// Calls of a turn of those that are not hopeless,
  static constexpr int kTurn = 4;

  /// and how many of them are to pass before the caches are as that way leaves them: the second
  /// call of MPI's own took a third longer still than those after it.
  static constexpr int kWarmUps = 2;

  /// Nobody shall be taken in the place of `fallback` for a gain that may be chance.
  Race(std::size_t racers, std::size_t favourite, std::optional<std::size_t> fallback = {});

  [[nodiscard]] bool is_over() const { return over_; }

  /// Whose turn it is; to be asked while the race is not over.
  [[nodiscard]] std::size_t next() const { return next_; }

  /// How many calls it makes.
  [[nodiscard]] int calls_of_turn() const { return round_ < kRoundsOfOne ? 1 : kTurn; }

  /// A call of the one whose turn it was took so long, in the mean.
  void note(double seconds);

  /// Who wins by what is known so far; in the rounds of single calls the favourite, since they
  /// say little.
  [[nodiscard]] std::size_t leader() const;

  /// Seconds of a call in the median of the racer's turns of several calls; in the faster of the
  /// others where there was none; 0 where there was none at all.
  [[nodiscard]] double seconds(std::size_t racer) const;

  /// After the race, in which it won: its calls have been seen to take so long since, in the
  /// median. From now on that counts, and whatever had enough turns may lead, whether it dropped
  /// out or not; but once there are several of which that is known, one of them: a machine that has
  /// become slower would have each in turn seem slow.
  void correct(std::size_t racer, double seconds);

  /// How many turns it had.
  [[nodiscard]] std::size_t turns(std::size_t racer) const;

 private:
  static constexpr int kRoundsOfOne = 3;

  struct Racer {
    bool is_in = true;
    std::size_t turns = 0;
    double single = 0;           ///< the least of its turns of one call
    std::vector<double> others;  ///< of several
    bool is_corrected = false;
  };

  [[nodiscard]] bool is_known(std::size_t racer) const { return racers_[racer].turns > 0; }
  [[nodiscard]] static double least_of(const Racer& racer);
  [[nodiscard]] bool is_clearly_slower(std::size_t number, double best) const;
  [[nodiscard]] bool has_enough_turns(std::size_t racer) const;
  /// As good as the best.
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
