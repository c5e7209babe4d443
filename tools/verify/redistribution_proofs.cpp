#include "tools/verify/redistribution_proofs.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "lab/schedules/block_cyclic_schedule.hpp"
#include "lab/schedules/guo_schedule.hpp"
#include "lab/schedules/length_schedule.hpp"
#include "schedule/axis_graph.hpp"
#include "schedule/redistribution_schedule.hpp"

namespace shunt {

namespace {

using Rows = std::vector<std::vector<Rank>>;

/// The proof of a scheduling table, in which every sender sends in each step. The receiving one is
/// this one turned round.
RedistributionProof prove_rows(const Rows& rows, Rank receivers, int step_count,
                               const std::function<bool(Rank, Rank)>& meet) {
  std::vector<std::vector<Step>> sends(rows.size());
  std::vector<std::vector<Step>> receives(static_cast<std::size_t>(receivers));
  for (int step = 1; step <= step_count; ++step) {
    for (std::size_t sender = 0; sender < rows.size(); ++sender) {
      const Rank receiver = rows[sender][static_cast<std::size_t>(step) - 1];
      sends[sender].push_back({step, receiver, kNoRank});
      receives[static_cast<std::size_t>(receiver)].push_back(
          {step, kNoRank, static_cast<Rank>(sender)});
    }
  }
  const PlacesSteps steps{
      .senders = static_cast<Rank>(rows.size()),
      .receivers = receivers,
      .step_count = step_count,
      .sends = [&](Rank sender) { return sends[static_cast<std::size_t>(sender)]; },
      .receives = [&](Rank receiver) { return receives[static_cast<std::size_t>(receiver)]; },
  };
  return prove_redistribution(steps, meet);
}

/// Of all that meet, in step k from each sender to the receiver k places further.
PlacesSteps shifts(const BlockCyclicClasses& classes) {
  const Rank most = std::max(classes.from().places, classes.to().places);
  return {.senders = classes.from().places,
          .receivers = classes.to().places,
          .step_count = most,
          .sends =
              [&classes, most](Rank sender) {
                std::vector<Step> steps;
                classes.for_each_receiver(sender, [&](Index, Rank receiver) {
                  steps.push_back({(receiver - sender + most) % most + 1, receiver, kNoRank});
                });
                return steps;
              },
          .receives = {}};
}

template <class Schedule>
PlacesSteps steps_of(const Dealing& from, const Dealing& to, const Schedule& schedule) {
  return {.senders = from.places,
          .receivers = to.places,
          .step_count = schedule.step_count(),
          .sends = [&schedule](Rank sender) { return schedule.sends(sender); },
          .receives = [&schedule](Rank receiver) { return schedule.receives(receiver); }};
}

}  // namespace

RedistributionProof prove_algorithm_1(Rank senders, Rank receivers, Index beta) {
  const GuoSchedule schedule(senders, receivers, beta);
  Rows rows(static_cast<std::size_t>(senders));
  for (Rank sender = 0; sender < senders; ++sender) {
    for (Rank step = 1; step <= schedule.step_count(); ++step) {
      rows[static_cast<std::size_t>(sender)].push_back(schedule.receiver(sender, step));
    }
  }
  const BlockCyclicClasses classes({senders, beta}, {receivers, 1});
  return prove_rows(rows, receivers, schedule.step_count(),
                    [&](Rank sender, Rank receiver) { return classes.meet(sender, receiver); });
}

RedistributionProof prove_algorithm_2(const GuoGridSchedule::Axis& rows,
                                      const GuoGridSchedule::Axis& columns) {
  const GuoGridSchedule schedule({rows, columns});
  Rows table;
  for (Rank sender = 0; sender < schedule.senders(); ++sender) {
    table.push_back(schedule.receivers_of(sender));
  }
  const BlockCyclicClasses across(rows.from, rows.to);
  const BlockCyclicClasses along(columns.from, columns.to);
  return prove_rows(
      table, schedule.receivers(), schedule.step_count(), [&](Rank sender, Rank receiver) {
        return across.meet(sender / columns.from.places, receiver / columns.to.places) &&
               along.meet(sender % columns.from.places, receiver % columns.to.places);
      });
}

Bytes steps_of_dimensions(const std::vector<RedistributionAxis>& axes) {
  Bytes steps = 1;
  for (const RedistributionAxis& axis : axes) {
    const auto graph = make_axis_graph(axis);
    steps *= std::max(graph->most_sends(), graph->most_receives());
  }
  return steps;
}

RedistributionProof prove_block_cyclic(const Dealing& from, const Dealing& to) {
  const BlockCyclicSchedule schedule(from, to);
  return prove_redistribution(steps_of(from, to, schedule), [&](Rank sender, Rank receiver) {
    return schedule.meet(sender, receiver);
  });
}

std::vector<RedistributionProof> prove_lengths(const Dealing& from, const Dealing& to,
                                               StepCosts& costs) {
  const BlockCyclicClasses classes(from, to);
  if (classes.meetings() == Index{from.places} * to.places) return {};
  const Index period = std::lcm(from.places * from.block, to.places * to.block);
  const RedistributionSchedule all(
      {{{period, from.block, from.places}, {period, to.block, to.places}, period}});
  std::map<std::pair<Rank, Rank>, Index> lengths;
  for (Rank sender = 0; sender < from.places; ++sender) {
    for (Rank receiver = 0; receiver < to.places; ++receiver) {
      lengths[{sender, receiver}] = all.elements(sender, receiver);
    }
  }
  const auto elements = [&](Rank sender, Rank receiver) { return lengths.at({sender, receiver}); };
  const auto meet = [&](Rank i, Rank j) { return elements(i, j) > 0; };
  const LengthSchedule sorted(all, LengthRule::sorted);
  const LengthSchedule matched(all, LengthRule::matched);
  costs.shifts += step_cost(shifts(classes), elements).over_least();
  costs.fewest +=
      step_cost(steps_of(from, to, BlockCyclicSchedule(from, to)), elements).over_least();
  costs.sorted += step_cost(steps_of(from, to, sorted), elements).over_least();
  costs.matched += step_cost(steps_of(from, to, matched), elements).over_least();
  return {prove_redistribution(steps_of(from, to, sorted), meet),
          prove_redistribution(steps_of(from, to, matched), meet)};
}

}  // namespace shunt
