#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/bruck_stage.hpp"
#include "algorithms/alltoall/whole_streams.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Goes round the places of each node, and round the nodes, digit by digit; one of the two in one
/// stage.
class NodeBruck : public NodeStreams {
 public:
  NodeBruck(std::shared_ptr<const Machine> machine, Rank radix, bool nodes_first)
      : NodeStreams(std::move(machine)), radix_(radix), nodes_first_(nodes_first) {
    for (const bool between : {nodes_first, !nodes_first}) {
      const int digits = (between ? digits_between() : digits_inside(largest())).stages();
      for (int digit = 0; digit < digits; ++digit) stages_.push_back({between, digit});
    }
    // A lone rank has a message to itself.
    if (stages_.empty()) stages_.push_back({false, 0});
    require_few_steps();
    for (Rank node = 0; node < this->machine().nodes(); ++node) {
      ++nodes_of_size_[this->machine().size_of(node)];
    }
  }

  [[nodiscard]] std::string name() const override {
    return fmt::format("{}:{}", nodes_first_ ? "bruck-among-nodes" : "bruck-in-nodes", radix_);
  }
  [[nodiscard]] int stages() const override { return static_cast<int>(stages_.size()); }

  [[nodiscard]] std::string stage_name(int stage) const override {
    const auto [between, digit] = stage_at(stage);
    const bool whole = between != nodes_first_;
    const char* where = between ? "between nodes" : "in nodes";
    return whole ? fmt::format("exchange {}", where) : fmt::format("digit {} {}", digit + 1, where);
  }

  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    const auto [between, digit] = stage_at(stage);
    if (between) return steps_between(digit, rank);
    const auto mates = machine().ranks_of(machine().node_of(rank));
    std::vector<Step> steps = bruck_steps(digits_inside(static_cast<Rank>(mates.size())), digit,
                                          machine().place_in_node(rank));
    rename_ends(steps, [&](Rank place) { return mates[index_of(place)]; });
    return steps;
  }

  [[nodiscard]] int step_count(int stage) const override {
    const auto [between, digit] = stage_at(stage);
    if (!between) return digits_inside(largest()).largest_digit(digit) + 1;
    return digits_between().largest_digit(digit) * turns() + 1;
  }

  [[nodiscard]] StageBound bound(int stage, Rank rank, const TrafficBound& traffic) const override {
    const auto [between, digit] = stage_at(stage);
    if (!between) {
      const Rank size = machine().size_of(machine().node_of(rank));
      const PlaceWeights weights =
          nodes_first_ ? PlaceWeights{carried(digits_between().stages()), 1, ranks()}
                       : PlaceWeights{1, targets(size), ranks()};
      return bruck_bound(digits_inside(size), digit, traffic, weights);
    }
    if (!nodes_first_) {
      return {machine().nodes(), largest_box(traffic, largest(), 1),
              largest_box(traffic, ranks(), 1)};
    }
    const int messages = senders_to(digit, rank);
    const Bytes destinations =
        std::min<Bytes>(ranks(), Bytes{digits_between().farther(digit)} * largest());
    const Bytes longest = largest_box(traffic, carried(digit), destinations);
    const Bytes load = largest_box(traffic, carried(digit + 1), destinations);
    return {messages, longest, std::min(load, longest * messages)};
  }

 private:
  struct Stage {
    bool between;
    int digit;
  };

  [[nodiscard]] Stage stage_at(int stage) const { return stages_[static_cast<std::size_t>(stage)]; }
  [[nodiscard]] RadixDigits digits_inside(Rank size) const {
    return nodes_first_ ? RadixDigits::linear(size) : RadixDigits(size, radix_);
  }
  [[nodiscard]] RadixDigits digits_between() const {
    const Rank nodes = machine().nodes();
    return nodes_first_ ? RadixDigits(nodes, radix_) : RadixDigits::linear(nodes);
  }

  /// Inside a node, data makes for the destination's place, modulo the size of the node: so that it
  /// can go straight from there where the destination's node is larger. Between nodes it keeps its
  /// place, modulo the size of the node that it comes to, until the last stage between nodes, which
  /// ends at the destination if none inside nodes follows.
  [[nodiscard]] Rank next(int stage, Rank at, Rank destination) const override {
    const auto [between, digit] = stage_at(stage);
    const Rank here = machine().node_of(at);
    const Rank place = machine().place_in_node(at);
    if (!between) {
      const RadixDigits digits = digits_inside(machine().size_of(here));
      const Rank target = machine().place_in_node(destination) % digits.size();
      return rank_at(here, digits.next(digit, place, target));
    }
    const Rank there = digits_between().next(digit, here, machine().node_of(destination));
    if (there == here) return at;
    return nodes_first_ ? rank_at(there, place % machine().size_of(there)) : destination;
  }

  [[nodiscard]] Rank rank_at(Rank node, Rank place) const {
    return machine().ranks_of(node)[static_cast<std::size_t>(place)];
  }

  /// How often in turn a rank may have to do with the ranks of one other node.
  [[nodiscard]] Rank turns() const { return (largest() - 1) / smallest() + 1; }

  /// Ranks of `node` whose places are `place`, `place` + `size`, `place` + 2 `size`, ...
  [[nodiscard]] Rank places_in(Rank node, Rank place, Rank size) const {
    const Rank there = machine().size_of(node);
    return place < there ? (there - place - 1) / size + 1 : 0;
  }

  /// A digit is a round of turns(). In one direction a rank has one message, at the turn that says
  /// how often its place holds the other node; in the other, one at each turn, as long as there are
  /// places in that node.
  [[nodiscard]] std::vector<Step> steps_between(int digit, Rank rank) const {
    const RadixDigits digits = digits_between();
    const Rank node = machine().node_of(rank);
    const Rank last = digits.largest_digit(digit);
    std::vector<Step> steps;
    for (Rank shift = 1; shift <= last; ++shift) {
      const Rank ahead = digits.shifted(node, shift, digit);
      const Rank behind = digits.shifted(node, -shift, digit);
      append_round((shift - 1) * turns(), rank, ahead, behind, steps);
    }
    steps.push_back({last * turns() + 1, rank, rank});
    return steps;
  }

  void append_round(int before, Rank rank, Rank ahead, Rank behind,
                    std::vector<Step>& steps) const {
    const Rank size = machine().size_of(machine().node_of(rank));
    const Rank place = machine().place_in_node(rank);
    Rank Step::*const many = nodes_first_ ? &Step::from : &Step::to;
    Rank Step::*const one = nodes_first_ ? &Step::to : &Step::from;
    const Rank many_node = nodes_first_ ? behind : ahead;
    const Rank one_node = nodes_first_ ? ahead : behind;
    const Rank count = places_in(many_node, place, size);
    for (Rank turn = 0; turn < count; ++turn) {
      steps.push_back({before + turn + 1, kNoRank, kNoRank});
      steps.back().*many = rank_at(many_node, place + turn * size);
    }
    const Rank turn = place / machine().size_of(one_node);
    if (turn >= count) steps.push_back({before + turn + 1, kNoRank, kNoRank});
    Step& step = turn < count ? *(steps.end() - count + turn) : steps.back();
    step.*one = rank_at(one_node, place % machine().size_of(one_node));
  }

  /// Messages that `rank` receives between nodes where nodes come first.
  [[nodiscard]] int senders_to(int digit, Rank rank) const {
    const RadixDigits digits = digits_between();
    const Rank node = machine().node_of(rank);
    const Rank place = machine().place_in_node(rank);
    int senders = 1;
    for (Rank shift = 1; shift <= digits.largest_digit(digit); ++shift) {
      senders += places_in(digits.shifted(node, -shift, digit), place, machine().size_of(node));
    }
    return senders;
  }

  /// Of how many ranks a rank may hold data before `digit`, where nodes come first.
  [[nodiscard]] Bytes carried(int digit) const {
    const RadixDigits digits = digits_between();
    Bytes sources = 1;
    for (int i = 0; i < digit; ++i) {
      const Bytes senders = 1 + Bytes{digits.largest_digit(i)} * turns();
      const Bytes in_reach = Bytes{digits.power(i + 1)} * largest();
      sources = std::min({senders * sources, in_reach, Bytes{ranks()}});
    }
    return sources;
  }

  /// Ranks whose places are equal modulo `size`, at most.
  [[nodiscard]] Bytes targets(Rank size) const {
    Bytes targets = 0;
    for (const auto& [there, nodes] : nodes_of_size_) {
      targets += nodes * ((there - 1) / size + 1);
    }
    return targets;
  }

  void require_few_steps() const {
    const Bytes steps = Bytes{digits_between().largest_digit(0)} * turns() + 1;
    if (steps <= std::numeric_limits<int>::max()) return;
    throw Error(ErrorKind::argument,
                fmt::format("{} takes {} steps on {} nodes of {} to {} ranks, but must take at "
                            "most {}",
                            name(), steps, machine().nodes(), smallest(), largest(),
                            std::numeric_limits<int>::max()));
  }

  Rank radix_;
  bool nodes_first_;
  std::vector<Stage> stages_;
  std::map<Rank, Bytes> nodes_of_size_;
};

}  // namespace

std::unique_ptr<Algorithm> make_bruck_in_nodes(std::shared_ptr<const Machine> machine, Rank radix) {
  return std::make_unique<NodeBruck>(std::move(machine), radix, false);
}

std::unique_ptr<Algorithm> make_bruck_among_nodes(std::shared_ptr<const Machine> machine,
                                                  Rank radix) {
  return std::make_unique<NodeBruck>(std::move(machine), radix, true);
}

}  // namespace shunt
