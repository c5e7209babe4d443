// The assignment problem: one column for each row, of the greatest weight in all.
#pragma once

#include <cstddef>
#include <vector>

#include "schedule/edge_colouring.hpp"

namespace shunt {

__extension__ using Weight = __int128;

/// A square, of zeros at first.
class Weights {
 public:
  explicit Weights(std::size_t size) : size_(size), weights_(size * size, 0) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Weight& at(const Edge& edge) {
    return weights_[static_cast<std::size_t>(edge.row) * size_ +
                    static_cast<std::size_t>(edge.column)];
  }
  [[nodiscard]] Weight at(std::size_t row, std::size_t column) const {
    return weights_[row * size_ + column];
  }

 private:
  std::size_t size_;
  std::vector<Weight> weights_;
};

/// The column of each row, by the Hungarian method (Kuhn 1955, Munkres 1957) in O(size^3).
[[nodiscard]] std::vector<std::size_t> heaviest_assignment(const Weights& weights);

}  // namespace shunt
