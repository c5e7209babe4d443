// A graph whose vertices are dealt to the ranks in blocks.
#pragma once

#include <cstdint>
#include <string>

#include <mpi.h>

#include "lab/traffic/graph.hpp"
#include "shunt/types.hpp"
#include "world.hpp"

namespace shunt::example {

/// Rank r owns the vertices from first(r) up to first(r + 1); no two ranks' numbers of vertices
/// differ by more than one.
class BlockDistribution {
 public:
  BlockDistribution(std::int32_t vertices, Rank ranks) : vertices_(vertices), ranks_(ranks) {}

  [[nodiscard]] std::int32_t first(Rank rank) const {
    return static_cast<std::int32_t>(std::int64_t{rank} * vertices_ / ranks_);
  }

  [[nodiscard]] Rank owner(std::int32_t vertex) const {
    return static_cast<Rank>(((std::int64_t{vertex} + 1) * ranks_ - 1) / vertices_);
  }

  [[nodiscard]] std::int32_t vertices() const { return vertices_; }
  [[nodiscard]] Rank ranks() const { return ranks_; }

 private:
  std::int32_t vertices_;
  Rank ranks_;
};

/// The whole graph on every rank, read by rank 0: an example keeps it all to check its results.
inline Graph read_graph_on_all_ranks(const std::string& path) {
  Graph graph;
  if (world_rank() == 0) graph = read_graph(path);
  int sizes[] = {static_cast<int>(graph.offsets.size()), static_cast<int>(graph.targets.size())};
  MPI_Bcast(sizes, 2, MPI_INT, 0, MPI_COMM_WORLD);
  graph.offsets.resize(static_cast<std::size_t>(sizes[0]));
  graph.targets.resize(static_cast<std::size_t>(sizes[1]));
  MPI_Bcast(graph.offsets.data(), sizes[0], MPI_INT64_T, 0, MPI_COMM_WORLD);
  MPI_Bcast(graph.targets.data(), sizes[1], MPI_INT32_T, 0, MPI_COMM_WORLD);
  return graph;
}

}  // namespace shunt::example
