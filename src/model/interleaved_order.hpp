// The order in which contestants that are compared take turns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace shunt {

/// An order of contestants for each round, random and equal on all ranks: what ran before leaves
/// caches and ranks in a state that would otherwise always favour the same successor.
class InterleavedOrder {
 public:
  explicit InterleavedOrder(std::size_t count) : order_(count) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }
  /// Orders these contestants.
  explicit InterleavedOrder(std::vector<std::size_t> contestants)
      : order_(std::move(contestants)) {}

  [[nodiscard]] const std::vector<std::size_t>& next() {
    std::ranges::shuffle(order_, random_);
    return order_;
  }

 private:
  std::vector<std::size_t> order_;
  std::mt19937 random_{1};
};

}  // namespace shunt
