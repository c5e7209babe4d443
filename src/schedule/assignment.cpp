#include "schedule/assignment.hpp"

namespace shunt {

namespace {

/// Rows are assigned one after the other along a path of least cost, where the cost of a pair is by
/// how much its weight falls short of the potentials of both. The free row and column come last.
class Hungarian {
 public:
  explicit Hungarian(const Weights& weights)
      : weights_(weights),
        none_(weights.size()),
        of_row_(none_ + 1, 0),
        of_column_(none_ + 1, 0),
        row_of_(none_ + 1, none_) {}

  std::vector<std::size_t> assign() {
    for (std::size_t row = 0; row < none_; ++row) insert(row);
    std::vector<std::size_t> column_of(none_);
    for (std::size_t column = 0; column < none_; ++column) column_of[row_of_[column]] = column;
    return column_of;
  }

 private:
  void insert(std::size_t row) {
    row_of_[none_] = row;
    reached_.assign(none_ + 1, false);
    is_known_.assign(none_, false);
    slack_.assign(none_, 0);
    before_.assign(none_, none_);
    std::size_t column = none_;
    while (row_of_[column] != none_) column = reach_next(column);
    // Along the path back each column gets the row of the one before it.
    while (column != none_) {
      row_of_[column] = row_of_[before_[column]];
      column = before_[column];
    }
    row_of_[none_] = none_;
  }

  /// Goes on from a column's row to the nearest column that has not been reached.
  std::size_t reach_next(std::size_t column) {
    reached_[column] = true;
    const std::size_t row = row_of_[column];
    std::size_t nearest = none_;
    for (std::size_t other = 0; other < none_; ++other) {
      if (reached_[other]) continue;
      const Weight slack = of_row_[row] + of_column_[other] - weights_.at(row, other);
      if (!is_known_[other] || slack < slack_[other]) {
        is_known_[other] = true;
        slack_[other] = slack;
        before_[other] = column;
      }
      if (nearest == none_ || slack_[other] < slack_[nearest]) nearest = other;
    }
    move_potentials(slack_[nearest]);
    return nearest;
  }

  /// So that the nearest column is at no distance, and all that was before still is.
  void move_potentials(Weight distance) {
    for (std::size_t column = 0; column <= none_; ++column) {
      if (reached_[column]) {
        of_row_[row_of_[column]] -= distance;
        of_column_[column] += distance;
      } else if (column < none_) {
        slack_[column] -= distance;
      }
    }
  }

  const Weights& weights_;
  std::size_t none_;
  std::vector<Weight> of_row_;  ///< potentials
  std::vector<Weight> of_column_;
  std::vector<std::size_t> row_of_;  ///< by column
  std::vector<bool> reached_;        ///< columns, on the way from the row that is inserted
  std::vector<bool> is_known_;
  std::vector<Weight> slack_;        ///< the distance of each column that is known
  std::vector<std::size_t> before_;  ///< the column before each on its path
};

}  // namespace

std::vector<std::size_t> heaviest_assignment(const Weights& weights) {
  return Hungarian(weights).assign();
}

}  // namespace shunt
