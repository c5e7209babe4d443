#include "schedule/node_pairing.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

namespace {

/// The step after `before` others.
int step_after(Bytes before) { return static_cast<int>(before + 1); }

}  // namespace

NodePairing::NodePairing(std::shared_ptr<const Machine> machine, Form form)
    : machine_(std::move(machine)), form_(form) {
  order_nodes();
  make_phases();
}

void NodePairing::order_nodes() {
  order_.resize(static_cast<std::size_t>(machine_->nodes()));
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, {}, [&](Rank node) { return machine_->size_of(node); });
  position_.resize(order_.size());
  for (Rank position = 0; position < machine_->nodes(); ++position) {
    position_[static_cast<std::size_t>(node_at(position))] = position;
  }
  largest_ = machine_->size_of(order_.back());
}

void NodePairing::make_phases() {
  const Rank nodes = machine_->nodes();
  const bool improved = form_ == Form::improved;
  Bytes steps = 0;
  bool idles = false;
  Rank done = 0;
  for (Rank first = 0; first < nodes;) {
    const Rank active = nodes - first;
    const Factors factors =
        improved ? Factors::with_loops_last(active) : Factors::as_printed(active);
    const Rank rounds = improved && active == 1 ? 0 : factors.pairing();
    phases_.push_back({first, done, size_at(first), rounds, factors, steps});
    steps += rounds * steps_of_round(phases_.back());
    idles = idles || (active > 1 && factors.pairing() == active);
    done = size_at(first);
    while (first < nodes && size_at(first) == done) ++first;
  }
  // The nodes that are through before the first phase with loops have steps enough left in it. If
  // there is none, the largest node is the last to have done its own work.
  const Bytes all = improved && !idles ? steps + largest_ : steps;
  if (all > std::numeric_limits<int>::max()) {
    throw Error(ErrorKind::argument,
                fmt::format("node-pairwise takes {} steps on {} ranks, of which "
                            "a node has {}, but must take at most {}",
                            all, machine_->ranks(), largest_, std::numeric_limits<int>::max()));
  }
  round_steps_ = static_cast<int>(steps);
  steps_ = static_cast<int>(all);
}

std::vector<Rank> NodePairing::rounds() const {
  std::vector<Rank> rounds;
  for (const Phase& phase : phases_) rounds.push_back(phase.rounds);
  return rounds;
}

std::vector<Step> NodePairing::steps(Rank rank) const {
  const Rank node = machine_->node_of(rank);
  const Place place{node, position_[static_cast<std::size_t>(node)], machine_->place_in_node(rank)};
  std::vector<Step> steps;
  steps.reserve(static_cast<std::size_t>(machine_->ranks()));
  bool own_done = false;
  Bytes end = 0;
  for (const Phase& phase : phases_) {
    if (place.position < phase.first) break;
    const Rank own = place.position - phase.first;
    for (Rank round = 0; round < phase.rounds; ++round) {
      const Bytes before = phase.before + round * steps_of_round(phase);
      const Rank other = phase.factors.partner(round, own);
      if (other != own) {
        append_pairs(phase, place, phase.first + other, before, steps);
      } else if (form_ == Form::printed) {
        append_one_by_one(phase, place, before, steps);
      } else if (!own_done) {
        append_inside(place, before, steps);
        own_done = true;
      }
    }
    end = phase.before + phase.rounds * steps_of_round(phase);
  }
  if (form_ == Form::improved && !own_done) append_inside(place, end, steps);
  return steps;
}

/// The rank of the smaller node has its turn with the other node's ranks one after the other; the
/// rank of the larger one is met once in each turn.
void NodePairing::append_pairs(const Phase& phase, const Place& place, Rank other, Bytes before,
                               std::vector<Step>& steps) const {
  const auto theirs = machine_->ranks_of(node_at(other));
  if (place.position < other) {
    if (place.local < phase.done || place.local >= phase.current) return;
    before += (place.local - phase.done) * std::ssize(theirs);
    for (const Rank rank : theirs) steps.push_back({step_after(before++), rank, rank});
    return;
  }
  const Rank size = size_at(place.position);
  for (Rank turn = phase.done; turn < phase.current; ++turn) {
    const Rank rank = theirs[static_cast<std::size_t>(turn)];
    steps.push_back(
        {step_after(before + Bytes{turn - phase.done} * size + place.local), rank, rank});
  }
}

/// Fig. 2 for U = V: one message a step, from a rank of this phase to any rank of the node.
void NodePairing::append_one_by_one(const Phase& phase, const Place& place, Bytes before,
                                    std::vector<Step>& steps) const {
  const auto mates = machine_->ranks_of(place.node);
  const Rank size = size_at(place.position);
  for (Rank turn = phase.done; turn < phase.current; ++turn) {
    const Bytes begin = before + Bytes{turn - phase.done} * size;
    const Rank sender = mates[static_cast<std::size_t>(turn)];
    if (turn != place.local) {
      steps.push_back({step_after(begin + place.local), kNoRank, sender});
      continue;
    }
    for (Rank v = 0; v < size; ++v) {
      const Rank receiver = mates[static_cast<std::size_t>(v)];
      steps.push_back({step_after(begin + v), receiver, v == turn ? sender : kNoRank});
    }
  }
}

/// A factor of the node's own ranks a step.
void NodePairing::append_inside(const Place& place, Bytes before, std::vector<Step>& steps) const {
  const auto mates = machine_->ranks_of(place.node);
  const Factors factors = Factors::with_loops_last(size_at(place.position));
  for (Rank factor = 0; factor < factors.size(); ++factor) {
    const Rank mate = mates[static_cast<std::size_t>(factors.partner(factor, place.local))];
    steps.push_back({step_after(before + factor), mate, mate});
  }
}

}  // namespace shunt
