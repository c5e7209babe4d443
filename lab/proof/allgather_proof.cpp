#include "lab/proof/allgather_proof.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lab/proof/checker.hpp"

namespace shunt {

namespace {

/// Which bytes of one block a rank has: disjoint intervals, ascending, none adjacent. One alone,
/// which is what most have, needs no memory of its own.
class Coverage {
 public:
  /// Whether all of [begin, end) is there.
  [[nodiscard]] bool has(Bytes begin, Bytes end) const {
    const auto holds = [&](const Part& part) { return part.first <= begin && end <= part.second; };
    return parts_.empty() ? holds(only_) : std::ranges::any_of(parts_, holds);
  }

  /// Adds [begin, end), which is not empty; says whether none of it was there.
  bool add(Bytes begin, Bytes end) {
    if (parts_.empty()) {
      if (only_.first == only_.second) {
        only_ = {begin, end};
        return true;
      }
      parts_.push_back(only_);
    }
    const auto next = std::ranges::upper_bound(parts_, begin, {}, &Part::first);
    const bool is_new = (next == parts_.end() || end <= next->first) &&
                        (next == parts_.begin() || std::prev(next)->second <= begin);
    auto place = parts_.insert(next, {begin, end});
    if (place != parts_.begin() && std::prev(place)->second >= place->first) --place;
    while (std::next(place) != parts_.end() && std::next(place)->first <= place->second) {
      place->second = std::max(place->second, std::next(place)->second);
      parts_.erase(std::next(place));
    }
    return is_new;
  }

 private:
  using Part = std::pair<Bytes, Bytes>;
  Part only_{0, 0};  ///< unless there are `parts_`; empty: nothing
  std::vector<Part> parts_;
};

class AllgatherProver {
 public:
  AllgatherProver(const Allgather& allgather, const Machine* machine)
      : allgather_(allgather),
        machine_(machine),
        sources_(allgather.sources()),
        place_(static_cast<std::size_t>(sources_.ranks()), 0),
        held_(static_cast<std::size_t>(sources_.ranks()) * sources_.list().size()) {
    for (std::size_t place = 0; place < sources_.list().size(); ++place) {
      const Rank source = sources_.list()[place];
      place_[static_cast<std::size_t>(source)] = place;
      held(source, source).add(0, sources_.length(source));
    }
  }

  Proof prove() {
    for (int stage = 0; stage < allgather_.stages(); ++stage) {
      prove_schedule(stage);
      follow(stage);
    }
    for (Rank rank = 0; rank < sources_.ranks(); ++rank) {
      for (const Rank source : sources_.list()) {
        if (held(rank, source).has(0, sources_.length(source))) continue;
        report(allgather_.stages() - 1,
               fmt::format("rank {} lacks data of rank {} in the end", rank, source));
      }
    }
    return std::move(proof_);
  }

 private:
  void prove_schedule(int stage) {
    int last = 0;
    steps_.clear();
    for (Rank rank = 0; rank < sources_.ranks(); ++rank) {
      steps_.push_back(allgather_.steps(stage, rank));
      for (const Step& step : steps_.back()) last = std::max(last, step.number);
    }
    if (last > allgather_.step_count(stage)) {
      report(stage,
             fmt::format("step {} is beyond the stated {}", last, allgather_.step_count(stage)));
    }
    auto steps_of = [&](Rank rank) { return steps_[static_cast<std::size_t>(rank)]; };
    for (const std::string& sentence : check_schedule(sources_.ranks(), last, steps_of)) {
      report(stage, sentence);
    }
    if (const Machine* const machine = allgather_.port_contention_free_on()) {
      for (const std::string& sentence : check_node_ports(*machine, steps_of)) {
        report(stage, sentence);
      }
    }
    ++proof_.schedules;
  }

  /// Checks all messages of a stage by what ranks hold at its beginning, and then delivers them.
  void follow(int stage) {
    const bool spreads = machine_ != nullptr && allgather_.spreads_in_nodes(stage);
    std::vector<std::pair<Rank, Share>> arrivals;
    for (Rank rank = 0; rank < sources_.ranks(); ++rank) {
      std::vector<std::vector<Share>> to_mates;
      for (const Step& step : steps_[static_cast<std::size_t>(rank)]) {
        if (step.to < 0 || step.to >= sources_.ranks()) continue;
        shares_.clear();
        allgather_.shares(stage, rank, step.to, shares_);
        check_message(stage, rank, step.to);
        if (spreads && are_mates(rank, step.to)) to_mates.push_back(shares_);
        for (const Share& share : shares_) {
          if (is_part(share)) arrivals.emplace_back(step.to, share);
        }
      }
      if (!to_mates.empty()) check_spread(stage, rank, to_mates);
    }
    for (const auto& [rank, share] : arrivals) {
      if (held(rank, share.source).add(share.begin, share.end)) continue;
      report(stage, fmt::format("rank {} receives data of rank {} again", rank, share.source));
    }
  }

  void check_message(int stage, Rank from, Rank to) {
    if (shares_.empty()) {
      report(stage, fmt::format("rank {} sends nothing to rank {}", from, to));
    }
    const Share* previous = nullptr;
    for (const Share& share : shares_) {
      const bool follows = previous == nullptr || previous->source < share.source ||
                           (previous->source == share.source && previous->end < share.begin);
      previous = &share;
      if (!follows || !is_part(share)) {
        report(stage, fmt::format("rank {} sends rank {} the bytes {} to {} of rank {} where they "
                                  "do not belong",
                                  from, to, share.begin, share.end, share.source));
      } else if (!held(from, share.source).has(share.begin, share.end)) {
        report(stage, fmt::format("rank {} sends rank {} data of rank {} that it does not hold",
                                  from, to, share.source));
      }
    }
  }

  void check_spread(int stage, Rank rank, const std::vector<std::vector<Share>>& to_mates) {
    const auto mates = static_cast<std::size_t>(machine_->size_of(machine_->node_of(rank)) - 1);
    const auto differs = [&](const std::vector<Share>& shares) { return shares != to_mates[0]; };
    if (to_mates.size() == mates && std::ranges::none_of(to_mates, differs)) return;
    report(stage, fmt::format("rank {} does not send the same to all of its node", rank));
  }

  [[nodiscard]] bool are_mates(Rank one, Rank other) const {
    return one != other && machine_->node_of(one) == machine_->node_of(other);
  }

  [[nodiscard]] bool is_part(const Share& share) const {
    return share.source >= 0 && share.source < sources_.ranks() && share.begin >= 0 &&
           share.begin < share.end && share.end <= sources_.length(share.source);
  }

  Coverage& held(Rank rank, Rank source) {
    return held_[static_cast<std::size_t>(rank) * sources_.list().size() +
                 place_[static_cast<std::size_t>(source)]];
  }

  void report(int stage, const std::string& sentence) {
    proof_.violations.push_back(fmt::format("{} of {} sources on {} ranks, stage {}: {}",
                                            allgather_.name(), sources_.count(), sources_.ranks(),
                                            stage + 1, sentence));
  }

  const Allgather& allgather_;
  const Machine* machine_;
  const Sources& sources_;
  std::vector<std::size_t> place_;        ///< by source: in the list of sources
  std::vector<Coverage> held_;            ///< by rank, and then by the place of the source
  std::vector<std::vector<Step>> steps_;  ///< of this stage, by rank
  std::vector<Share> shares_;
  Proof proof_;
};

}  // namespace

Proof prove(const Allgather& allgather, const Machine* machine) {
  return AllgatherProver(allgather, machine).prove();
}

}  // namespace shunt
