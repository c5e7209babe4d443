#include "tools/simulate/predictions.hpp"

#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "lab/simulation/native_times.hpp"
#include "model/counted.hpp"

namespace shunt {

Predictor::Predictor(const Profile& profile, const Machine& machine, const Traffic& traffic,
                     Bytes element)
    : profile_(profile),
      machine_(machine),
      traffic_(traffic),
      element_(element),
      summary_(summary_of(traffic, element)) {}

Prediction Predictor::native() const {
  const double seconds = expected_native_seconds(profile_, machine_, summary_);
  return {seconds, seconds};
}

Prediction Predictor::of(const std::string& algorithm, Bytes grain, CallForm form) const {
  const auto made = make_algorithm(algorithm, machine_, grain);
  return {expected_seconds(profile_, *made, machine_, traffic_, element_, form),
          expected_seconds(profile_, *made, machine_, summary_, form)};
}

std::string words_of_origin(const Profile& profile) {
  if (profile.date.empty()) return "typical constants";
  const Site& site = profile.site;
  return fmt::format("{}: {} on {}", profile.date, counted(site.ranks, "rank"),
                     counted(site.nodes, "node"));
}

}  // namespace shunt
