#include "schedule/node_array.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "shunt/error.hpp"

namespace shunt {
namespace {

struct Shape {
  Rank columns;
  Rank rows;
  Rank remainder;

  friend bool operator==(const Shape&, const Shape&) = default;
};

Shape shape_of(const NodeArray& array) {
  return {array.columns(), array.rows(), array.remainder()};
}

/// The rule as the paper states it, in its own terms.
Shape reference_shape(Rank ranks) {
  Rank ceiling = 0;
  while (ceiling * ceiling < ranks) ++ceiling;
  const Rank floor = ceiling * ceiling == ranks ? ceiling : ceiling - 1;
  auto shape = [&](Rank columns) {
    return Shape{columns, (ranks + columns - 1) / columns, ranks % columns};
  };
  const Shape first = shape(ceiling);
  return first.remainder > 0 && first.remainder > first.rows - 1 ? shape(floor) : first;
}

bool is_one_less_than_q_times_q_plus_1(Rank ranks) {
  for (Rank q = 2; q * (q + 1) - 1 <= ranks; ++q) {
    if (q * (q + 1) - 1 == ranks) return true;
  }
  return false;
}

TEST(NodeArray, DegenerateShapes) {
  EXPECT_EQ(shape_of(NodeArray::balanced(1, 2)), (Shape{1, 1, 0}));
  EXPECT_EQ(shape_of(NodeArray::balanced(2, 2)), (Shape{2, 1, 0}));
  EXPECT_EQ(shape_of(NodeArray::balanced(3, 2)), (Shape{2, 2, 1}));
  EXPECT_EQ(shape_of(NodeArray::balanced(5, 2)), (Shape{2, 3, 1}));
}

TEST(NodeArray, FollowsTheRuleUpTo200000) {
  for (Rank ranks = 1; ranks <= 200000; ++ranks) {
    const NodeArray array = NodeArray::balanced(ranks, 2);
    ASSERT_EQ(shape_of(array), reference_shape(ranks)) << ranks << " ranks";
    ASSERT_LE(array.remainder(), array.remainder() == 0 ? 0 : array.rows() - 1) << ranks;
    ASSERT_TRUE(array.fits_priority_schedule()) << ranks;
  }
}

TEST(NodeArray, IsRearrangedExactlyBelowProductsOfNeighbours) {
  for (Rank ranks = 1; ranks <= 3000; ++ranks) {
    const auto ceiling = static_cast<Rank>(std::ceil(std::sqrt(ranks)));
    const NodeArray array = NodeArray::balanced(ranks, 2);
    ASSERT_EQ(array.columns() != ceiling, is_one_less_than_q_times_q_plus_1(ranks)) << ranks;
    if (array.columns() == ceiling) continue;
    const Rank q = ceiling - 1;
    ASSERT_EQ(shape_of(array), (Shape{q, q + 1, q - 1})) << ranks;
  }
}

TEST(NodeArray, HeightsAddUpTo200000) {
  for (Rank ranks = 1; ranks <= 200000; ++ranks) {
    const NodeArray array = NodeArray::balanced(ranks, 2);
    Rank before = 0;
    for (Rank column = 0; column < array.columns(); ++column) {
      ASSERT_EQ(array.nodes_before(column), before) << ranks << " ranks, column " << column;
      const Rank height = (ranks - 1 - column) / array.columns() + 1;
      ASSERT_EQ(array.height(column), height) << ranks << " ranks, column " << column;
      before += height;
    }
    ASSERT_EQ(before, ranks);
    ASSERT_EQ(array.nodes_before(array.columns()), ranks);
  }
}

TEST(NodeArray, ContactsAreTheRowsOwnNodesOrSpreadOverTheIncompleteColumns) {
  for (Rank ranks = 1; ranks <= 300; ++ranks) {
    const NodeArray array = NodeArray::balanced(ranks, 2);
    std::vector<Rank> contacted(static_cast<std::size_t>(ranks), 0);
    Rank additional = 0;
    for (Rank node = 0; node < ranks; ++node) {
      ASSERT_EQ(array.node_at(array.row_of(node), array.column_of(node)), node);
      for (Rank column = 0; column < array.columns(); ++column) {
        const bool missing = array.in_incomplete_row(node) && column >= array.remainder();
        additional += missing ? 1 : 0;
        const Rank row = missing ? array.column_of(node) : array.row_of(node);
        const Rank contact = array.contact(node, column);
        ASSERT_EQ(contact, array.node_at(row, column)) << ranks << " ranks, node " << node;
        ASSERT_LT(contact, ranks);
        ++contacted[static_cast<std::size_t>(contact)];
      }
    }
    ASSERT_EQ(additional, array.remainder() * (array.columns() - array.remainder())) << ranks;
    for (Rank node = 0; node < ranks; ++node) {
      ASSERT_EQ(array.contacted_by(node), contacted[static_cast<std::size_t>(node)])
          << ranks << " ranks, node " << node;
      ASSERT_LE(array.contacted_by(node), array.columns() + 1);
    }
  }
}

TEST(NodeArray, ContactsOfAnyNumberOfColumnsAreCounted) {
  for (Rank ranks = 1; ranks <= 60; ++ranks) {
    for (Rank columns = 1; columns <= ranks; ++columns) {
      const NodeArray array(ranks, columns);
      std::vector<Rank> contacted(static_cast<std::size_t>(ranks), 0);
      for (Rank node = 0; node < ranks; ++node) {
        for (Rank column = 0; column < columns; ++column) {
          const Rank contact = array.contact(node, column);
          ASSERT_TRUE(contact >= 0 && contact < ranks && array.column_of(contact) == column);
          ++contacted[static_cast<std::size_t>(contact)];
        }
      }
      for (Rank node = 0; node < ranks; ++node) {
        ASSERT_EQ(array.contacted_by(node), contacted[static_cast<std::size_t>(node)])
            << ranks << " ranks in " << columns << " columns, node " << node;
      }
    }
  }
}

TEST(NodeArray, BalancedOverMoreLevelsTakesTheRoot) {
  EXPECT_EQ(NodeArray::balanced(1000, 3).columns(), 10);
  EXPECT_EQ(NodeArray::balanced(1001, 3).columns(), 11);
  EXPECT_EQ(NodeArray::balanced(1 << 30, 30).columns(), 2);
  EXPECT_EQ(NodeArray::balanced(2147483647, 2).columns(), 46341);
  EXPECT_EQ(NodeArray::balanced(17, 1).columns(), 17);
  for (Rank ranks = 1; ranks <= 5000; ++ranks) {
    for (int levels = 2; levels <= 6; ++levels) {
      ASSERT_TRUE(NodeArray::balanced(ranks, levels).fits_priority_schedule())
          << ranks << " ranks, " << levels << " levels";
    }
  }
}

TEST(NodeArray, RejectsMoreColumnsThanNodes) {
  EXPECT_THROW(NodeArray(3, 4), Error);
  EXPECT_THROW(NodeArray(3, 0), Error);
  EXPECT_NO_THROW(NodeArray(3, 3));
}

}  // namespace
}  // namespace shunt
