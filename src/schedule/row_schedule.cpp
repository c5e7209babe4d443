#include "schedule/row_schedule.hpp"

#include "schedule/cross_schedule.hpp"

namespace shunt {

namespace {

Rank modulo(Rank value, Rank base) {
  const Rank rest = value % base;
  return rest < 0 ? rest + base : rest;
}

/// One row m < r of an array that fits the priority schedule.
class PriorityRow {
 public:
  PriorityRow(const NodeArray& array, Rank row)
      : array_(array), row_(row), columns_(array.columns()), remainder_(array.remainder()) {}

  [[nodiscard]] int last_step() const { return columns_ + 1; }

  /// Column to which column `column` sends in `step`; kNoRank if it stalls or is through.
  [[nodiscard]] Rank send_column(Rank column, int step) const {
    int number = step;
    if (stalls(column)) {
      const int stall = stall_step(column);
      if (step == stall) return kNoRank;
      if (step > stall) number = step - 1;
    }
    return number <= columns_ ? (column + number) % columns_ : kNoRank;
  }

  /// Node from which column `column` of this row receives in `step`.
  [[nodiscard]] Rank sender_to(Rank column, int step) const {
    if (column >= remainder_ && step == column - row_) {
      return array_.node_at(array_.rows() - 1, row_);
    }
    if (step <= columns_) {
      const Rank punctual = modulo(column - step, columns_);
      if (!delayed(punctual, column)) return array_.node_at(row_, punctual);
    }
    if (step >= 2) {
      const Rank late = modulo(column - step + 1, columns_);
      if (delayed(late, column)) return array_.node_at(row_, late);
    }
    return kNoRank;
  }

 private:
  [[nodiscard]] bool stalls(Rank column) const { return column <= row_ || column >= remainder_; }

  [[nodiscard]] int stall_step(Rank column) const {
    return modulo(remainder_ - column - 1, columns_) + 1;
  }

  /// Whether the message from `sender` to `receiver` leaves after the sender's stall.
  [[nodiscard]] bool delayed(Rank sender, Rank receiver) const {
    return receiver >= remainder_ ? sender <= row_ || sender >= receiver
                                  : receiver <= sender && sender <= row_;
  }

  const NodeArray& array_;
  Rank row_;
  Rank columns_;
  Rank remainder_;
};

void append_if_busy(std::vector<Step>& steps, const Step& step) {
  if (step.to != kNoRank || step.from != kNoRank) steps.push_back(step);
}

void append_priority_row(const NodeArray& array, Rank node, std::vector<Step>& steps) {
  const Rank row = array.row_of(node);
  const Rank column = array.column_of(node);
  const PriorityRow schedule(array, row);
  for (int number = 1; number <= schedule.last_step(); ++number) {
    const Rank to = schedule.send_column(column, number);
    append_if_busy(steps, {number, to == kNoRank ? kNoRank : array.node_at(row, to),
                           schedule.sender_to(column, number)});
  }
}

/// A row without stalls. The incomplete one receives from its own nodes only; where the additional
/// messages are not part of the row's steps, they are left out here.
void append_row(const NodeArray& array, Rank node, bool additional, std::vector<Step>& steps) {
  const bool complete = !array.in_incomplete_row(node);
  const Rank row = array.row_of(node);
  const Rank column = array.column_of(node);
  const Rank columns = array.columns();
  for (int number = 1; number <= columns; ++number) {
    const Rank to = (column + number) % columns;
    const Rank from = modulo(column - number, columns);
    const bool sends = complete || additional || to < array.remainder();
    const bool receives = complete || from < array.remainder();
    append_if_busy(steps, {number, sends ? array.contact(node, to) : kNoRank,
                           receives ? array.node_at(row, from) : kNoRank});
  }
}

/// The additional messages of an array that does not fit the priority schedule: the r nodes of the
/// incomplete row to the C-r incomplete columns of R-1 nodes each.
CrossSchedule additional_messages(const NodeArray& array) {
  return {array.remainder(), array.columns() - array.remainder(), array.rows() - 1};
}

void append_additional(const NodeArray& array, Rank node, std::vector<Step>& steps) {
  const CrossSchedule cross = additional_messages(array);
  const Rank first_column = array.remainder();
  const bool sends = array.in_incomplete_row(node);
  const bool receives = !sends && array.column_of(node) >= first_column;
  if (!sends && !receives) return;
  for (int number = 1; number <= cross.step_count(); ++number) {
    Step step{array.columns() + number, kNoRank, kNoRank};
    if (sends) {
      const Rank column = cross.send_column(array.column_of(node), number);
      if (column != kNoRank) step.to = array.contact(node, first_column + column);
    } else {
      const Rank sender =
          cross.sender_to(array.row_of(node), array.column_of(node) - first_column, number);
      if (sender != kNoRank) step.from = array.node_at(array.rows() - 1, sender);
    }
    append_if_busy(steps, step);
  }
}

}  // namespace

std::vector<Step> row_steps(const NodeArray& array, Rank node) {
  std::vector<Step> steps;
  steps.reserve(static_cast<std::size_t>(row_step_count(array)));
  const bool priority = array.fits_priority_schedule();
  if (priority && array.row_of(node) < array.remainder()) {
    append_priority_row(array, node, steps);
  } else {
    append_row(array, node, priority, steps);
  }
  if (!priority) append_additional(array, node, steps);
  return steps;
}

int row_step_count(const NodeArray& array) {
  if (array.remainder() == 0) return array.columns();
  if (array.fits_priority_schedule()) return array.columns() + 1;
  return array.columns() + additional_messages(array).step_count();
}

}  // namespace shunt
