#include <algorithm>
#include <array>

#include "lab/simulation/stage_times.hpp"

namespace shunt {

namespace {

/// A part of a message that goes one way.
struct Leg {
  Bytes bytes;
  Way tie;  ///< which way round where both are as far: not `both`
};

/// What goes which way; where a half is empty, or the ways are the same, one leg has everything.
std::array<Leg, 2> legs_of(Bytes bytes, Way way) {
  if (way != Way::both) return {{{bytes, way}, {0, way}}};
  return {{{bytes - bytes / 2, Way::forward}, {bytes / 2, Way::backward}}};
}

class Links {
 public:
  Links(const StageMessages& stage, const LinkCost& cost, const ArrayLinks& array,
        const WayRound& way_round)
      : stage_(stage), cost_(cost), array_(array), way_round_(way_round) {
    const std::size_t links = link_place(array.dimensions, stage.classes.count(), 0, 1);
    bytes_.assign(links, 0);
    start_ups_.assign(links, 0);
  }

  StageTimes run() {
    for (const StageMessage& message : stage_.messages) {
      for_each_leg(message, [&](const Leg& leg) { load(message, leg); });
    }
    StageTimes times;
    times.done.assign(static_cast<std::size_t>(stage_.classes.count()), 0);
    for (const StageMessage& message : stage_.messages) {
      double end = 0;
      for_each_leg(message, [&](const Leg& leg) { end = std::max(end, end_of(message, leg)); });
      times.messages.push_back({0, end});
      for (const Rank rank : {message.from, message.to}) {
        double& done = times.done[static_cast<std::size_t>(stage_.classes.class_of(rank))];
        done = std::max(done, end);
      }
    }
    return times;
  }

 private:
  template <class Use>
  void for_each_leg(const StageMessage& message, const Use& use) const {
    if (message.from == message.to) return;
    const Way way = has_tie(array_.dimensions, array_.rim, message.from, message.to)
                        ? way_round_(message.from, message.to)
                        : Way::forward;
    for (const Leg& leg : legs_of(message.bytes, way)) {
      if (leg.bytes > 0) use(leg);
    }
  }

  /// Calls `use` with the place of each link of the way, from the sender on; of alike ranks' links
  /// it is the same.
  template <class Use>
  void for_each_place(const StageMessage& message, const Leg& leg, const Use& use) const {
    for_each_link(
        array_.dimensions, array_.rim, message.from, message.to, leg.tie,
        [&](Rank at, int dimension, Rank sign) {
          use(link_place(array_.dimensions, stage_.classes.class_of(at), dimension, sign));
        });
  }

  void load(const StageMessage& message, const Leg& leg) {
    bool first = true;
    for_each_place(message, leg, [&](std::size_t link) {
      bytes_[link] += leg.bytes;
      if (first) ++start_ups_[link];
      first = false;
    });
  }

  [[nodiscard]] double end_of(const StageMessage& message, const Leg& leg) const {
    Bytes busiest = 0;
    int start_ups = 0;
    for_each_place(message, leg, [&](std::size_t link) {
      if (start_ups == 0) start_ups = start_ups_[link];
      busiest = std::max(busiest, bytes_[link]);
    });
    return start_ups * cost_.start_up + static_cast<double>(busiest) * cost_.per_byte;
  }

  const StageMessages& stage_;
  LinkCost cost_;
  const ArrayLinks& array_;
  const WayRound& way_round_;
  std::vector<Bytes> bytes_;    ///< by link: what it carries
  std::vector<int> start_ups_;  ///< by link: of the messages that begin with it
};

}  // namespace

StageTimes all_ports(const StageMessages& stage, const LinkCost& cost, const ArrayLinks& links,
                     const WayRound& way_round) {
  return Links(stage, cost, links, way_round).run();
}

}  // namespace shunt
