#include "learning/race.hpp"

#include <algorithm>
#include <limits>

#include "model/quantile.hpp"

namespace shunt {

namespace {

constexpr int kRounds = 8;

/// So many times the time of the fastest.
constexpr double kHopeless = 4;

/// Turns of several calls from which on the fastest of them says something.
constexpr std::size_t kEnough = 2;

/// The medians of so few turns differ by this much with nothing behind it,
constexpr double kClearly = 0.97;

/// and those of fewer by this much.
constexpr double kByFar = 0.5;

}  // namespace

Race::Race(std::size_t racers, std::size_t favourite)
    : racers_(racers), favourite_(favourite), over_(racers < 2) {}

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
  const Racer& favourite = racers_[favourite_];
  if (!favourite.is_in || !is_known(favourite_)) return best;
  const bool enough = favourite.others.size() >= kEnough;
  const bool as_good = enough ? seconds(best) >= kClearly * seconds(favourite_)
                              : seconds(best) >= kByFar * least_of(favourite);
  return as_good ? favourite_ : best;
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

bool Race::is_clearly_slower(const Racer& racer, double best) const {
  if (racer.turns < kRoundsOfOne) return false;
  const double least = least_of(racer);
  return racer.others.size() < kEnough ? least > kHopeless * best : kClearly * least > best;
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
  for (Racer& racer : racers_) racer.is_in = racer.is_in && !is_clearly_slower(racer, best);
  over_ = round_ == kRounds || std::ranges::count(racers_, true, &Racer::is_in) == 1;
}

}  // namespace shunt
