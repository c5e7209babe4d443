#include "lab/simulation/followed_work.hpp"

#include <algorithm>

#include "lab/flow/traffic_flow.hpp"

namespace shunt {

namespace {

/// The messages of a stage, added up by rank and by node.
class WorkSums {
 public:
  WorkSums(const Algorithm& algorithm, const Machine& machine)
      : algorithm_(algorithm),
        machine_(machine),
        ranks_(static_cast<std::size_t>(machine.ranks())),
        leaving_(static_cast<std::size_t>(machine.nodes()), 0),
        reaching_(static_cast<std::size_t>(machine.nodes()), 0) {}

  void add_messages(std::span<const StageMessage> messages) {
    for (const StageMessage& message : messages) {
      const auto bytes = static_cast<double>(message.bytes);
      if (algorithm_.stages() > 1) {
        for (const Rank end : {message.from, message.to}) {
          of(end).pieces += static_cast<double>(message.pieces) / 2;
          of(end).copied += bytes / 2;
        }
      }
      if (message.from == message.to) {
        if (algorithm_.stages() == 1) of(message.from).inside_bytes += kKeptCopies * bytes;
        continue;
      }
      if (is_inside(message.from, message.to)) {
        for (const Rank end : {message.from, message.to}) of(end).inside_bytes += bytes / 2;
      } else {
        for (const Rank end : {message.from, message.to}) of(end).outside_bytes += bytes / 2;
        leaving_[node_of(message.from)] += bytes;
        reaching_[node_of(message.to)] += bytes;
      }
      add_start_up(message.from, message.to);
    }
  }

  void add_start_up(Rank from, Rank to) {
    const auto which =
        is_inside(from, to) ? &RankWork::inside_messages : &RankWork::outside_messages;
    for (const Rank end : {from, to}) of(end).*which += 0.5;
  }

  void forget_start_ups() {
    for (RankWork& work : ranks_) work.inside_messages = work.outside_messages = 0;
  }

  [[nodiscard]] StageWork most(int processors) const {
    StageWork stage;
    std::vector<RankWork> nodes(leaving_.size());
    for (Rank rank = 0; rank < machine_.ranks(); ++rank) {
      add(nodes[node_of(rank)], ranks_[static_cast<std::size_t>(rank)]);
    }
    for (Rank rank = 0; rank < machine_.ranks(); ++rank) {
      stage.take(ranks_[static_cast<std::size_t>(rank)], nodes[node_of(rank)], processors);
    }
    stage.way_out_bytes = std::max(std::ranges::max(leaving_), std::ranges::max(reaching_));
    return stage;
  }

 private:
  RankWork& of(Rank rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::size_t node_of(Rank rank) const {
    return static_cast<std::size_t>(machine_.node_of(rank));
  }
  [[nodiscard]] bool is_inside(Rank from, Rank to) const {
    return machine_.node_of(from) == machine_.node_of(to);
  }

  const Algorithm& algorithm_;
  const Machine& machine_;
  std::vector<RankWork> ranks_;
  std::vector<double> leaving_;   ///< by node: bytes
  std::vector<double> reaching_;  ///< likewise
};

}  // namespace

TrafficSummary summary_of(const Traffic& traffic, Bytes element) {
  const auto ranks = static_cast<std::size_t>(traffic.ranks());
  TrafficSummary summary;
  const Loads loads = loads_of(traffic, element);
  summary.bound = loads.bound();
  for (const Bytes load : loads.out) summary.total += load;
  std::vector<Rank> received(ranks, 0);
  for (Rank source = 0; source < traffic.ranks(); ++source) {
    const SparseRow row = traffic.sparse_row(source);
    summary.most_messages = std::max(summary.most_messages, static_cast<Rank>(row.size()));
    for (const SparseCount& block : row) ++received[static_cast<std::size_t>(block.destination)];
  }
  summary.most_messages = std::max(summary.most_messages, std::ranges::max(received));
  return summary;
}

std::vector<StageWork> work_of(const Algorithm& algorithm, const Machine& machine, int processors,
                               const Traffic& traffic, Bytes element, CallForm form) {
  TrafficFlow flow(algorithm, traffic, element);
  std::vector<StageWork> work;
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    WorkSums sums(algorithm, machine);
    sums.add_messages(flow.next_stage());
    if (sends_empty_ones(algorithm, stage, form)) {
      sums.forget_start_ups();
      for (Rank rank = 0; rank < algorithm.ranks(); ++rank) {
        for (const Step& step : algorithm.steps(stage, rank)) {
          if (step.to != kNoRank && step.to != rank) sums.add_start_up(rank, step.to);
        }
      }
    }
    work.push_back(sums.most(processors));
  }
  return work;
}

double expected_seconds(const Profile& profile, const Algorithm& algorithm, const Machine& machine,
                        const Traffic& traffic, Bytes element, CallForm form) {
  const int processors = profile.site.rank_processors;
  return expected_seconds(profile, work_of(algorithm, machine, processors, traffic, element, form),
                          machine, form);
}

}  // namespace shunt
