// Arrays within the columns of arrays: the groups in which a multi-stage exchange takes place.
#pragma once

#include <vector>

#include "schedule/node_array.hpp"
#include "schedule/step.hpp"

namespace shunt {

/// The ranks start, start + stride, start + 2 stride, ... of one level, arranged as an array.
struct Group {
  Rank start;
  Rank stride;
  NodeArray array;

  [[nodiscard]] Rank node_of(Rank rank) const { return (rank - start) / stride; }
  [[nodiscard]] Rank rank_of(Rank node) const { return start + stride * node; }
};

/// All ranks form the group of level 0; each column of a group is a group of the next level; the
/// columns of the last level are single ranks. One level is the plain exchange, two are the node
/// array of Liu 2002, more are its generalisation (Section 5, last paragraph but two).
class Hierarchy {
 public:
  /// `levels` levels of about equally many columns.
  [[nodiscard]] static Hierarchy balanced(Rank ranks, int levels);

  /// Level i has columns[i] columns (fewer in a group that has fewer nodes), and one more level
  /// follows if that leaves more than one node in a column.
  [[nodiscard]] static Hierarchy with_columns(Rank ranks, const std::vector<Rank>& columns);

  [[nodiscard]] Rank ranks() const { return ranks_; }
  [[nodiscard]] int levels() const { return levels_; }

  [[nodiscard]] Group top() const { return {0, 1, array_for(ranks_, 0)}; }

  /// The group that the column `column` of `group`, a group of `level`, forms on the next level.
  [[nodiscard]] Group column_group(const Group& group, int level, Rank column) const;

  /// The group of `level` that `rank` is in.
  [[nodiscard]] Group group_of(Rank rank, int level) const;

  /// The steps of `rank` in the row exchange of its group of `level`, in ranks.
  [[nodiscard]] std::vector<Step> steps(Rank rank, int level) const;

  /// The steps that the row exchange of `level` takes over all groups.
  [[nodiscard]] int step_count(int level) const;

  /// The different sizes that groups of `level` have, ascending.
  [[nodiscard]] std::vector<Rank> group_sizes(int level) const;

  [[nodiscard]] NodeArray array_for(Rank nodes, int level) const;

 private:
  Hierarchy(Rank ranks, int levels, std::vector<Rank> columns)
      : ranks_(ranks), levels_(levels), columns_(std::move(columns)) {}

  Rank ranks_;
  int levels_;
  std::vector<Rank> columns_;  ///< by level; empty: balanced
};

}  // namespace shunt
