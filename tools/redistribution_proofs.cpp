#include "redistribution_proofs.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "schedule/axis_graph.hpp"
#include "schedule/block_cyclic_schedule.hpp"
#include "schedule/guo_schedule.hpp"

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
  const PlacesSteps steps{
      .senders = from.places,
      .receivers = to.places,
      .step_count = schedule.step_count(),
      .sends = [&](Rank sender) { return schedule.sends(sender); },
      .receives = [&](Rank receiver) { return schedule.receives(receiver); },
  };
  return prove_redistribution(
      steps, [&](Rank sender, Rank receiver) { return schedule.meet(sender, receiver); });
}

}  // namespace shunt
