#include "learning/learner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "model/median.hpp"

namespace shunt {

namespace {

/// Of the time of calls that are settled, what agreements may add to it.
constexpr double kShareOfAgreements = 0.01;

/// So many times as long as expected, or that part of it.
constexpr double kSurprise = 1.5;

constexpr int kMostPatience = 1 << 20;

/// So many times what it took before, and no more, is what a turn or an agreement is taken to have
/// cost: beyond that the machine stalled, as it would have whatever the call was made with. Between
/// hosts, 0.2 s until a lost packet is sent again are as much as thousands of calls may cost.
constexpr double kStall = 4;

/// Runs of the winner that show what its calls take, and calls in them: what lasts for a moment is
/// over then. The last runs alone count.
constexpr std::size_t kFewServed = 6;
constexpr std::size_t kMostServed = 64;
constexpr std::int64_t kFewServedCalls = 64;

/// So many times what the next best took in the race is too long: by less than this the medians of
/// a few runs differ where calls take a fifth more or less each time.
constexpr double kDisappointing = 1.15;

/// Winners of one race that are left.
constexpr int kMostLeft = 3;

/// After so many a surprise is worth no agreement before its time.
constexpr int kMostFalseAlarms = 9;
static_assert(Race::kTurn << kMostFalseAlarms >= Learner::kMostTimedCalls);

/// Of what took so many seconds and is known to take so many; 0: it is not known.
double stalls_aside(double seconds, double known) {
  return known > 0 ? std::min(seconds, kStall * known) : seconds;
}

}  // namespace

Learner::Learner(std::size_t candidates, TimedCalls timed, std::optional<std::size_t> fallback)
    : candidates_(candidates), timed_(timed), fallback_(fallback), race_(candidates, 0, fallback) {
  std::iota(candidates_.begin(), candidates_.end(), std::size_t{0});
  if (race_.is_over()) settle();
}

bool Learner::settle_on(std::size_t candidate, double seconds) {
  const std::optional<std::size_t> racer = racer_of(candidate);
  if (!racer) return false;
  winner_ = *racer;
  expected_ = seconds;
  settled_ = true;
  return true;
}

void Learner::leave_out_current() {
  if (!left_out_) {
    const std::size_t failed = candidates_[current_];
    if (leave_out(failed)) left_out_ = failed;
    return;
  }
  candidates_.push_back(*left_out_);
  left_out_.reset();
  begin_anew();
}

bool Learner::leave_out(std::size_t candidate) {
  const std::optional<std::size_t> racer = racer_of(candidate);
  if (!racer || candidates_.size() < 2) return false;
  candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(*racer));
  begin_anew();
  return true;
}

/// With other candidates.
void Learner::begin_anew() {
  race_ = Race(candidates_.size(), 0, racer_of(fallback_));
  settled_ = false;
  current_ = winner_ = 0;
  calls_left_ = 0;
  if (race_.is_over()) settle();
}

void Learner::trust(int calls) {
  current_ = winner_;
  calls_ = calls;
  untimed_ = calls_ - timed_calls();
  calls_left_ = calls;
  until_review_ = calls;
  review_ = kFirstReview / 2;
}

bool Learner::note(double seconds, TuningBudget& budget) {
  const bool was_settled = settled_;
  const std::size_t before = winner_;
  const double each = seconds / timed_calls();
  if (settled_) {
    budget.spend(each, calls_, lost_to(cost_));
    until_review_ -= calls_;
    watch(each);
  } else {
    note_of_race(each, budget);
  }
  return settled_ && (!was_settled || winner_ != before);
}

void Learner::note_of_race(double each, TuningBudget& budget) {
  const double least = race_.seconds(race_.leader());
  const double took = stalls_aside(each, race_.seconds(current_));
  const double lost = races_ && least > 0 ? calls_ * std::max(0.0, took - least) : 0;
  budget.spend(each, calls_, lost_to(cost_) + lost);
  if (!races_) return;
  race_.note(each);
  if (race_.is_over()) settle();
}

