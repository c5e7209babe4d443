// A directed graph from a file. docs/formats.md describes the format.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace shunt {

/// Compressed sparse rows: the targets of vertex v, ascending, are targets[offsets[v]] up to
/// targets[offsets[v + 1]].
struct Graph {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> targets;

  [[nodiscard]] std::int32_t vertices() const {
    return static_cast<std::int32_t>(offsets.size()) - 1;
  }

  [[nodiscard]] std::span<const std::int32_t> targets_of(std::int32_t vertex) const;
};

/// Throws Error(file) where the file cannot be read or is no such graph.
[[nodiscard]] Graph read_graph(const std::string& path);

}  // namespace shunt
