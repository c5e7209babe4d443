// PageRank on a distributed graph: records build the ghost lists once, then every iteration
// executes one plan.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "distributed_graph.hpp"
#include "ghost_exchange.hpp"
#include "int_layout.hpp"
#include "parallel_program.hpp"
#include "shunt/shunt.hpp"
#include "support/pagerank_settings.hpp"
#include "support/spread.hpp"
#include "timing.hpp"
#include "world.hpp"

namespace shunt::example {
namespace {

constexpr double kDamping = 0.85;
constexpr double kTolerance = 1e-12;
constexpr std::size_t kShown = 10;

/// What a vertex without outgoing edges has is spread over all.
double new_score(double contributions, double dangling, std::int32_t vertices) {
  return (1 - kDamping + kDamping * dangling) / vertices + kDamping * contributions;
}

std::int64_t degree_of(const Graph& graph, std::int32_t vertex) {
  return std::ssize(graph.targets_of(vertex));
}

std::vector<double> serial_pagerank(const Graph& graph, int iterations) {
  const std::int32_t n = graph.vertices();
  std::vector<double> scores(static_cast<std::size_t>(n), 1.0 / n);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    std::vector<double> sums(scores.size());
    double dangling = 0;
    for (std::int32_t source = 0; source < n; ++source) {
      const double score = scores[static_cast<std::size_t>(source)];
      if (degree_of(graph, source) == 0) dangling += score;
      for (const std::int32_t target : graph.targets_of(source)) {
        sums[static_cast<std::size_t>(target)] +=
            score / static_cast<double>(degree_of(graph, source));
      }
    }
    for (std::size_t v = 0; v < scores.size(); ++v) scores[v] = new_score(sums[v], dangling, n);
  }
  return scores;
}

struct Edge {
  std::int32_t source;
  std::int32_t target;

  auto operator<=>(const Edge&) const = default;
};

/// Every rank knows the edges that leave its vertices; who sums up needs those that arrive.
std::vector<Edge> edges_into_own(Communicator& communicator, const Graph& graph,
                                 const BlockDistribution& vertices) {
  std::vector<Edge> leaving;
  const std::int32_t end = vertices.first(communicator.rank() + 1);
  for (std::int32_t source = vertices.first(communicator.rank()); source < end; ++source) {
    for (const std::int32_t target : graph.targets_of(source)) leaving.push_back({source, target});
  }
  const Buffer<Edge> arrived =
      communicator.exchange(std::span<const Edge>(leaving),
                            [&vertices](const Edge& edge) { return vertices.owner(edge.target); });
  std::vector<Edge> edges(arrived.begin(), arrived.end());
  std::ranges::sort(edges);
  return edges;
}

std::vector<std::int32_t> sources_of(const std::vector<Edge>& edges) {
  std::vector<std::int32_t> sources;
  for (const Edge& edge : edges) {
    if (sources.empty() || sources.back() != edge.source) sources.push_back(edge.source);
  }
  return sources;
}

class PageRank {
 public:
  PageRank(Communicator& communicator, const Graph& graph)
      : vertices_(graph.vertices(), communicator.ranks()),
        edges_(edges_into_own(communicator, graph, vertices_)),
        ghosts_(communicator, vertices_, sources_of(edges_)),
        native_out_(ghosts_.send_layout()),
        native_in_(ghosts_.receive_layout()) {
    const std::int32_t first = vertices_.first(communicator.rank());
    const std::int32_t end = vertices_.first(communicator.rank() + 1);
    for (std::int32_t v = first; v < end; ++v) {
      degrees_.push_back(static_cast<double>(degree_of(graph, v)));
    }
    scores_.assign(degrees_.size(), 1.0 / vertices_.vertices());
    for (Edge& edge : edges_) edge.target -= first;
  }

  /// One iteration, made twice; false if the two disagree in any bit.
  bool iterate() {
    std::vector<double> next;
    std::vector<double> native;
    forget_ghosts();
    native_seconds.push_back(
        seconds_of([&] { native = next_scores([this] { execute_native(); }); }));
    forget_ghosts();
    plan_seconds.push_back(seconds_of([&] { next = next_scores([this] { ghosts_.execute(); }); }));
    scores_ = std::move(next);
    return scores_ == native;
  }

