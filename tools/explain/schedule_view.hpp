// Which ranks a drawn schedule shows.
#pragma once

#include <string>
#include <vector>

#include "schedule/node_array.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// The senders whose schedule is shown, ascending, and what their places in it are called.
struct ScheduleView {
  std::string numbered;
  std::vector<Rank> senders;
};

/// Throws Error(argument) for more ranks than can be shown.
[[nodiscard]] ScheduleView view_of_all(Rank ranks);

/// Throw Error(argument) where the array has no such row or column.
[[nodiscard]] ScheduleView view_of_row(const NodeArray& array, Rank row);
[[nodiscard]] ScheduleView view_of_column(const NodeArray& array, Rank column);

}  // namespace shunt
