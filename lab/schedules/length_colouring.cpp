#include "lab/schedules/length_colouring.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "schedule/assignment.hpp"

namespace shunt {

namespace {

std::vector<int> colour_sorted(Rank rows, Rank columns, std::span<const Edge> edges,
                               std::span<const Index> lengths) {
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t edge) { return lengths[edge]; });
  std::vector<Edge> sorted;
  for (const std::size_t edge : order) sorted.push_back(edges[edge]);
  const std::vector<int> found = colour_edges(rows, columns, sorted);
  std::vector<int> colours(edges.size());
  for (std::size_t k = 0; k < order.size(); ++k) colours[order[k]] = found[k];
  return colours;
}

/// Takes one matching after the other off the graph.
class Matchings {
 public:
  Matchings(Rank rows, Rank columns, std::span<const Edge> edges, std::span<const Index> lengths)
      : edges_(edges),
        lengths_(lengths),
        left_at_row_(static_cast<std::size_t>(rows), 0),
        left_at_column_(static_cast<std::size_t>(columns), 0),
        colours_(edges.size(), -1) {
    for (const Edge& edge : edges) {
      ++at_row(edge);
      ++at_column(edge);
    }
    all_lengths_ = std::accumulate(lengths.begin(), lengths.end(), Index{0});
  }

  std::vector<int> take_all() {
    const int most = std::max(most_of(left_at_row_), most_of(left_at_column_));
    for (int colour = 0; colour < most; ++colour) take(colour, most - colour);
    return std::move(colours_);
  }

 private:
  static int most_of(const std::vector<int>& left) {
    return left.empty() ? 0 : *std::ranges::max_element(left);
  }
  [[nodiscard]] int& at_row(const Edge& edge) {
    return left_at_row_[static_cast<std::size_t>(edge.row)];
  }
  [[nodiscard]] int& at_column(const Edge& edge) {
    return left_at_column_[static_cast<std::size_t>(edge.column)];
  }

  /// A vertex of as many edges as there are colours left is worth more than all lengths together.
  void take(int colour, int colours_left) {
    const std::size_t size = std::max(left_at_row_.size(), left_at_column_.size());
    Weights weights(size);
    for (std::size_t k = 0; k < edges_.size(); ++k) {
      if (colours_[k] >= 0) continue;
      const int critical = (at_row(edges_[k]) == colours_left ? 1 : 0) +
                           (at_column(edges_[k]) == colours_left ? 1 : 0);
      weights.at(edges_[k]) = Weight{lengths_[k]} + Weight{critical} * (Weight{all_lengths_} + 1);
    }
    const std::vector<std::size_t> column_of = heaviest_assignment(weights);
    for (std::size_t k = 0; k < edges_.size(); ++k) {
      const auto row = static_cast<std::size_t>(edges_[k].row);
      if (colours_[k] >= 0 || column_of[row] != static_cast<std::size_t>(edges_[k].column))
        continue;
      colours_[k] = colour;
      --at_row(edges_[k]);
      --at_column(edges_[k]);
    }
  }

  std::span<const Edge> edges_;
  std::span<const Index> lengths_;
  std::vector<int> left_at_row_;  ///< edges without a colour
  std::vector<int> left_at_column_;
  Index all_lengths_;
  std::vector<int> colours_;
};

}  // namespace

std::vector<int> colour_edges_by_length(Rank rows, Rank columns, std::span<const Edge> edges,
                                        std::span<const Index> lengths, LengthRule rule) {
  if (rule == LengthRule::sorted) return colour_sorted(rows, columns, edges, lengths);
  return Matchings(rows, columns, edges, lengths).take_all();
}

}  // namespace shunt
