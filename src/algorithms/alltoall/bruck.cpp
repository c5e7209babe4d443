#include <algorithm>

#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/bruck_stage.hpp"
#include "algorithms/alltoall/whole_streams.hpp"

namespace shunt {

namespace {

class Bruck : public WholeStreams {
 public:
  explicit Bruck(const RadixDigits& digits) : digits_(digits) {}

  [[nodiscard]] std::string name() const override {
    return fmt::format("bruck:{}", digits_.radix());
  }
  [[nodiscard]] Rank ranks() const override { return digits_.size(); }
  /// A lone rank has a message to itself.
  [[nodiscard]] int stages() const override { return std::max(digits_.stages(), 1); }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return fmt::format("digit {}", stage + 1);
  }
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    return bruck_steps(digits_, stage, rank);
  }
  [[nodiscard]] int step_count(int stage) const override {
    return digits_.largest_digit(stage) + 1;
  }
  [[nodiscard]] std::optional<Symmetry> symmetry() const override {
    return Symmetry{Extents({ranks()})};
  }
  [[nodiscard]] StageBound bound(int stage, Rank /*rank*/,
                                 const TrafficBound& traffic) const override {
    return bruck_bound(digits_, stage, traffic, {1, 1, ranks()});
  }

 private:
  [[nodiscard]] Rank next(int stage, Rank at, Rank destination) const override {
    return digits_.next(stage, at, destination);
  }

  RadixDigits digits_;
};

}  // namespace

std::unique_ptr<Algorithm> make_bruck(Rank ranks, Rank radix) {
  return std::make_unique<Bruck>(RadixDigits(ranks, radix));
}

}  // namespace shunt
