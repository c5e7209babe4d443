// What one rank of the edge shuffle sends, and what it must receive: computed from the whole graph,
// without communication.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "distributed_graph.hpp"
#include "shunt/shunt.hpp"
#include "support/edge_settings.hpp"

namespace shunt::example {

struct Edge {
  std::int32_t source;
  std::int32_t target;
  std::int64_t number;  ///< in the order of the graph, copies of the graph one after the other

  bool operator==(const Edge&) const = default;
};

/// Which rank owns the edges into a vertex.
class Owners {
 public:
  Owners(OwnerRule rule, std::int32_t vertices, Rank ranks)
      : rule_(rule), blocks_(vertices, ranks) {}

  [[nodiscard]] Rank owner(std::int32_t vertex) const {
    return rule_ == OwnerRule::block ? blocks_.owner(vertex) : hashed(vertex);
  }

 private:
  [[nodiscard]] Rank hashed(std::int32_t vertex) const {
    const std::uint64_t mixed = static_cast<std::uint64_t>(vertex) * 0x9E3779B97F4A7C15ULL;
    return static_cast<Rank>((mixed >> 32) % static_cast<std::uint64_t>(blocks_.ranks()));
  }

  OwnerRule rule_;
  BlockDistribution blocks_;
};

/// Rank `rank` has the edges that leave its block of vertices, `copies` times; each is for the
/// owner of its target.
class EdgeTraffic {
 public:
  EdgeTraffic(const Graph& graph, const Owners& owners, Rank rank, Rank ranks, int copies);

  /// In no useful order, and where each is to go.
  [[nodiscard]] std::span<const Edge> records() const { return records_; }
  [[nodiscard]] std::span<const Rank> destinations() const { return destinations_; }

  /// The same edges as ordered blocks, one for each rank.
  [[nodiscard]] std::span<const Edge> blocks() const { return blocks_; }
  [[nodiscard]] const Layout& send_layout() const { return send_layout_; }
  [[nodiscard]] const Layout& receive_layout() const { return receive_layout_; }

  /// The blocks that this rank must receive.
  [[nodiscard]] std::span<const Edge> expected() const { return expected_; }

  /// 0 if `received` are the expected edges, in any order.
  [[nodiscard]] Bytes wrong_bytes_of_records(std::span<const Edge> received) const;

  /// 0 if `received` are the expected edges in their order.
  [[nodiscard]] Bytes wrong_bytes_of_blocks(std::span<const Edge> received) const;

 private:
  void add_records(const Graph& graph, const BlockDistribution& sources, Rank rank, int copies);
  void add_expected(const Graph& graph, const BlockDistribution& sources, Rank rank, int copies);
  void sort_into_blocks(Rank ranks);

  Owners owners_;
  std::vector<Edge> records_;
  std::vector<Rank> destinations_;
  std::vector<Edge> blocks_;
  Layout send_layout_;
  std::vector<Edge> expected_;
  Layout receive_layout_;
  std::vector<std::int32_t> place_of_;  ///< of an edge number among the expected edges, or -1
};

/// Calls `visit` with all edges that leave the block of `rank`.
template <class Visit>
void for_each_edge(const Graph& graph, const BlockDistribution& sources, Rank rank, int copies,
                   Visit&& visit) {
  const auto edges = static_cast<std::int64_t>(graph.targets.size());
  for (int copy = 0; copy < copies; ++copy) {
    for (std::int32_t source = sources.first(rank); source < sources.first(rank + 1); ++source) {
      std::int64_t number = copy * edges + graph.offsets[static_cast<std::size_t>(source)];
      for (const std::int32_t target : graph.targets_of(source)) {
        visit(Edge{source, target, number++});
      }
    }
  }
}

inline EdgeTraffic::EdgeTraffic(const Graph& graph, const Owners& owners, Rank rank, Rank ranks,
                                int copies)
    : owners_(owners), place_of_(graph.targets.size() * static_cast<std::size_t>(copies), -1) {
  const BlockDistribution sources(graph.vertices(), ranks);
  add_records(graph, sources, rank, copies);
  sort_into_blocks(ranks);
  add_expected(graph, sources, rank, copies);
}

inline void EdgeTraffic::add_records(const Graph& graph, const BlockDistribution& sources,
                                     Rank rank, int copies) {
  for_each_edge(graph, sources, rank, copies, [&](const Edge& edge) {
    records_.push_back(edge);
    destinations_.push_back(owners_.owner(edge.target));
  });
}

inline void EdgeTraffic::sort_into_blocks(Rank ranks) {
  std::vector<Bytes> counts(static_cast<std::size_t>(ranks));
  for (const Rank to : destinations_) ++counts[static_cast<std::size_t>(to)];
  send_layout_ = Layout::packed(counts);
  std::vector<Bytes> next = send_layout_.displacements;
  blocks_.resize(records_.size());
  for (std::size_t i = 0; i < records_.size(); ++i) {
    Bytes& place = next[static_cast<std::size_t>(destinations_[i])];
    blocks_[static_cast<std::size_t>(place++)] = records_[i];
  }
}

inline void EdgeTraffic::add_expected(const Graph& graph, const BlockDistribution& sources,
                                      Rank rank, int copies) {
  std::vector<Bytes> counts(static_cast<std::size_t>(sources.ranks()));
  for (Rank from = 0; from < sources.ranks(); ++from) {
    for_each_edge(graph, sources, from, copies, [&](const Edge& edge) {
      if (owners_.owner(edge.target) != rank) return;
      place_of_[static_cast<std::size_t>(edge.number)] =
          static_cast<std::int32_t>(expected_.size());
      expected_.push_back(edge);
      ++counts[static_cast<std::size_t>(from)];
    });
  }
  receive_layout_ = Layout::packed(counts);
}

inline Bytes EdgeTraffic::wrong_bytes_of_records(std::span<const Edge> received) const {
  std::vector<bool> seen(expected_.size());
  std::size_t right = 0;
  for (const Edge& edge : received) {
    // Whatever arrived may be garbage.
    if (edge.number < 0 || edge.number >= static_cast<std::int64_t>(place_of_.size())) continue;
    const std::int32_t place = place_of_[static_cast<std::size_t>(edge.number)];
    if (place < 0) continue;
    const auto k = static_cast<std::size_t>(place);
    if (seen[k] || edge != expected_[k]) continue;
    seen[k] = true;
    ++right;
  }
  const std::size_t extra = received.size() - right;
  const std::size_t missing = expected_.size() - right;
  return static_cast<Bytes>((extra + missing) * sizeof(Edge));
}

inline Bytes EdgeTraffic::wrong_bytes_of_blocks(std::span<const Edge> received) const {
  const auto got = std::as_bytes(received);
  const auto want = std::as_bytes(expected());
  const std::size_t common = std::min(got.size(), want.size());
  std::size_t wrong = std::max(got.size(), want.size()) - common;
  for (std::size_t i = 0; i < common; ++i) {
    if (got[i] != want[i]) ++wrong;
  }
  return static_cast<Bytes>(wrong);
}

}  // namespace shunt::example
