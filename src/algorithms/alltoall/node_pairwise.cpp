#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/whole_streams.hpp"

namespace shunt {

namespace {

class NodePairwise : public OneStage {
 public:
  NodePairwise(std::shared_ptr<const Machine> machine, NodePairing::Form form)
      : schedule_(std::move(machine), form), printed_(form == NodePairing::Form::printed) {}

  [[nodiscard]] std::string name() const override {
    return printed_ ? "node-pairwise:printed" : "node-pairwise";
  }
  [[nodiscard]] Rank ranks() const override { return schedule_.machine().ranks(); }
  [[nodiscard]] int step_count(int /*stage*/) const override { return schedule_.step_count(); }
  [[nodiscard]] std::vector<Step> steps(int /*stage*/, Rank rank) const override {
    return schedule_.steps(rank);
  }
  [[nodiscard]] const Machine* port_contention_free_on() const override {
    return &schedule_.machine();
  }
  /// By trial on four hosts with links of 200 Mbit/s: half as much left them idle, twice as much
  /// lost packets.
  [[nodiscard]] Bytes max_in_flight() const override { return Bytes{1} << 20; }

 private:
  NodePairing schedule_;
  bool printed_;
};

}  // namespace

std::unique_ptr<Algorithm> make_node_pairwise(std::shared_ptr<const Machine> machine,
                                              NodePairing::Form form) {
  return std::make_unique<NodePairwise>(std::move(machine), form);
}

}  // namespace shunt
