#include "schedule/row_schedule.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "lab/proof/checker.hpp"
#include "lab/schedules/unrevised_rows.hpp"

namespace shunt {
namespace {

constexpr Rank kStall = kNoRank;

std::vector<std::string> check(const NodeArray& array) {
  return check_schedule(array.nodes(), row_step_count(array),
                        [&](Rank node) { return row_steps(array, node); });
}

/// Whether `node` sends to its contact in each column once, and to nobody else.
bool serves_each_column(const NodeArray& array, Rank node) {
  std::vector<Rank> expected;
  for (Rank column = 0; column < array.columns(); ++column) {
    expected.push_back(array.contact(node, column));
  }
  std::vector<Rank> sent;
  for (const Step& step : row_steps(array, node)) {
    if (step.to != kNoRank) sent.push_back(step.to);
  }
  std::ranges::sort(expected);
  std::ranges::sort(sent);
  return sent == expected;
}

/// The receivers of `node` by step, with kStall where it waits, up to its last send.
std::vector<Rank> receivers(const std::vector<Step>& steps) {
  std::vector<Rank> by_step;
  for (const Step& step : steps) {
    if (step.to == kNoRank) continue;
    by_step.resize(static_cast<std::size_t>(step.number), kStall);
    by_step.back() = step.to;
  }
  return by_step;
}

/// A row m < r by the printed rule, corrected by one step: the plain R-Schedule, into which node
/// (m+C-k) mod C inserts a stall in step r-m+k, for k = 0..C-r+m.
std::vector<std::vector<Rank>> reference_row(const NodeArray& array, Rank row) {
  const Rank columns = array.columns();
  std::vector<std::vector<Rank>> sends(static_cast<std::size_t>(columns));
  for (Rank column = 0; column < columns; ++column) {
    for (Rank step = 1; step <= columns; ++step) {
      sends[static_cast<std::size_t>(column)].push_back(
          array.node_at(row, (column + step) % columns));
    }
  }
  for (Rank k = 0; k <= columns - array.remainder() + row; ++k) {
    auto& stalling = sends[static_cast<std::size_t>((row + columns - k) % columns)];
    stalling.insert(stalling.begin() + (array.remainder() - row + k - 1), kStall);
  }
  return sends;
}

TEST(RowSchedule, IsFreeOfConflictsForEveryRowUpTo2000) {
  for (Rank ranks = 1; ranks <= 2000; ++ranks) {
    const NodeArray array = NodeArray::balanced(ranks, 2);
    ASSERT_EQ(row_step_count(array), array.columns() + (array.remainder() > 0 ? 1 : 0)) << ranks;
    const auto violations = check(array);
    ASSERT_TRUE(violations.empty()) << ranks << " ranks: " << violations.front();
  }
}

TEST(RowSchedule, ServesEachColumnOnce) {
  for (Rank ranks = 1; ranks <= 700; ++ranks) {
    const NodeArray array = NodeArray::balanced(ranks, 2);
    for (Rank node = 0; node < ranks; ++node) {
      ASSERT_TRUE(serves_each_column(array, node)) << ranks << " ranks, node " << node;
    }
  }
}

TEST(RowSchedule, UsesTheNetworkWithinAsManyStepsAsColumns) {
  for (Rank ranks = 1; ranks <= 2000; ++ranks) {
    const NodeArray array = NodeArray::balanced(ranks, 2);
    for (Rank node = 0; node < ranks; ++node) {
      const std::vector<Step> steps = row_steps(array, node);
      if (steps.back().number <= array.columns()) continue;
      ASSERT_TRUE(steps.back().to == node || steps.back().to == kNoRank) << ranks << " " << node;
      ASSERT_TRUE(steps.back().from == node || steps.back().from == kNoRank)
          << ranks << " " << node;
    }
  }
}

TEST(RowSchedule, StallsByTheCorrectedPrintedRule) {
  for (Rank ranks = 1; ranks <= 500; ++ranks) {
    const NodeArray array = NodeArray::balanced(ranks, 2);
    for (Rank row = 0; row < array.remainder(); ++row) {
      const auto reference = reference_row(array, row);
      for (Rank column = 0; column < array.columns(); ++column) {
        ASSERT_EQ(receivers(row_steps(array, array.node_at(row, column))),
                  reference[static_cast<std::size_t>(column)])
            << ranks << " ranks, row " << row << ", column " << column;
      }
    }
  }
}

TEST(RowSchedule, IsTheFigure10OfLiu2002) {
  const NodeArray array = NodeArray::balanced(61, 2);
  constexpr Rank X = kStall;
  const std::map<Rank, std::vector<Rank>> figure{
      {16, {17, 18, 19, 20, X, 21, 22, 23, 16}}, {17, {18, 19, 20, X, 21, 22, 23, 16, 17}},
      {18, {19, 20, X, 21, 22, 23, 16, 17, 18}}, {19, {20, 21, 22, 23, 16, 17, 18, 19}},
      {20, {21, 22, 23, 16, 17, 18, 19, 20}},    {21, {22, 23, 16, 17, 18, 19, 20, X, 21}},
      {22, {23, 16, 17, 18, 19, 20, X, 21, 22}}, {23, {16, 17, 18, 19, 20, X, 21, 22, 23}},
      {58, {59, 60, 21, 22, 23, 56, 57, 58}}};
  for (const auto& [node, column] : figure) {
    EXPECT_EQ(receivers(row_steps(array, node)), column) << "node " << node;
  }
}

TEST(RowSchedule, UnrevisedCollidesAsInFigure9OfLiu2002) {
  const NodeArray array = NodeArray::balanced(61, 2);
  EXPECT_EQ(receivers(unrevised_row_sends(array, 16)),
            (std::vector<Rank>{17, 18, 19, 20, 21, 22, 23, 16}));
  EXPECT_EQ(receivers(unrevised_row_sends(array, 58)),
            (std::vector<Rank>{59, 60, 21, 22, 23, 56, 57, 58}));
  std::map<std::pair<int, Rank>, std::vector<Rank>> senders;
  for (Rank node = 0; node < 61; ++node) {
    for (const Step& step : unrevised_row_sends(array, node)) {
      senders[{step.number, step.to}].push_back(node);
    }
  }
  std::map<std::pair<int, Rank>, std::vector<Rank>> in_third_row;
  for (const auto& [place, nodes] : senders) {
    if (nodes.size() > 1 && array.row_of(place.second) == 2) in_third_row[place] = nodes;
  }
  const std::map<std::pair<int, Rank>, std::vector<Rank>> figure{
      {{3, 21}, {18, 58}}, {{4, 22}, {18, 58}}, {{5, 23}, {18, 58}}};
  EXPECT_EQ(in_third_row, figure);
}

TEST(RowSchedule, OfOneRowIsTheCyclicShift) {
  for (Rank nodes = 1; nodes <= 40; ++nodes) {
    const NodeArray array(nodes, nodes);
    for (Rank node = 0; node < nodes; ++node) {
      const std::vector<Step> steps = row_steps(array, node);
      ASSERT_EQ(std::ssize(steps), nodes);
      for (Rank t = 1; t <= nodes; ++t) {
        const Step expected{t, (node + t) % nodes, (node - t + nodes) % nodes};
        ASSERT_EQ(steps[static_cast<std::size_t>(t - 1)], expected) << nodes << " " << node;
      }
    }
  }
}

TEST(RowSchedule, RunsOnAnyNumberOfColumns) {
  for (Rank ranks = 1; ranks <= 120; ++ranks) {
    for (Rank columns = 1; columns <= ranks; ++columns) {
      const NodeArray array(ranks, columns);
      const auto violations = check(array);
      ASSERT_TRUE(violations.empty())
          << ranks << " ranks in " << columns << " columns: " << violations.front();
      for (Rank node = 0; node < ranks; ++node) {
        ASSERT_TRUE(serves_each_column(array, node)) << ranks << " " << columns << " " << node;
      }
    }
  }
}

}  // namespace
}  // namespace shunt
