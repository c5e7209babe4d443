#include <utility>

#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/halving_phase.hpp"
#include "algorithms/allgather/laned.hpp"
#include "algorithms/allgather/lines.hpp"

namespace shunt {

namespace {

/// Recursive halving of the line of all nodes, each of which has one piece.
class LineOfNodes final : public NodePattern {
 public:
  explicit LineOfNodes(Rank nodes) : line_(Lines::row_major(nodes), "the lanes") {}

  [[nodiscard]] Bytes pieces_of(Rank /*node*/) const override { return 1; }
  [[nodiscard]] int stages() const override { return line_.stages(); }
  [[nodiscard]] std::string stage_name(int stage) const override { return line_.stage_name(stage); }
  [[nodiscard]] int step_count(int stage) const override { return line_.step_count(stage); }
  [[nodiscard]] std::vector<Step> steps(int stage, Rank node) const override {
    return line_.steps(stage, node);
  }

  void append_passed_on(int stage, Rank node, std::vector<NodePiece>& pieces) const override {
    std::vector<Rank> origins;
    line_.origins(stage, node, origins);
    for (const Rank origin : origins) pieces.push_back({origin, 0});
  }

  [[nodiscard]] double predict(const Volumes& bytes, const LinkCost& cost) const override {
    Volumes held = bytes;
    return line_.predict(held, cost);
  }

 private:
  HalvingPhase line_;
};

}  // namespace

std::unique_ptr<Allgather> make_node_lanes(Sources sources,
                                           std::shared_ptr<const Machine> machine) {
  const Rank lanes = machine->size_of(machine->smallest_node());
  auto line = std::make_unique<LineOfNodes>(machine->nodes());
  return std::make_unique<LanedAllgather>("node-lanes", std::move(sources), std::move(machine),
                                          lanes, std::move(line), 0);
}

}  // namespace shunt