  /// All ranks' results on rank 0.
  [[nodiscard]] std::vector<double> gather() const {
    std::vector<int> counts;
    std::vector<int> begins;
    for (Rank rank = 0; rank < vertices_.ranks(); ++rank) {
      begins.push_back(vertices_.first(rank));
      counts.push_back(vertices_.first(rank + 1) - vertices_.first(rank));
    }
    std::vector<double> all(world_rank() == 0 ? static_cast<std::size_t>(vertices_.vertices()) : 0);
    MPI_Gatherv(scores_.data(), static_cast<int>(scores_.size()), MPI_DOUBLE, all.data(),
                counts.data(), begins.data(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return all;
  }

  [[nodiscard]] const GhostExchange& ghosts() const { return ghosts_; }

  std::vector<double> native_seconds;  ///< of each iteration with MPI_Alltoallv
  std::vector<double> plan_seconds;    ///< of each iteration with the plan

 private:
  template <class Exchange>
  std::vector<double> next_scores(Exchange&& exchange) {
    double dangling = 0;
    std::vector<double> shares(scores_.size());
    for (std::size_t v = 0; v < scores_.size(); ++v) {
      if (degrees_[v] == 0) {
        dangling += scores_[v];
      } else {
        shares[v] = scores_[v] / degrees_[v];
      }
    }
    ghosts_.pack(shares);
    exchange();
    MPI_Allreduce(MPI_IN_PLACE, &dangling, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    std::vector<double> next = sums_of_ghosts();
    for (double& score : next) score = new_score(score, dangling, vertices_.vertices());
    return next;
  }

  /// For each own vertex what arrives along its edges.
  [[nodiscard]] std::vector<double> sums_of_ghosts() {
    std::vector<double> sums(scores_.size());
    // Edges and ghosts are both sorted by source.
    std::size_t ghost = 0;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (i > 0 && edges_[i].source != edges_[i - 1].source) ++ghost;
      sums[static_cast<std::size_t>(edges_[i].target)] += ghosts_.ghosts()[ghost];
    }
    return sums;
  }

  void execute_native() {
    MPI_Alltoallv(ghosts_.to_send().data(), native_out_.counts.data(),
                  native_out_.displacements.data(), MPI_DOUBLE, ghosts_.ghosts().data(),
                  native_in_.counts.data(), native_in_.displacements.data(), MPI_DOUBLE,
                  MPI_COMM_WORLD);
  }

  /// What an earlier exchange brought must not pass for this one's.
  void forget_ghosts() {
    std::ranges::fill(ghosts_.ghosts(), std::numeric_limits<double>::quiet_NaN());
  }

  BlockDistribution vertices_;
  std::vector<Edge> edges_;  ///< into this rank's vertices, counted from its first
  GhostExchange ghosts_;
  IntLayout native_out_;
  IntLayout native_in_;
  std::vector<double> degrees_;  ///< of this rank's vertices
  std::vector<double> scores_;
};

double largest_relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v) {
    const double difference = std::abs(a[v] - b[v]) / b[v];
    largest = std::max(largest, std::isnan(difference) ? HUGE_VAL : difference);
  }
  return largest;
}

void print_first(const Graph& graph, const std::vector<double>& scores) {
  std::vector<std::int32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t shown = std::min(kShown, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(shown),
                            std::ranges::greater{},
                            [&](std::int32_t v) { return scores[static_cast<std::size_t>(v)]; });
  std::vector<int> needed_by(scores.size());
  for (const std::int32_t target : graph.targets) ++needed_by[static_cast<std::size_t>(target)];
  fmt::print("{:>5} {:>8} {:>10} {:>9}\n", "place", "vertex", "PageRank", "edges in");
  for (std::size_t i = 0; i < shown; ++i) {
    const auto v = static_cast<std::size_t>(order[i]);
    fmt::print("{:>5} {:>8} {:>10.6f} {:>9}\n", i + 1, v, scores[v], needed_by[v]);
  }
}

void print_times(const PageRank& pagerank) {
  const std::string plan = pagerank.ghosts().explain();
  const double native = spread_of(pagerank.native_seconds).median;
  fmt::print("\n{:<24}{:>12}{:>18}{:>8}\n", "iteration with", "median ms", "min..max", "ratio");
  auto print_line = [native](const std::string& name, const std::vector<double>& seconds) {
    const Spread spread = spread_of(seconds);
    const auto ms = [](double in_seconds) { return number_text(in_seconds * 1e3, 3, 7); };
    fmt::print("{:<24}{:>12}{:>18}{:>8}\n", name, ms(spread.median),
               ms(spread.least) + ".." + ms(spread.most),
               number_text(native / spread.median, 2, 7));
  };
  print_line("MPI_Alltoallv", pagerank.native_seconds);
  print_line("plan (" + plan.substr(0, plan.find(' ')) + ")", pagerank.plan_seconds);
}

int run(int argc, char** argv) {
  PageRankSettings settings;
  if (const auto status = read_settings(settings, argc, argv, world_rank())) return *status;
  const Graph graph = read_graph_on_all_ranks(settings.graph);
  Communicator communicator(MPI_COMM_WORLD);
  PageRank pagerank(communicator, graph);
  int wrong = 0;
  for (int iteration = 0; iteration < settings.iterations; ++iteration) {
    if (!pagerank.iterate()) wrong = 1;
  }
  const std::vector<double> scores = pagerank.gather();
  if (communicator.rank() == 0) {
    const double difference =
        largest_relative_difference(scores, serial_pagerank(graph, settings.iterations));
    if (difference > kTolerance) wrong = 1;
    fmt::print("PageRank of {} vertices and {} edges, {} rank{}, {} iteration{}\n\n",
               graph.vertices(), graph.targets.size(), communicator.ranks(),
               plural(communicator.ranks()), settings.iterations, plural(settings.iterations));
    print_first(graph, scores);
    print_times(pagerank);
    fmt::print("\nlargest relative difference from a serial run: {:.1e}\n", difference);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (communicator.rank() == 0) fmt::print("{}\n", wrong == 0 ? "the result is right" : "WRONG");
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace shunt::example

int main(int argc, char** argv) {
  return shunt::example::run_program(argc, argv, shunt::example::run);
}
