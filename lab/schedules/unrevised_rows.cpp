#include "lab/schedules/unrevised_rows.hpp"

namespace shunt {

std::vector<Step> unrevised_row_sends(const NodeArray& array, Rank node) {
  std::vector<Step> steps;
  for (int number = 1; number <= array.columns(); ++number) {
    const Rank column = (array.column_of(node) + number) % array.columns();
    steps.push_back({number, array.contact(node, column), kNoRank});
  }
  return steps;
}

}  // namespace shunt
