// Shuffles the edges of a graph to the owners of their targets, by MPI's own collective and by
// every algorithm of Shunt, and checks every byte.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "algorithms/registry.hpp"
#include "edge_traffic.hpp"
#include "native_exchange.hpp"
#include "parallel_program.hpp"
#include "shunt/shunt.hpp"
#include "support/edge_report.hpp"
#include "support/edge_settings.hpp"
#include "timing.hpp"
#include "world.hpp"

namespace shunt::example {
namespace {

/// In edges. Collective.
ShuffleLoads loads_over_ranks(const EdgeTraffic& traffic) {
  const auto sent = static_cast<Bytes>(traffic.records().size());
  const auto received = static_cast<Bytes>(traffic.expected().size());
  Bytes most[] = {sent, received, std::ranges::max(traffic.send_layout().counts)};
  Bytes total = sent;
  MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return {total, most[0], most[1], most[2]};
}

/// "auto", and every algorithm that carries all traffic.
std::vector<std::string> all_algorithms(Rank ranks) {
  std::vector<std::string> names{"auto"};
  for (const std::string& name : algorithm_names(ranks)) {
    if (carries_all_traffic(name)) names.push_back(name);
  }
  return names;
}

class EdgeShuffle {
 public:
  EdgeShuffle(const EdgeSettings& settings, const Graph& graph)
      : communicator_(MPI_COMM_WORLD),
        traffic_(graph, Owners(settings.owner, graph.vertices(), communicator_.ranks()),
                 communicator_.rank(), communicator_.ranks(), settings.scale),
        owners_(settings.owner, graph.vertices(), communicator_.ranks()),
        native_out_(traffic_.send_layout()),
        native_in_(traffic_.receive_layout()),
        received_(traffic_.expected().size()) {
    add_native();
    const std::vector<std::string> names =
        settings.algorithms.empty() ? all_algorithms(communicator_.ranks()) : settings.algorithms;
    for (const std::string& name : names) add_algorithm(name);
  }

  /// Every contender once per round; the first round only warms up.
  void run(int rounds) {
    std::vector<std::size_t> order(contenders_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random;  // the same on all ranks
    for (int round = 0; round <= rounds; ++round) {
      // What one leaves in caches and free memory must not always help or hurt the same next one.
      std::ranges::shuffle(order, random);
      for (const std::size_t turn : order) {
        const double seconds = time_and_check(contenders_[turn]);
        if (round > 0) results_[turn].seconds.push_back(seconds);
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong_bytes_, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  }

  [[nodiscard]] EdgeReport report() const {
    return {.ranks = communicator_.ranks(),
            .edge_bytes = sizeof(Edge),
            .results = results_,
            .loads = loads_over_ranks(traffic_),
            .verified = verified_,
            .wrong_bytes = wrong_bytes_,
            .auto_plan = auto_plan()};
  }

 private:
  struct Contender {
    bool ordered;
    /// Makes the exchange; what it returns is valid until the next one.
    std::function<std::span<const Edge>()> exchange;
  };

  void add(ExchangeKind kind, const std::string& method,
           std::function<std::span<const Edge>()> exchange) {
    const bool ordered = kind == ExchangeKind::one_shot || kind == ExchangeKind::plan;
    contenders_.push_back({ordered, std::move(exchange)});
    results_.push_back({kind, method, {}});
  }

  void add_native() {
    add(ExchangeKind::by_function, kNative, [this] {
      std::vector<Rank> destinations;
      destinations.reserve(traffic_.records().size());
      for (const Edge& edge : traffic_.records()) {
        destinations.push_back(owners_.owner(edge.target));
      }
      return native_.records(traffic_.records(), destinations, communicator_.ranks());
    });
    add(ExchangeKind::by_ranks, kNative, [this] {
      return native_.records(traffic_.records(), traffic_.destinations(), communicator_.ranks());
    });
    add(ExchangeKind::one_shot, kNative, [this] {
      native_.alltoallv(traffic_.blocks().data(), native_out_, received_.data(), native_in_);
      return std::span<const Edge>(received_);
    });
  }

  void add_algorithm(const std::string& name) {
    Options options;
    options.algorithm = name;
    add(ExchangeKind::by_function, name, [this, options] {
      buffer_ = communicator_.exchange(
          traffic_.records(), [this](const Edge& edge) { return owners_.owner(edge.target); },
          options);
      return std::span<const Edge>(buffer_);
    });
    add(ExchangeKind::by_ranks, name, [this, options] {
      buffer_ = communicator_.exchange(traffic_.records(), traffic_.destinations(), options);
      return std::span<const Edge>(buffer_);
    });
    add(ExchangeKind::one_shot, name, [this, options] {
      communicator_.alltoallv(traffic_.blocks(), traffic_.send_layout(), std::span(received_),
                              traffic_.receive_layout(), options);
      return std::span<const Edge>(received_);
    });
    const auto plan = std::make_shared<Plan>(
        communicator_.plan_alltoallv(traffic_.blocks(), traffic_.send_layout(),
                                     std::span(received_), traffic_.receive_layout(), options));
    if (name == "auto") auto_plan_ = plan;
    add(ExchangeKind::plan, name, [this, plan] {
      plan->execute();
      return std::span<const Edge>(received_);
    });
  }

  double time_and_check(const Contender& contender) {
    // What an earlier exchange received must not pass for this one's.
    std::ranges::fill(received_, Edge{-1, -1, -1});
    std::span<const Edge> received;
    const double seconds = seconds_of([&] { received = contender.exchange(); });
    wrong_bytes_ += contender.ordered ? traffic_.wrong_bytes_of_blocks(received)
                                      : traffic_.wrong_bytes_of_records(received);
    ++verified_;
    return seconds;
  }

  /// What "auto" chose for the plan, if it takes part.
  [[nodiscard]] std::string auto_plan() const {
    if (!auto_plan_) return "";
    const std::string text = auto_plan_->explain();
    return text.substr(0, text.find('\n'));
  }

  Communicator communicator_;
  EdgeTraffic traffic_;
  Owners owners_;
  NativeExchange native_;
  IntLayout native_out_;
  IntLayout native_in_;
  std::vector<Edge> received_;  ///< of all that receive in place
  Buffer<Edge> buffer_;         ///< of the last exchange of records
  std::shared_ptr<Plan> auto_plan_;
  std::vector<Contender> contenders_;
  std::vector<ShuffleResult> results_;  ///< of the contenders
  std::int64_t verified_ = 0;
  Bytes wrong_bytes_ = 0;
};

int shuffle(int argc, char** argv) {
  EdgeSettings settings;
  if (const auto status = read_settings(settings, argc, argv, world_rank(), world_size())) {
    return *status;
  }
  const Graph graph = read_graph_on_all_ranks(settings.graph);
  EdgeShuffle shuffle(settings, graph);
  shuffle.run(settings.rounds);
  const EdgeReport report = shuffle.report();
  if (world_rank() == 0) {
    if (settings.json) {
      fmt::print("{}\n", json_text_of(report));
    } else {
      fmt::print("{}", text_of(report));
    }
  }
  return report.wrong_bytes == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace shunt::example

int main(int argc, char** argv) {
  return shunt::example::run_program(argc, argv, shunt::example::shuffle);
}
