#include "schedule/edge_colouring.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace shunt {
namespace {

/// Random graphs with parallel edges, sparse and full.
TEST(EdgeColouring, TakesAsManyColoursAsTheBusiestVertexHasEdges) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const auto rows = static_cast<Rank>(1 + random() % 9);
    const auto columns = static_cast<Rank>(1 + random() % 9);
    std::vector<Edge> edges(random() % 60);
    std::vector<int> of_row(static_cast<std::size_t>(rows), 0);
    std::vector<int> of_column(static_cast<std::size_t>(columns), 0);
    for (Edge& edge : edges) {
      edge = {static_cast<Rank>(random() % static_cast<unsigned>(rows)),
              static_cast<Rank>(random() % static_cast<unsigned>(columns))};
      ++of_row[static_cast<std::size_t>(edge.row)];
      ++of_column[static_cast<std::size_t>(edge.column)];
    }
    const int most = std::max(std::ranges::max(of_row), std::ranges::max(of_column));
    const std::vector<int> colours = colour_edges(rows, columns, edges);
    ASSERT_EQ(colours.size(), edges.size());
    std::set<std::pair<Rank, int>> at_rows;
    std::set<std::pair<Rank, int>> at_columns;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      ASSERT_TRUE(colours[k] >= 0 && colours[k] < most);
      ASSERT_TRUE(at_rows.emplace(edges[k].row, colours[k]).second);
      ASSERT_TRUE(at_columns.emplace(edges[k].column, colours[k]).second);
    }
  }
}

TEST(EdgeColouring, OfNothingIsNothing) { EXPECT_TRUE(colour_edges(3, 2, {}).empty()); }

}  // namespace
}  // namespace shunt
