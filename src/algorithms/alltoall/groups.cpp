#include <algorithm>

#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/array_exchange.hpp"
#include "schedule/cross_schedule.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr int kCrossStage = 2;
constexpr int kCollectStage = 3;

/// The ranks of one group in the order given, and each rank's place among them.
class Members {
 public:
  Members(Rank ranks, std::vector<Rank> members, const char* what)
      : members_(std::move(members)), place_(static_cast<std::size_t>(ranks), kNoRank) {
    if (members_.empty()) {
      throw Error(ErrorKind::argument, fmt::format("the group of {} is empty", what));
    }
    for (Rank place = 0; place < size(); ++place) {
      const Rank rank = (*this)[place];
      if (rank < 0 || rank >= ranks) {
        throw Error(ErrorKind::rank, fmt::format("the group of {} names rank {}, which is not "
                                                 "between 0 and {}",
                                                 what, rank, ranks - 1));
      }
      Rank& seat = place_[static_cast<std::size_t>(rank)];
      if (seat != kNoRank) {
        throw Error(ErrorKind::rank,
                    fmt::format("the group of {} names rank {} twice", what, rank));
      }
      seat = place;
    }
  }

  [[nodiscard]] Rank size() const { return static_cast<Rank>(members_.size()); }
  [[nodiscard]] Rank operator[](Rank place) const {
    return members_[static_cast<std::size_t>(place)];
  }
  /// kNoRank if `rank` is no member.
  [[nodiscard]] Rank place_of(Rank rank) const { return place_[static_cast<std::size_t>(rank)]; }

 private:
  std::vector<Rank> members_;
  std::vector<Rank> place_;
};

class Groups : public Algorithm {
 public:
  Groups(Rank ranks, std::vector<Rank> senders, std::vector<Rank> receivers, Bytes grain)
      : ranks_(ranks),
        senders_(ranks, std::move(senders), "senders"),
        receivers_(ranks, std::move(receivers), "receivers"),
        spreading_("", Hierarchy::balanced(senders_.size(), 2), Spread::evenly, grain),
        collecting_("", Hierarchy::balanced(receivers_.size(), 2), Spread::none, grain),
        array_(collecting_.hierarchy().top().array),
        grain_(grain),
        complete_(senders_.size(), array_.remainder() > 0 ? array_.remainder() : array_.columns(),
                  array_.rows()),
        incomplete_(senders_.size(),
                    array_.remainder() > 0 ? array_.columns() - array_.remainder() : 0,
                    std::max(array_.rows() - 1, 1)) {}

  [[nodiscard]] std::string name() const override {
    return fmt::format("groups:{}", senders_.size());
  }
  [[nodiscard]] Rank ranks() const override { return ranks_; }
  [[nodiscard]] int stages() const override { return 4; }

