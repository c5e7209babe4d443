// Who needs which vertices' values, and the plan that brings them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "distributed_graph.hpp"
#include "shunt/shunt.hpp"

namespace shunt::example {

/// Copies of other ranks' values ("ghosts"), and of one's own that are asked for, so that the one
/// who reads them need not tell them apart. The pattern is fixed, so it is planned.
class GhostExchange {
 public:
  /// `needed`: the vertices whose values this rank reads, ascending, without repetition.
  GhostExchange(Communicator& communicator, const BlockDistribution& vertices,
                const std::vector<std::int32_t>& needed)
      : asked_(ask(communicator, vertices, needed)),
        send_layout_(send_layout(communicator)),
        receive_layout_(receive_layout(communicator, vertices, needed)),
        to_send_(asked_.size()),
        ghosts_(needed.size()),
        plan_(communicator.plan_alltoallv(std::span<const double>(to_send_), send_layout_,
                                          std::span<double>(ghosts_), receive_layout_)) {
    const std::int32_t first = vertices.first(communicator.rank());
    for (Request& request : asked_) request.vertex -= first;
  }

  // The plan is bound to the buffers.
  GhostExchange(const GhostExchange&) = delete;
  GhostExchange& operator=(const GhostExchange&) = delete;

  /// Fills the blocks to send from the values of this rank's own vertices.
  void pack(const std::vector<double>& own) {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      to_send_[i] = own[static_cast<std::size_t>(asked_[i].vertex)];
    }
  }

  void execute() { plan_.execute(); }

  [[nodiscard]] const std::vector<double>& to_send() const { return to_send_; }
  /// The values of `needed`, in its order.
  [[nodiscard]] std::vector<double>& ghosts() { return ghosts_; }
  [[nodiscard]] const Layout& send_layout() const { return send_layout_; }
  [[nodiscard]] const Layout& receive_layout() const { return receive_layout_; }
  [[nodiscard]] std::string explain() const { return plan_.explain(); }

 private:
  struct Request {
    std::int32_t vertex;
    Rank from;
  };

  /// Sends a request to the owner of each needed vertex; returns what others ask of this rank, by
  /// rank and in that rank's order.
  static std::vector<Request> ask(Communicator& communicator, const BlockDistribution& vertices,
                                  const std::vector<std::int32_t>& needed) {
    std::vector<Request> requests;
    for (const std::int32_t vertex : needed) requests.push_back({vertex, communicator.rank()});
    const Buffer<Request> arrived = communicator.exchange(
        std::span<const Request>(requests),
        [&vertices](const Request& request) { return vertices.owner(request.vertex); });
    std::vector<Request> asked(arrived.begin(), arrived.end());
    std::ranges::sort(asked, {}, [](const Request& request) {
      return std::pair{request.from, request.vertex};
    });
    return asked;
  }

  [[nodiscard]] Layout send_layout(const Communicator& communicator) const {
    std::vector<Bytes> counts(static_cast<std::size_t>(communicator.ranks()));
    for (const Request& request : asked_) ++counts[static_cast<std::size_t>(request.from)];
    return Layout::packed(counts);
  }

  static Layout receive_layout(const Communicator& communicator, const BlockDistribution& vertices,
                               const std::vector<std::int32_t>& needed) {
    std::vector<Bytes> counts(static_cast<std::size_t>(communicator.ranks()));
    for (const std::int32_t vertex : needed) {
      ++counts[static_cast<std::size_t>(vertices.owner(vertex))];
    }
    return Layout::packed(counts);
  }

  std::vector<Request> asked_;  ///< vertices counted from this rank's first
  Layout send_layout_;
  Layout receive_layout_;
  std::vector<double> to_send_;
  std::vector<double> ghosts_;
  Plan plan_;
};

}  // namespace shunt::example
