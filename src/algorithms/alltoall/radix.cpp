#include <algorithm>

#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/radix_stage.hpp"
#include "algorithms/alltoall/whole_streams.hpp"

namespace shunt {

namespace {

class Radix : public WholeStreams {
 public:
  explicit Radix(const RadixDigits& digits) : digits_(digits) {}

  [[nodiscard]] std::string name() const override {
    return fmt::format("radix:{}", digits_.radix());
  }
  [[nodiscard]] Rank ranks() const override { return digits_.size(); }
  /// A lone rank has a message to itself.
  [[nodiscard]] int stages() const override { return std::max(digits_.stages(), 1); }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return fmt::format("digit {}", stage + 1);
  }
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    return radix_steps(digits_, stage, rank);
  }
  [[nodiscard]] int step_count(int stage) const override {
    return digits_.largest_digit(stage) + 1;
  }
  [[nodiscard]] std::optional<Symmetry> symmetry() const override {
    return Symmetry{Extents({ranks()})};
  }
  [[nodiscard]] StageBound bound(int stage, Rank /*rank*/,
                                 const TrafficBound& traffic) const override {
    return radix_bound(digits_, stage, traffic, {1, 1, ranks()});
  }

 private:
  [[nodiscard]] Rank next(int stage, Rank at, Rank destination) const override {
    return digits_.next(stage, at, destination);
  }

  RadixDigits digits_;
};

}  // namespace

std::unique_ptr<Algorithm> make_radix(Rank ranks, Rank radix) {
  return std::make_unique<Radix>(RadixDigits(ranks, radix));
}

}  // namespace shunt
