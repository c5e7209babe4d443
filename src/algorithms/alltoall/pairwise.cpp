#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/whole_streams.hpp"
#include "schedule/factor.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

class Pairwise : public OneStage {
 public:
  explicit Pairwise(Rank ranks) : factors_(Factors::with_loops_last(ranks)) {}

  [[nodiscard]] std::string name() const override { return "pairwise"; }
  [[nodiscard]] Rank ranks() const override { return factors_.size(); }
  [[nodiscard]] int step_count(int /*stage*/) const override { return ranks(); }

  [[nodiscard]] std::vector<Step> steps(int /*stage*/, Rank rank) const override {
    std::vector<Step> steps;
    steps.reserve(static_cast<std::size_t>(ranks()));
    for (Rank factor = 0; factor < ranks(); ++factor) {
      const Rank partner = factors_.partner(factor, rank);
      steps.push_back({factor + 1, partner, partner});
    }
    return steps;
  }

 private:
  Factors factors_;
};

}  // namespace

std::unique_ptr<Algorithm> make_pairwise(Rank ranks) {
  if (ranks < 1) {
    throw Error(ErrorKind::argument, fmt::format("the number of ranks is {}, not positive", ranks));
  }
  return std::make_unique<Pairwise>(ranks);
}

}  // namespace shunt
