#include <algorithm>

#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/whole_streams.hpp"
#include "schedule/factor.hpp"

namespace shunt {

namespace {

constexpr int kGather = 0;
constexpr int kExchange = 1;
constexpr int kScatter = 2;

class Leaders : public NodeStreams {
 public:
  Leaders(std::shared_ptr<const Machine> machine, Rank leaders)
      : NodeStreams(std::move(machine)),
        factors_(Factors::with_loops_last(this->machine().nodes())),
        leaders_(leaders) {}

  [[nodiscard]] std::string name() const override { return fmt::format("leaders:{}", leaders_); }
  [[nodiscard]] int stages() const override { return 3; }

  [[nodiscard]] std::string stage_name(int stage) const override {
    if (stage == kGather) return "gather in nodes";
    return stage == kExchange ? "exchange between nodes" : "scatter in nodes";
  }

  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    return stage == kExchange ? exchange_steps(rank) : inside_steps(stage, rank);
  }

  [[nodiscard]] int step_count(int stage) const override {
    return stage == kExchange ? factors_.size() : largest();
  }

  [[nodiscard]] const Machine* port_contention_free_on() const override { return &machine(); }

  /// Who leads receives from the ranks of its node what they have for the nodes it is in charge of;
  /// a node's messages to and from another one hold the blocks of all pairs of their ranks.
  [[nodiscard]] StageBound bound(int stage, Rank rank, const TrafficBound& traffic) const override {
    const Rank size = machine().size_of(machine().node_of(rank));
    if (stage == kScatter) {
      const Bytes load = largest_box(traffic, ranks(), 1);
      return {size, load, load};
    }
    const Rank served = nodes_served_by(rank);
    const Bytes outside = std::min(Bytes{served} * largest(), Bytes{ranks()} - size);
    const Bytes own = largest_box(traffic, 1, size);
    if (stage == kGather) {
      const Bytes load =
          std::min(largest_box(traffic, size, outside) + own, largest_box(traffic, size, ranks()));
      return {leads(rank) ? size : 1, largest_box(traffic, 1, size + outside), load};
    }
    const Bytes message = served == 0 ? 0 : largest_box(traffic, largest(), size);
    const Bytes load =
        std::min(largest_box(traffic, outside, size) + own, largest_box(traffic, ranks(), size));
    return {served + 1, std::max(message, own), load};
  }

 private:
  [[nodiscard]] Rank next(int stage, Rank at, Rank destination) const override {
    const Rank here = machine().node_of(at);
    const Rank there = machine().node_of(destination);
    if (stage == kScatter) return destination;
    if (here == there) return at;
    return stage == kGather ? in_charge(here, there) : in_charge(there, here);
  }

  /// The first ranks of a node lead; no more of them than there are other nodes.
  [[nodiscard]] Rank leaders_of(Rank node) const {
    return std::min({leaders_, machine().size_of(node), machine().nodes() - 1});
  }

  [[nodiscard]] bool leads(Rank rank) const {
    return machine().place_in_node(rank) < leaders_of(machine().node_of(rank));
  }

  /// The leaders take turns with the factors after that of the node's loop, so that each is in
  /// charge of as many other nodes as any, one more or less.
  [[nodiscard]] Rank nodes_served_by(Rank rank) const {
    if (!leads(rank)) return 0;
    const Rank others = machine().nodes() - 1;
    return (others - machine().place_in_node(rank) - 1) / leaders_of(machine().node_of(rank)) + 1;
  }

  [[nodiscard]] Rank leader_in(Rank factor, Rank node) const {
    const Rank turn =
        (factor - factors_.factor_of(node, node) - 1 + factors_.size()) % factors_.size();
    return machine().ranks_of(node)[static_cast<std::size_t>(turn % leaders_of(node))];
  }

  /// The rank of `node` that exchanges messages with `other`.
  [[nodiscard]] Rank in_charge(Rank node, Rank other) const {
    return leader_in(factors_.factor_of(node, other), node);
  }

  /// In cyclic shifts; in the gathering only leaders receive. What a rank keeps comes last.
  [[nodiscard]] std::vector<Step> inside_steps(int stage, Rank rank) const {
    const auto mates = machine().ranks_of(machine().node_of(rank));
    const auto size = static_cast<Rank>(mates.size());
    const Rank place = machine().place_in_node(rank);
    const Rank receivers = stage == kGather ? leaders_of(machine().node_of(rank)) : size;
    std::vector<Step> steps;
    for (Rank shift = 1; shift < size; ++shift) {
      const Rank to = (place + shift) % size;
      const Rank from = (place - shift + size) % size;
      const Step step{shift, to < receivers ? mates[static_cast<std::size_t>(to)] : kNoRank,
                      place < receivers ? mates[static_cast<std::size_t>(from)] : kNoRank};
      if (step.to != kNoRank || step.from != kNoRank) steps.push_back(step);
    }
    steps.push_back({size, rank, rank});
    return steps;
  }

  /// One factor of the nodes a step. In the factor in which a node has its loop none of its ranks
  /// is at work, so they keep then what is for their own node.
  [[nodiscard]] std::vector<Step> exchange_steps(Rank rank) const {
    const Rank node = machine().node_of(rank);
    const Rank own = factors_.factor_of(node, node);
    std::vector<Step> steps{{own + 1, rank, rank}};
    for (Rank k = 0; k < nodes_served_by(rank); ++k) {
      const Rank turn = machine().place_in_node(rank) + k * leaders_of(node);
      const auto factor = static_cast<Rank>((Bytes{own} + 1 + turn) % factors_.size());
      const Rank peer = leader_in(factor, factors_.partner(factor, node));
      steps.push_back({factor + 1, peer, peer});
    }
    std::ranges::sort(steps, {}, &Step::number);
    return steps;
  }

  Factors factors_;  ///< of the nodes
  Rank leaders_;     ///< asked for, per node
};

}  // namespace

std::unique_ptr<Algorithm> make_leaders(std::shared_ptr<const Machine> machine, Rank leaders) {
  return std::make_unique<Leaders>(std::move(machine), leaders);
}

}  // namespace shunt
