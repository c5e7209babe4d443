#include "algorithms/allgather/exchange_phase.hpp"

namespace shunt {

ExchangePhase::ExchangePhase(std::vector<Rank> first, std::vector<Rank> second)
    : first_(std::move(first)),
      second_(std::move(second)),
      place_(first_.size() + second_.size()),
      is_in_first_(place_.size(), false) {
  for (std::size_t place = 0; place < first_.size(); ++place) {
    place_[static_cast<std::size_t>(first_[place])] = static_cast<Rank>(place);
    is_in_first_[static_cast<std::size_t>(first_[place])] = true;
  }
  for (std::size_t place = 0; place < second_.size(); ++place) {
    place_[static_cast<std::size_t>(second_[place])] = static_cast<Rank>(place);
  }
}

std::vector<Step> ExchangePhase::steps(int /*stage*/, Rank rank) const {
  const auto place = static_cast<std::size_t>(place_[static_cast<std::size_t>(rank)]);
  const std::size_t pairs = second_.size();
  if (is_in_first_[static_cast<std::size_t>(rank)]) {
    const Rank partner = second_[place % pairs];
    const auto turn = static_cast<int>(place / pairs);
    return {{turn + 1, turn == 0 ? partner : kNoRank, partner}};
  }
  std::vector<Step> steps;
  for (std::size_t of_first = place; of_first < first_.size(); of_first += pairs) {
    const auto turn = static_cast<int>(of_first / pairs);
    steps.push_back({turn + 1, first_[of_first], turn == 0 ? first_[of_first] : kNoRank});
  }
  return steps;
}

int ExchangePhase::step_count(int /*stage*/) const {
  return static_cast<int>((first_.size() - 1) / second_.size()) + 1;
}

void ExchangePhase::origins(int stage, Rank rank, std::vector<Rank>& origins) const {
  origins.push_back(rank);
  if (stage == 0) return;
  for (const Step& step : steps(0, rank)) {
    if (step.from != kNoRank) origins.push_back(step.from);
  }
}

}  // namespace shunt
