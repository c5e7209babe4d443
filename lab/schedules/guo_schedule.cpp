#include "lab/schedules/guo_schedule.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

GuoSchedule::GuoSchedule(Rank senders, Rank receivers, std::int64_t beta)
    : senders_(senders),
      receivers_(receivers),
      beta_(static_cast<Rank>(beta % receivers)),
      groups_apart_(
          static_cast<Rank>(std::gcd(std::int64_t{beta_} * senders, std::int64_t{receivers}))),
      width_(static_cast<Rank>(std::min<std::int64_t>(beta, groups_apart_))),
      alike_(receivers / std::gcd(beta_, receivers)),
      steps_(receivers / groups_apart_ * width_) {
  if (senders > receivers) {
    throw Error(ErrorKind::argument,
                fmt::format("Algorithm 1 sends from no more places than to; there are {} senders "
                            "and {} receivers",
                            senders, receivers));
  }
}

Rank GuoSchedule::receiver(Rank sender, Rank step) const {
  const auto nth = static_cast<Rank>((std::int64_t{sender / alike_} + step - 1) % steps_);
  return static_cast<Rank>(
      (std::int64_t{beta_} * sender + nth % width_ + std::int64_t{groups_apart_} * (nth / width_)) %
      receivers_);
}

}  // namespace shunt