  [[nodiscard]] std::string stage_name(int stage) const override {
    if (stage < kCrossStage) return spreading_.stage_name(stage);
    return stage == kCrossStage ? "cross to columns" : collecting_.stage_name(1);
  }

  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    if (stage < kCrossStage) return in_ranks(spreading_, stage, senders_, rank);
    if (stage == kCollectStage) return in_ranks(collecting_, 1, receivers_, rank);
    return cross_steps(rank);
  }

  [[nodiscard]] int step_count(int stage) const override {
    if (stage < kCrossStage) return spreading_.step_count(stage);
    if (stage == kCollectStage) return collecting_.step_count(1);
    return complete_.step_count() + incomplete_.step_count();
  }

  void route(int stage, Rank at, Rank destination, Bytes length,
             std::vector<Piece>& pieces) const override {
    if (length == 0) return;
    const Rank receiver = receivers_.place_of(destination);
    if (stage == kCrossStage) {
      pieces.push_back(
          {receivers_[crossing(senders_.place_of(at), array_.column_of(receiver))], 0, length});
      return;
    }
    const bool spreads = stage < kCrossStage;
    const Members& members = spreads ? senders_ : receivers_;
    const ArrayExchange& exchange = spreads ? spreading_ : collecting_;
    const std::size_t first = pieces.size();
    exchange.route(spreads ? stage : 1, members.place_of(at), receiver, length, pieces);
    for (std::size_t i = first; i < pieces.size(); ++i) pieces[i].to = members[pieces[i].to];
  }

  [[nodiscard]] RecordRule record_rule(int stage, Rank at) const override {
    RecordRule rule;
    rule.dealt = stage < kCrossStage;
    const Members& members = stage <= kCrossStage ? senders_ : receivers_;
    const Rank place = members.place_of(at);
    if (place == kNoRank) return rule;
    if (rule.dealt) {
      rule = spreading_.record_rule(stage, place);
      for (Rank& to : rule.to) to = senders_[to];
      const auto columns = spreading_.hierarchy().group_of(place, stage).array.columns();
      rule.entry.assign(static_cast<std::size_t>(ranks_), 0);
      for (Rank receiver = 0; receiver < receivers_.size(); ++receiver) {
        rule.entry[static_cast<std::size_t>(receivers_[receiver])] = receiver % columns;
      }
      return rule;
    }
    rule.to.assign(static_cast<std::size_t>(ranks_), kNoRank);
    for (Rank receiver = 0; receiver < receivers_.size(); ++receiver) {
      const bool in_reach =
          stage == kCrossStage || array_.column_of(receiver) == array_.column_of(place);
      if (!in_reach) continue;
      const Rank next =
          stage == kCrossStage ? crossing(place, array_.column_of(receiver)) : receiver;
      rule.to[static_cast<std::size_t>(receivers_[receiver])] = receivers_[next];
    }
    return rule;
  }

  [[nodiscard]] bool supports_pair(Rank source, Rank destination) const override {
    return senders_.place_of(source) != kNoRank && receivers_.place_of(destination) != kNoRank;
  }

  [[nodiscard]] StageBound bound(int stage, Rank rank, const TrafficBound& traffic) const override {
    return bound(stage, rank, traffic, Rounding{grain_});
  }

  [[nodiscard]] double predict(const Loads& loads, const LinkCost& cost) const override {
    double seconds = 0;
    for (int stage = 0; stage < stages(); ++stage) {
      const Members& members = stage < kCrossStage ? senders_ : receivers_;
      const Bytes load = bound(stage, members[0], loads.bound(), Rounding{0}).load;
      seconds += step_count(stage) * cost.start_up +
                 static_cast<double>(load) * (cost.per_byte + cost.copy);
    }
    return seconds;
  }

 private:
  /// The receiver of `column` to which `sender` hands what is meant for that column.
  [[nodiscard]] Rank crossing(Rank sender, Rank column) const {
    return array_.node_at(sender % array_.height(column), column);
  }

  /// Senders that cross to the receiver `place`.
  [[nodiscard]] Rank crossers_to(Rank place) const {
    const Rank row = array_.row_of(place);
    if (row >= senders_.size()) return 0;
    return (senders_.size() - 1 - row) / array_.height(array_.column_of(place)) + 1;
  }

  static std::vector<Step> in_ranks(const ArrayExchange& exchange, int stage,
                                    const Members& members, Rank rank) {
    const Rank place = members.place_of(rank);
    if (place == kNoRank) return {};
    std::vector<Step> steps = exchange.steps(stage, place);
    rename_ends(steps, [&](Rank member) { return members[member]; });
    return steps;
  }

  /// First to the complete columns, then to the incomplete ones: each part is free of conflicts by
  /// itself. A rank in both groups sends and receives in the same step.
  [[nodiscard]] std::vector<Step> cross_steps(Rank rank) const {
    const Rank sender = senders_.place_of(rank);
    const Rank receiver = receivers_.place_of(rank);
    std::vector<Step> steps;
    for (int number = 1; number <= step_count(kCrossStage); ++number) {
      const bool first = number <= complete_.step_count();
      const CrossSchedule& cross = first ? complete_ : incomplete_;
      const int step_of_part = first ? number : number - complete_.step_count();
      const Rank first_column = first ? 0 : array_.remainder();
      Step step{number, kNoRank, kNoRank};
      if (sender != kNoRank) {
        const Rank column = cross.send_column(sender, step_of_part);
        if (column != kNoRank) step.to = receivers_[crossing(sender, first_column + column)];
      }
      if (receiver != kNoRank && in_part(first, receiver)) {
        const Rank from = cross.sender_to(array_.row_of(receiver),
                                          array_.column_of(receiver) - first_column, step_of_part);
        if (from != kNoRank) step.from = senders_[from];
      }
      if (step.to != kNoRank || step.from != kNoRank) steps.push_back(step);
    }
    return steps;
  }

  [[nodiscard]] bool in_part(bool complete, Rank receiver) const {
    return complete == (array_.height(array_.column_of(receiver)) == array_.rows());
  }

  [[nodiscard]] StageBound bound(int stage, Rank rank, const TrafficBound& traffic,
                                 Rounding rounding) const {
    const ArrayBounds bounds(spreading_.hierarchy(), true, rounding, traffic, receivers_.size());
    const Rank place = (stage < kCrossStage ? senders_ : receivers_).place_of(rank);
    if (place == kNoRank) return {0, 0, 0};
    if (stage < kCrossStage) {
      const Group group = spreading_.hierarchy().group_of(place, stage);
      const int messages = group.array.contacted_by(group.node_of(place));
      const Bytes longest = bounds.distributed(stage, place);
      return {messages, longest, longest * messages};
    }
    const double share = bounds.largest_share();
    const Rank height = array_.height(array_.column_of(place));
    if (stage == kCrossStage) {
      const Rank messages = crossers_to(place);
      const auto longest = static_cast<Bytes>(share * height);
      return {messages, longest, std::min(longest * messages, height * traffic.largest_load)};
    }
    const Rank crossers = crossers_to(array_.column_of(place));
    const auto longest = static_cast<Bytes>(share * crossers);
    return {height, longest, std::min(longest * height, traffic.largest_load)};
  }

  Rank ranks_;
  Members senders_;
  Members receivers_;
  ArrayExchange spreading_;   ///< over the places of the senders; its first two stages are used
  ArrayExchange collecting_;  ///< over the places of the receivers; its last stage is used
  NodeArray array_;           ///< of the receivers
  Bytes grain_;
  CrossSchedule complete_;
  CrossSchedule incomplete_;
};

}  // namespace

std::unique_ptr<Algorithm> make_groups(Rank ranks, std::vector<Rank> senders,
                                       std::vector<Rank> receivers, Bytes grain) {
  return std::make_unique<Groups>(ranks, std::move(senders), std::move(receivers), grain);
}

}  // namespace shunt
