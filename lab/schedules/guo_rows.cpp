#include "lab/schedules/guo_rows.hpp"

#include "lab/schedules/guo_grid_schedule.hpp"
#include "lab/schedules/guo_schedule.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

using Rows = std::vector<std::vector<Rank>>;

Rows rows_of(const GuoSchedule& schedule) {
  Rows rows(static_cast<std::size_t>(schedule.senders()));
  for (Rank sender = 0; sender < schedule.senders(); ++sender) {
    for (Rank step = 1; step <= schedule.step_count(); ++step) {
      rows[static_cast<std::size_t>(sender)].push_back(schedule.receiver(sender, step));
    }
  }
  return rows;
}

Rows rows_of(const GuoGridSchedule& schedule) {
  Rows rows;
  for (Rank sender = 0; sender < schedule.senders(); ++sender) {
    rows.push_back(schedule.receivers_of(sender));
  }
  return rows;
}

}  // namespace

std::optional<Rows> guo_rows(const std::vector<BlockCyclic>& from,
                             const std::vector<BlockCyclic>& to) {
  if (from.size() == 1) {
    const BlockCyclic& sending = from.front();
    const BlockCyclic& receiving = to.front();
    if (sending.block % receiving.block != 0 || sending.places > receiving.places) {
      return std::nullopt;
    }
    return rows_of(GuoSchedule(sending.places, receiving.places, sending.block / receiving.block));
  }
  std::vector<GuoGridSchedule::Axis> axes;
  for (std::size_t k = 0; k < from.size(); ++k) {
    axes.push_back({{from[k].places, from[k].block}, {to[k].places, to[k].block}});
  }
  try {
    return rows_of(GuoGridSchedule(axes));
  } catch (const Error&) {
    return std::nullopt;  // It does not apply.
  }
}

}  // namespace shunt
