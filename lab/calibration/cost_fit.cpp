#include "lab/calibration/cost_fit.hpp"

#include <cstddef>
#include <numeric>

#include "algorithms/registry.hpp"
#include "lab/simulation/followed_work.hpp"
#include "lab/statistics/least_squares.hpp"
#include "shunt/options.hpp"

namespace shunt {

void CostFit::add(const Traffic& traffic, const std::string& algorithm, CallForm form,
                  double seconds) {
  const auto made = make_algorithm(algorithm, *machine_, Options{}.grain);
  amounts_.push_back(amounts_of(work_of(*made, *machine_, site_.rank_processors, traffic, 1, form),
                                site_.crowd()));
  exchanges_.push_back({traffic.name(), algorithm, form, seconds, 0});
}

void CostFit::fit(Profile& profile) {
  for (const CallForm form : {CallForm::plan, CallForm::one_shot}) {
    std::vector<Observation> observations;
    for (std::size_t k = 0; k < amounts_.size(); ++k) {
      if (exchanges_[k].form != form || exchanges_[k].measured <= 0) continue;
      observations.push_back({amounts_[k], exchanges_[k].measured});
    }
    const std::vector<double> costs = fit_relative(observations);
    ExchangeCosts& fitted = form == CallForm::plan ? profile.plan : profile.one_shot;
    for (std::size_t c = 0; c < costs.size(); ++c) fitted.*kCostKeys[c].cost = costs[c];
    for (std::size_t k = 0; k < amounts_.size(); ++k) {
      if (exchanges_[k].form != form) continue;
      exchanges_[k].expected =
          std::inner_product(costs.begin(), costs.end(), amounts_[k].begin(), 0.0);
    }
  }
}

}  // namespace shunt
