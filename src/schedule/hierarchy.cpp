#include "schedule/hierarchy.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "schedule/row_schedule.hpp"
#include "shunt/error.hpp"

namespace shunt {

Hierarchy Hierarchy::balanced(Rank ranks, int levels) {
  if (ranks < 1) {
    throw Error(ErrorKind::argument, fmt::format("the number of ranks is {}, not positive", ranks));
  }
  if (levels < 1 || levels > 30) {
    throw Error(ErrorKind::argument,
                fmt::format("the number of levels is {}, not between 1 and 30", levels));
  }
  return {ranks, levels, {}};
}

Hierarchy Hierarchy::with_columns(Rank ranks, const std::vector<Rank>& columns) {
  Hierarchy hierarchy = balanced(ranks, 1);
  if (columns.empty() || std::ranges::any_of(columns, [](Rank count) { return count < 1; })) {
    throw Error(ErrorKind::argument,
                fmt::format("the dimensions are {}, not one or more positive numbers",
                            fmt::join(columns, "x")));
  }
  hierarchy.columns_ = columns;
  Rank nodes = ranks;
  for (const Rank count : columns) nodes = (nodes - 1) / count + 1;
  hierarchy.levels_ = static_cast<int>(columns.size()) + (nodes > 1 ? 1 : 0);
  return hierarchy;
}

NodeArray Hierarchy::array_for(Rank nodes, int level) const {
  if (columns_.empty()) return NodeArray::balanced(nodes, levels_ - level);
  if (level == levels_ - 1) return {nodes, nodes};
  return {nodes, std::min(columns_[static_cast<std::size_t>(level)], nodes)};
}

Group Hierarchy::column_group(const Group& group, int level, Rank column) const {
  return {group.rank_of(column), group.stride * group.array.columns(),
          array_for(group.array.height(column), level + 1)};
}

Group Hierarchy::group_of(Rank rank, int level) const {
  Group group = top();
  for (int above = 0; above < level; ++above) {
    group = column_group(group, above, group.array.column_of(group.node_of(rank)));
  }
  return group;
}

std::vector<Step> Hierarchy::steps(Rank rank, int level) const {
  const Group group = group_of(rank, level);
  std::vector<Step> steps = row_steps(group.array, group.node_of(rank));
  rename_ends(steps, [&](Rank node) { return group.rank_of(node); });
  return steps;
}

int Hierarchy::step_count(int level) const {
  int count = 0;
  for (const Rank nodes : group_sizes(level)) {
    count = std::max(count, row_step_count(array_for(nodes, level)));
  }
  return count;
}

std::vector<Rank> Hierarchy::group_sizes(int level) const {
  std::vector<Rank> sizes{ranks_};
  for (int above = 0; above < level; ++above) {
    std::vector<Rank> heights;
    for (const Rank nodes : sizes) {
      const NodeArray array = array_for(nodes, above);
      heights.push_back(array.height(0));
      heights.push_back(array.height(array.columns() - 1));
    }
    std::ranges::sort(heights);
    heights.erase(std::ranges::unique(heights).begin(), heights.end());
    sizes = std::move(heights);
  }
  return sizes;
}

}  // namespace shunt
