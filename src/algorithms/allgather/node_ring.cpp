#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/laned.hpp"
#include "model/narrow.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Ranks of each node that hand on together: while one of them waits for a piece, another one is
/// under way. Between four hosts of 16 ranks at 200 Mbit/s two took as long as four, and a
/// twentieth less than one.
constexpr Rank kMostLanes = 2;

/// What a node hands on at once, of all lanes together, unless the caller says it: so much that
/// start-ups do not count, and little of what there is in all, since the last node waits for one
/// such step at each on the way. There 8 MiB of half of the ranks took a fifth longer in 64 steps
/// than in 256.
constexpr Bytes kShortestStep = 32768;
constexpr Bytes kSteps = 512;
constexpr Bytes kStepsPerNode = 16;

/// Stages after which a node is told what came in them. If that is soon, lanes wait for each other
/// while little is under way: told after 16, what three of 8 ranks had took a tenth longer. If it
/// is only at last, all of a node copy everything while no link is busy: 8 MiB took a tenth longer.
constexpr int kPeriod = 48;

/// The schedule has no more than two stages for each of these and each node.
constexpr Rank kMostSteps = 1024;

/// Each node hands to the next one its own pieces, then those of the node before it, and so on, up
/// to those of the one after the next. So what comes to a node goes on after its own, and in the
/// next stage if it has none.
///
/// For T(n) the pieces of node n, but at least 1, piece i of node o leaves node n in stage
/// T(o+1) + ... + T(n) + i: after it has come, and no two leave in one stage.
class RingOfNodes final : public NodePattern {
 public:
  explicit RingOfNodes(Volumes pieces) : pieces_(std::move(pieces)) {
    // Twice round: the sum from any node to any other one is a difference.
    for (int round = 0; round < 2; ++round) {
      for (const Bytes count : pieces_) {
        sums_.push_back((sums_.empty() ? 0 : sums_.back()) + std::max<Bytes>(count, 1));
      }
    }
    // A node passes on all but what the next one has.
    if (std::ranges::max(pieces_) > 0) {
      stages_ = sums_[pieces_.size() - 1] - std::max<Bytes>(std::ranges::min(pieces_), 1);
    }
  }

  [[nodiscard]] Bytes pieces_of(Rank node) const override { return pieces_[index_of(node)]; }
  [[nodiscard]] int stages() const override { return narrow<int>(stages_, "the stages of a ring"); }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return fmt::format("hand on to the next node, {}", stage + 1);
  }
  [[nodiscard]] int step_count(int /*stage*/) const override { return 1; }
  [[nodiscard]] std::vector<Step> steps(int /*stage*/, Rank node) const override {
    return {{1, behind(node, nodes() - 1), behind(node, 1)}};
  }

  void append_passed_on(int stage, Rank node, std::vector<NodePiece>& pieces) const override {
    // The node whose pieces have their turn: the last one whose first stage has come.
    Rank back = 0;
    for (Rank end = nodes() - 1; end - back > 1;) {
      const Rank middle = std::midpoint(back, end);
      (first_stage(node, middle) <= stage ? back : end) = middle;
    }
    const Rank origin = behind(node, back);
    const Bytes number = stage - first_stage(node, back);
    if (number < pieces_of(origin)) pieces.push_back({origin, number});
  }

  [[nodiscard]] double predict(const Volumes& bytes, const LinkCost& cost) const override {
    Bytes longest = 0;
    for (std::size_t node = 0; node < bytes.size(); ++node) {
      const Bytes pieces = pieces_[node];
      if (pieces > 0) longest = std::max(longest, (bytes[node] + pieces - 1) / pieces);
    }
    const double step = cost.start_up + static_cast<double>(longest) * cost.per_byte;
    return static_cast<double>(stages_) * step;
  }

 private:
  [[nodiscard]] Rank nodes() const { return static_cast<Rank>(pieces_.size()); }
  [[nodiscard]] Rank behind(Rank node, Rank back) const {
    return node >= back ? node - back : node - back + nodes();
  }
  /// In which `node` passes on the first piece of the node so far behind it.
  [[nodiscard]] Bytes first_stage(Rank node, Rank back) const {
    const std::size_t here = index_of(node) + pieces_.size();
    return sums_[here] - sums_[here - index_of(back)];
  }

  Volumes pieces_;  ///< by node
  Volumes sums_;    ///< of T
  Bytes stages_ = 0;
};

Volumes pieces_by_node(const Volumes& bytes, Bytes step) {
  Volumes pieces;
  for (const Bytes own : bytes) pieces.push_back(own / step + (own % step > 0 ? 1 : 0));
  return pieces;
}

}  // namespace

std::unique_ptr<Allgather> make_node_ring(Sources sources, std::shared_ptr<const Machine> machine,
                                          Rank steps) {
  if (steps > kMostSteps) {
    throw Error(ErrorKind::argument,
                fmt::format("a ring of nodes takes up to {} steps for each node, not {}",
                            kMostSteps, steps));
  }
  const bool given = steps > 0;
  const Bytes all_steps =
      given ? Bytes{steps} * machine->nodes() : std::max(kSteps, kStepsPerNode * machine->nodes());
  const Bytes share = sources.total() / all_steps + 1;
  const Bytes step = given ? share : std::max(kShortestStep, share);
  const Rank lanes = std::min(kMostLanes, machine->size_of(machine->smallest_node()));
  auto ring = std::make_unique<RingOfNodes>(pieces_by_node(bytes_by_node(sources, *machine), step));
  return std::make_unique<LanedAllgather>(given ? fmt::format("node-ring:{}", steps) : "node-ring",
                                          std::move(sources), std::move(machine), lanes,
                                          std::move(ring), given ? steps : kPeriod);
}

}  // namespace shunt