void Learner::assign(const AgreementCost& measured, const TuningBudget& budget) {
  cost_ = {.least = stalls_aside(measured.least, measured_.least),
           .most = stalls_aside(measured.most, measured_.most)};
  measured_ = measured;
  races_ = !settled_ && budget.suffices();
  current_ = races_ ? race_.next() : leading_racer();
  if (races_) {
    calls_ = race_.calls_of_turn();
  } else {
    // The agreements before and after the next turn are to be earned too, or all that is earned
    // would be spent on them.
    calls_ = settled_ ? calls_of_winner(cost_.most, budget)
                      : budget.calls_to_earn(2 * lost_to(cost_), most_calls());
  }
  untimed_ = std::min(calls_, Race::kTurn) - timed_calls();
  calls_left_ = calls_;
}

[[gnu::hot]] std::size_t Learner::take() {
  calls_left_ = std::max(0, calls_left_ - 1);
  return candidates_[current_];
}

std::vector<Learner::Taken> Learner::tried() const {
  std::vector<Taken> tried;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    if (race_.turns(k) == 0) continue;
    tried.push_back({candidates_[k], race_.seconds(k), race_.turns(k)});
  }
  std::ranges::stable_sort(tried, {}, &Taken::seconds);
  return tried;
}

std::optional<std::size_t> Learner::racer_of(std::optional<std::size_t> candidate) const {
  if (!candidate) return std::nullopt;
  const auto found = std::ranges::find(candidates_, *candidate);
  if (found == candidates_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - candidates_.begin());
}

/// Runs double, so that what changes soon is seen soon. Whether a surprise was a chance is worth
/// the agreements that are earned, but less each time that it was one: calls in which a source
/// waits for nobody take another time each time, and every agreement has them wait.
int Learner::calls_of_winner(double agreement, const TuningBudget& budget) {
  if (surprises_ > 0 && budget.suffices()) {
    if (surprises_ == 1) return calls_worth(agreement, Race::kTurn << false_alarms_);
    run_ = kShortRun << false_alarms_;
  }
  run_ = calls_worth(agreement, 2 * run_);
  return run_;
}

/// So many that the agreement before them takes a small part of them; at most as many as these.
int Learner::calls_worth(double agreement, int most) const {
  const double calls = expected_ > 0 ? std::ceil(agreement / (kShareOfAgreements * expected_)) : 0;
  return static_cast<int>(std::clamp(calls, 1.0, std::min<double>(most, most_calls())));
}

void Learner::settle() {
  settled_ = true;
  winner_ = race_.leader();
  expected_ = race_.seconds(winner_);
  served_.clear();
  served_calls_ = 0;
  surprises_ = 0;
}

void Learner::watch(double seconds) {
  if (current_ != winner_ || candidates_.size() < 2) return;
  if (expected_ == 0) expected_ = seconds;
  const bool as_expected = seconds <= kSurprise * expected_ && seconds * kSurprise >= expected_;
  if (as_expected && surprises_ > 0) false_alarms_ = std::min(false_alarms_ + 1, kMostFalseAlarms);
  surprises_ = as_expected ? 0 : surprises_ + 1;
  if (surprises_ >= patience_) {
    patience_ = std::min(2 * patience_, kMostPatience);
    race_again();
  } else if (until_review_ <= 0) {
    review_ *= 2;
    race_again();
  } else {
    if (served_.size() == kMostServed) served_.erase(served_.begin());
    served_.push_back(seconds);
    served_calls_ += calls_;
    leave_what_disappoints();
  }
}

void Learner::leave_what_disappoints() {
  if (!race_.is_over() || winners_left_ == kMostLeft) return;
  if (served_.size() < kFewServed || served_calls_ < kFewServedCalls) return;
  const double takes = median_of(served_);
  Race corrected = race_;
  corrected.correct(winner_, takes);
  if (takes <= kDisappointing * corrected.seconds(corrected.leader())) return;
  race_ = std::move(corrected);
  ++winners_left_;
  settle();
}

void Learner::race_again() {
  until_review_ = review_;
  winners_left_ = 0;
  race_ = Race(candidates_.size(), winner_, racer_of(fallback_));
  settled_ = false;
}

}  // namespace shunt
