// Which ranks exchange messages, step by step, when every sender has one message for each column of
// a receiver array.
#pragma once

#include <algorithm>

#include "shunt/types.hpp"

namespace shunt {

/// `senders` senders, each with one message for every one of `columns` columns of `height`
/// receivers. Sender s = rho + height * u hands its messages to the receivers of row rho, and in
/// step t (1-based) serves column (u + t - 1) mod T, T = step_count(). Two senders of one row
/// differ in u, u < T, so they never serve the same column in one step.
class CrossSchedule {
 public:
  CrossSchedule(Rank senders, Rank columns, Rank height)
      : senders_(senders),
        columns_(columns),
        height_(height),
        steps_(senders == 0 || columns == 0 ? 0 : std::max(columns, (senders - 1) / height + 1)) {}

  [[nodiscard]] int step_count() const { return steps_; }

  /// The column that `sender` serves in `step`; kNoRank if none.
  [[nodiscard]] Rank send_column(Rank sender, int step) const {
    const Rank column = (sender / height_ + step - 1) % steps_;
    return column < columns_ ? column : kNoRank;
  }

  /// The sender that serves the receiver at (`row`, `column`) in `step`; kNoRank if none.
  [[nodiscard]] Rank sender_to(Rank row, Rank column, int step) const {
    const Rank turn = (column - (step - 1) % steps_ + steps_) % steps_;
    const Bytes sender = row + Bytes{height_} * turn;
    return sender < senders_ ? static_cast<Rank>(sender) : kNoRank;
  }

 private:
  Rank senders_;
  Rank columns_;
  Rank height_;
  int steps_;
};

}  // namespace shunt
