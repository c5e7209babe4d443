#include "learning/race.hpp"

#include <algorithm>
#include <limits>

#include "model/median.hpp"

namespace shunt {

namespace {

constexpr int kRounds = 8;

/// And so many where there are others that are not so many times as slow as the best, or were
/// faster than it ever was: where calls of one way take 15 to 50 us, as the scheduler will, and
/// those of another always 33, the median of few turns says little. Where calls take 20 % more or
/// less each time, and several ways 0 to 15 % longer than the best, what 8 rounds chose took 1.8 %
/// longer than the best in the mean, and 16 rounds 1.1 %.
constexpr int kMostRounds = 16;
constexpr double kBehind = 1.1;

/// So many times the time of the fastest.
constexpr double kHopeless = 4;

/// Turns of several calls from which on the fastest of them says something.
constexpr std::size_t kEnough = 2;

/// The medians of so few turns differ by this much with nothing behind it,
constexpr double kClearly = 0.97;

/// and those of fewer by this much.
constexpr double kByFar = 0.5;

}  // namespace

Race::Race(std::size_t racers, std::size_t favourite, std::optional<std::size_t> fallback)
    : racers_(racers), favourite_(favourite), fallback_(fallback), over_(racers < 2) {}

void Race::note(double seconds) {
  Racer& racer = racers_[next_];
  ++racer.turns;
  if (round_ < kRoundsOfOne) {
    racer.single = racer.turns == 1 ? seconds : std::min(racer.single, seconds);
  } else {
    racer.others.push_back(seconds);
  }
  go_on();
}

std::size_t Race::leader() const {
  if (round_ < kRoundsOfOne) return favourite_;
  const std::size_t best = fastest();
  if (fallback_ && has_enough_turns(*fallback_) && is_as_good(*fallback_, best)) return *fallback_;
  return is_as_good(favourite_, best) ? favourite_ : best;
}

bool Race::has_enough_turns(std::size_t racer) const {
  return racers_[racer].others.size() >= kEnough;
}

bool Race::is_as_good(std::size_t number, std::size_t best) const {
  const Racer& racer = racers_[number];
  if (!racer.is_in || !is_known(number)) return false;
  return has_enough_turns(number) ? seconds(best) >= kClearly * seconds(number)
                                  : seconds(best) >= kByFar * least_of(racer);
}

/// A single call says little where it took long, but as much as others where it did not.
double Race::least_of(const Racer& racer) {
  double least = racer.single;
  for (const double seconds : racer.others) least = std::min(least, seconds);
  return least;
}

double Race::seconds(std::size_t number) const {
  const Racer& racer = racers_[number];
  return racer.others.empty() ? racer.single : median_of(racer.others);
}

void Race::correct(std::size_t number, double seconds) {
  racers_[number].others.assign(kEnough, seconds);
  racers_[number].is_corrected = true;
  const bool alone = std::ranges::count(racers_, true, &Racer::is_corrected) == 1;
  for (std::size_t k = 0; k < racers_.size(); ++k) {
    racers_[k].is_in = alone ? has_enough_turns(k) : racers_[k].is_corrected;
  }
}

std::size_t Race::turns(std::size_t racer) const { return racers_[racer].turns; }

/// Of those that are in and known; the favourite where none is.
std::size_t Race::fastest() const {
  std::size_t best = favourite_;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < racers_.size(); ++k) {
    if (!racers_[k].is_in || !is_known(k) || seconds(k) >= least) continue;
    best = k;
    least = seconds(k);
  }
  return best;
}

bool Race::is_clearly_slower(std::size_t number, double best) const {
  const Racer& racer = racers_[number];
  if (racer.turns < kRoundsOfOne) return false;
  const double least = least_of(racer);
  if (!has_enough_turns(number)) return least > kHopeless * best;
  if (kClearly * least > best) return true;
  if (round_ < kRounds || seconds(number) <= kBehind * best) return false;
  return std::ranges::min(racer.others) >= std::ranges::min(racers_[fastest()].others);
}

void Race::go_on() {
  do {
    ++next_;
    if (next_ == racers_.size()) end_round();
  } while (!over_ && !racers_[next_].is_in);
}

void Race::end_round() {
  next_ = 0;
  ++round_;
  const double best = seconds(fastest());
  for (std::size_t k = 0; k < racers_.size(); ++k) {
    racers_[k].is_in = racers_[k].is_in && !is_clearly_slower(k, best);
  }
  over_ = round_ == kMostRounds || std::ranges::count(racers_, true, &Racer::is_in) == 1;
}

}  // namespace shunt
