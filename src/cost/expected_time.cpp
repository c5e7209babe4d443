#include "cost/expected_time.hpp"

#include <algorithm>
#include <limits>

namespace shunt {

namespace {

TrafficBound in_equal_blocks(Bytes load, Rank ranks) {
  return {load, load / ranks + (load % ranks > 0 ? 1 : 0)};
}

/// What the summary says about some ranks of a node that has the most of them, stage by stage. The
/// others are taken to be like these.
class BoundedWork {
 public:
  BoundedWork(const Algorithm& algorithm, const Machine& machine, const TrafficSummary& traffic,
              CallForm form)
      : algorithm_(algorithm),
        machine_(machine),
        traffic_(traffic),
        form_(form),
        equal_blocks_(in_equal_blocks(traffic.bound.largest_load, machine.ranks())),
        node_(machine.largest_node()),
        node_total_(static_cast<double>(traffic.total) * machine.size_of(node_) / machine.ranks()),
        destinations_(machine.ranks()),
        streams_(std::min(traffic.most_messages, machine.ranks())) {}

  StageWork next(int stage, int processors) {
    const std::span<const Rank> ranks = machine_.ranks_of(node_);
    RankWork busiest;
    RankWork node;
    double most_messages = 1;
    const auto take = [&](Rank rank, double times) {
      const RankWork work = work_of_rank(stage, rank, most_messages);
      add(node, work, times);
      for (const auto which : kRankWorks) busiest.*which = std::max(busiest.*which, work.*which);
    };
    // The first one often leads the node.
    take(ranks.front(), 1);
    const std::size_t others = ranks.size() - 1;
    const std::size_t samples = std::min(others, kMostSamples);
    for (std::size_t k = 0; k < samples; ++k) {
      take(ranks[1 + k * others / samples],
           static_cast<double>(others) / static_cast<double>(samples));
    }
    // A bound for each rank is more than all of them can have.
    limit(busiest, static_cast<double>(traffic_.total));
    limit(node, std::max(node_total_,
                         std::max({busiest.copied, busiest.inside_bytes, busiest.outside_bytes})));
    StageWork work;
    work.take(busiest, node, processors);
    work.way_out_bytes = node.outside_bytes;
    pass_on(stage, ranks.front(), most_messages);
    return work;
  }

 private:
  static constexpr std::size_t kMostSamples = 3;

  /// What a rank holds then: what as many more ranks had, for as many fewer destinations, unless
  /// the stage only spreads the streams.
  void pass_on(int stage, Rank rank, double most_messages) {
    if (stage + 1 == algorithm_.stages()) return;
    std::vector<Piece> pieces;
    constexpr Bytes kLong = Bytes{1} << 30;
    algorithm_.route(stage, rank, rank, kLong, pieces);
    if (pieces.size() == 1) destinations_ = std::max(1.0, destinations_ / most_targets_);
    sources_ = std::min<double>(machine_.ranks(), sources_ * most_messages);
    streams_ = std::min(destinations_, traffic_.most_messages * sources_);
    most_targets_ = 1;
  }

  static void limit(RankWork& work, double bytes) {
    for (const auto which : {&RankWork::copied, &RankWork::inside_bytes, &RankWork::outside_bytes})
      work.*which = std::min(work.*which, bytes);
  }

  [[nodiscard]] RankWork work_of_rank(int stage, Rank rank, double& most_messages) {
    double targets = 0;
    double inside = 0;
    double outside = 0;
    double own = 0;
    for (const Step& step : algorithm_.steps(stage, rank)) {
      targets += step.to == kNoRank ? 0 : 1;
      for (const Rank peer : {step.to, step.from}) {
        if (peer == kNoRank) continue;
        const bool near = machine_.node_of(peer) == machine_.node_of(rank);
        (peer == rank ? own : near ? inside : outside) += 0.5;
      }
    }
    const double all = std::max(own + inside + outside, 1.0);
    most_messages = std::max(most_messages, all);
    most_targets_ = std::max(most_targets_, targets);
    const auto load = static_cast<double>(algorithm_.bound(stage, rank, equal_blocks_).load);
    const double sent = sends_empty_ones(algorithm_, stage, form_)
                            ? 1
                            : std::min(1.0, std::max(streams_, 0.0) / all);
    RankWork work;
    if (algorithm_.stages() > 1) {
      work.pieces = std::max(streams_, std::min(streams_, 1.0) * all);
      work.copied = load;
    }
    work.inside_messages = inside * sent;
    work.outside_messages = outside * sent;
    const double kept = algorithm_.stages() == 1 ? kKeptCopies * own : 0;
    work.inside_bytes = load * (inside + kept) / all;
    work.outside_bytes = load * outside / all;
    return work;
  }

  const Algorithm& algorithm_;
  const Machine& machine_;
  const TrafficSummary& traffic_;
  CallForm form_;
  TrafficBound equal_blocks_;  ///< of the largest load: no other is as near to most traffics
  Rank node_;
  double node_total_;    ///< bytes that the ranks of the node have in all, if ranks have as much
  double sources_ = 1;   ///< ranks whose streams one rank has
  double destinations_;  ///< that a rank may have streams for
  double most_targets_ = 1;  ///< of a rank's messages in this stage
  double streams_;           ///< that are not empty, of one rank
};

}  // namespace

double crowd_of(const Machine& machine, int processors) {
  return std::max(1.0, 1.0 * machine.size_of(machine.largest_node()) / processors);
}

TrafficSummary any_traffic(const TrafficBound& bound, Rank ranks) {
  TrafficSummary summary{bound, ranks, 0};
  if (__builtin_mul_overflow(bound.largest_load, ranks, &summary.total)) {
    summary.total = std::numeric_limits<Bytes>::max();
  }
  return summary;
}

std::vector<StageWork> work_within(const Algorithm& algorithm, const Machine& machine,
                                   int processors, const TrafficSummary& traffic, CallForm form) {
  BoundedWork bounded(algorithm, machine, traffic, form);
  std::vector<StageWork> work;
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    work.push_back(bounded.next(stage, processors));
  }
  return work;
}

std::vector<double> amounts_of(std::span<const StageWork> work, double crowd) {
  StageWork sum;
  double far_bytes = 0;
  for (const StageWork& stage : work) {
    add(sum, stage);
    far_bytes += std::max(0.0, stage.inside_bytes + stage.copied - kNearBytes);
    sum.way_out_bytes += stage.way_out_bytes;
  }
  const auto stages = static_cast<double>(work.size());
  return {crowd,
          (stages - 1) * crowd,
          sum.pieces,
          sum.copied,
          sum.inside_messages,
          sum.inside_bytes,
          far_bytes,
          sum.outside_messages,
          sum.outside_bytes,
          sum.way_out_bytes};
}

double expected_seconds(const Profile& profile, std::span<const StageWork> work,
                        const Machine& machine, CallForm form) {
  const std::vector<double> amounts =
      amounts_of(work, crowd_of(machine, profile.site.rank_processors));
  double seconds = 0;
  for (std::size_t k = 0; k < amounts.size(); ++k) {
    seconds += amounts[k] * profile.costs(form).*kCostKeys[k].cost;
  }
  return seconds;
}

double expected_seconds(const Profile& profile, const Algorithm& algorithm, const Machine& machine,
                        const TrafficSummary& traffic, CallForm form) {
  const int processors = profile.site.rank_processors;
  return expected_seconds(profile, work_within(algorithm, machine, processors, traffic, form),
                          machine, form);
}

}  // namespace shunt
