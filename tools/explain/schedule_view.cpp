#include "tools/explain/schedule_view.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Schedules of more ranks than this are shown in parts only.
constexpr Rank kMostSenders = 128;

}  // namespace

ScheduleView view_of_all(Rank ranks) {
  if (ranks > kMostSenders) {
    throw Error(ErrorKind::argument,
                fmt::format("the schedule of {} ranks is too large to show; use --row, --column "
                            "or --rank",
                            ranks));
  }
  ScheduleView view;
  view.senders.resize(static_cast<std::size_t>(ranks));
  std::iota(view.senders.begin(), view.senders.end(), 0);
  return view;
}

ScheduleView view_of_row(const NodeArray& array, Rank row) {
  if (row < 0 || row >= array.rows()) {
    throw Error(ErrorKind::argument, fmt::format("there is no row {}: the array has rows 0 to {}",
                                                 row, array.rows() - 1));
  }
  ScheduleView view{"Column no.", {}};
  const Rank end = std::min(array.node_at(row + 1, 0), array.nodes());
  for (Rank node = array.node_at(row, 0); node < end; ++node) view.senders.push_back(node);
  return view;
}

ScheduleView view_of_column(const NodeArray& array, Rank column) {
  if (column < 0 || column >= array.columns()) {
    throw Error(ErrorKind::argument,
                fmt::format("there is no column {}: the array has columns 0 to {}", column,
                            array.columns() - 1));
  }
  ScheduleView view{"Row no.", {}};
  for (Rank row = 0; row < array.height(column); ++row) {
    view.senders.push_back(array.node_at(row, column));
  }
  return view;
}

}  // namespace shunt
