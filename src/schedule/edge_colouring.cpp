#include "schedule/edge_colouring.hpp"

#include <algorithm>

namespace shunt {

namespace {

constexpr std::ptrdiff_t kNone = -1;

/// Vertices are numbered through: rows, and then columns.
class Colouring {
 public:
  Colouring(Rank rows, Rank columns, std::span<const Edge> edges)
      : rows_(rows), edges_(edges), colours_(edges.size(), -1) {
    std::vector<std::ptrdiff_t> degrees(static_cast<std::size_t>(rows) +
                                        static_cast<std::size_t>(columns));
    for (const Edge& edge : edges) {
      ++degrees[row_of(edge)];
      ++degrees[column_of(edge)];
    }
    const auto most = degrees.empty() ? 0 : *std::ranges::max_element(degrees);
    colour_count_ = static_cast<std::size_t>(most);
    at_.assign(degrees.size() * colour_count_, kNone);
  }

  std::vector<int> colour_all() {
    for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
      const std::size_t row = row_of(edges_[edge]);
      const std::size_t column = column_of(edges_[edge]);
      const std::size_t free_at_row = free_colour(row);
      const std::size_t free_at_column = free_colour(column);
      if (free_at_row != free_at_column) swap_along(column, free_at_row, free_at_column);
      give(edge, free_at_row);
    }
    return std::move(colours_);
  }

 private:
  [[nodiscard]] std::size_t row_of(const Edge& edge) const {
    return static_cast<std::size_t>(edge.row);
  }
  [[nodiscard]] std::size_t column_of(const Edge& edge) const {
    return static_cast<std::size_t>(rows_) + static_cast<std::size_t>(edge.column);
  }
  [[nodiscard]] std::ptrdiff_t& at(std::size_t vertex, std::size_t colour) {
    return at_[vertex * colour_count_ + colour];
  }

  [[nodiscard]] std::size_t free_colour(std::size_t vertex) {
    std::size_t colour = 0;
    while (at(vertex, colour) != kNone) ++colour;
    return colour;
  }

  void give(std::size_t edge, std::size_t colour) {
    colours_[edge] = static_cast<int>(colour);
    at(row_of(edges_[edge]), colour) = static_cast<std::ptrdiff_t>(edge);
    at(column_of(edges_[edge]), colour) = static_cast<std::ptrdiff_t>(edge);
  }

  /// Frees `wanted` at `vertex`, which has no edge of the colour `other`: on the path of these two
  /// colours that begins there they change places. It does not come to a row without an edge of
  /// `wanted`, since it would have to arrive there by one.
  void swap_along(std::size_t vertex, std::size_t wanted, std::size_t other) {
    path_.clear();
    std::size_t colour = wanted;
    for (std::ptrdiff_t edge = at(vertex, colour); edge != kNone; edge = at(vertex, colour)) {
      path_.push_back(static_cast<std::size_t>(edge));
      const Edge& ends = edges_[path_.back()];
      vertex = vertex == row_of(ends) ? column_of(ends) : row_of(ends);
      colour = colour == wanted ? other : wanted;
    }
    for (const std::size_t edge : path_) {
      const auto old = static_cast<std::size_t>(colours_[edge]);
      at(row_of(edges_[edge]), old) = kNone;
      at(column_of(edges_[edge]), old) = kNone;
    }
    for (const std::size_t edge : path_) {
      give(edge, static_cast<std::size_t>(colours_[edge]) == wanted ? other : wanted);
    }
  }

  Rank rows_;
  std::span<const Edge> edges_;
  std::size_t colour_count_ = 0;
  std::vector<std::ptrdiff_t> at_;  ///< by vertex and colour: the edge, or kNone
  std::vector<int> colours_;        ///< by edge
  std::vector<std::size_t> path_;
};

}  // namespace

std::vector<int> colour_edges(Rank rows, Rank columns, std::span<const Edge> edges) {
  return Colouring(rows, columns, edges).colour_all();
}

}  // namespace shunt
