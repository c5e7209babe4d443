#include "lab/traffic/graph.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/temporary_file.hpp"

namespace shunt {
namespace {

using test::expect_error;
using test::TemporaryFile;

void refuse_graph(const std::string& content, const std::string& words) {
  const TemporaryFile file(".graph", content);
  expect_error(ErrorKind::file, words, [&] { (void)read_graph(file.path()); });
}

TEST(Graph, TargetsAreCodedByTheirGaps) {
  const TemporaryFile file(".graph", "shunt-graph 1 4 5\n0 0 1\n\n3\n2\n");
  const Graph graph = read_graph(file.path());
  EXPECT_EQ(graph.vertices(), 4);
  EXPECT_EQ(graph.offsets, (std::vector<std::int64_t>{0, 3, 3, 4, 5}));
  EXPECT_EQ(graph.targets, (std::vector<std::int32_t>{0, 1, 3, 3, 2}));
  const auto targets = graph.targets_of(2);
  EXPECT_EQ(std::vector(targets.begin(), targets.end()), std::vector<std::int32_t>{3});
}

TEST(Graph, AGraphMayBeEmpty) {
  const TemporaryFile file(".graph", "shunt-graph 1 0 0\n");
  EXPECT_EQ(read_graph(file.path()).vertices(), 0);
}

TEST(Graph, BadFiles) {
  refuse_graph("", "empty");
  for (const char* line : {"shunt-graph 2 1 0", "graph 1 1 0", "shunt-graph 1 1",
                           "shunt-graph 1 -1 0", "shunt-graph 1 1 -1", "shunt-graph 1 2147483647 0",
                           "shunt-graph 1 1 0 0", "shunt-graph 1 99999999999999999999 0"}) {
    refuse_graph(std::string(line) + "\n\n", "first line must be");
  }
  refuse_graph("shunt-graph 1 2 0\n\n", "ends after 1 of 2 vertices");
  refuse_graph("shunt-graph 1 2147483646 0\n\n", "ends after 1 of 2147483646");
  refuse_graph("shunt-graph 1 1 0\n\n\n", "goes on");
  refuse_graph("shunt-graph 1 1 1\n\n", "has 0 edges, but its first line says 1");
  refuse_graph("shunt-graph 1 2 1\n2\n\n", ":2: the gap \"2\" must be a whole number from 0 to 1");
  refuse_graph("shunt-graph 1 2 2\n1 0\n\n", "gap \"0\"");
  refuse_graph("shunt-graph 1 2 1\n-1\n\n", "gap \"-1\"");
  refuse_graph("shunt-graph 1 2 1\nx\n\n", "gap \"x\"");
}

TEST(Graph, TheDependenciesOfDebian) {
  const Graph graph = read_graph("data/debian-bookworm-dependencies.graph");
  EXPECT_EQ(graph.vertices(), 63436);
  EXPECT_EQ(graph.targets.size(), 292157u);
  std::vector<int> needed_by(63436);
  for (std::int32_t vertex = 0; vertex < graph.vertices(); ++vertex) {
    for (const std::int32_t target : graph.targets_of(vertex)) {
      EXPECT_NE(target, vertex);
      ++needed_by[static_cast<std::size_t>(target)];
    }
  }
  // The C library.
  EXPECT_EQ(*std::max_element(needed_by.begin(), needed_by.end()), 21809);
}

}  // namespace
}  // namespace shunt
