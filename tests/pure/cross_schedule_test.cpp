#include "schedule/cross_schedule.hpp"

#include <set>

#include <gtest/gtest.h>

namespace shunt {
namespace {

/// Walks the whole schedule and says what is wrong with it, if anything.
std::string defect(Rank senders, Rank columns, Rank height) {
  const CrossSchedule cross(senders, columns, height);
  std::set<std::pair<Rank, Rank>> served;
  for (int step = 1; step <= cross.step_count(); ++step) {
    std::set<std::pair<Rank, Rank>> busy;
    for (Rank sender = 0; sender < senders; ++sender) {
      const Rank column = cross.send_column(sender, step);
      if (column == kNoRank) continue;
      if (column < 0 || column >= columns) return "serves a column that does not exist";
      if (!served.insert({sender, column}).second) return "serves a column twice";
      const Rank receiving_row = sender % height;
      if (!busy.insert({receiving_row, column}).second) return "two senders collide";
      if (cross.sender_to(receiving_row, column, step) != sender) {
        return "a receiver expects another sender";
      }
    }
    for (Rank row = 0; row < height; ++row) {
      for (Rank column = 0; column < columns; ++column) {
        const bool expects = cross.sender_to(row, column, step) != kNoRank;
        if (expects != busy.contains({row, column})) return "a receiver waits in vain";
      }
    }
  }
  if (std::ssize(served) != std::ptrdiff_t{senders} * columns) return "leaves a column unserved";
  return "";
}

TEST(CrossSchedule, IsFreeOfConflictsAndComplete) {
  for (Rank senders = 0; senders <= 20; ++senders) {
    for (Rank columns = 0; columns <= 20; ++columns) {
      for (Rank height = 1; height <= 20; ++height) {
        ASSERT_EQ(defect(senders, columns, height), "")
            << senders << " senders, " << columns << " columns of " << height;
      }
    }
  }
}

TEST(CrossSchedule, TakesTheFewestSteps) {
  for (Rank senders = 1; senders <= 20; ++senders) {
    for (Rank columns = 1; columns <= 20; ++columns) {
      for (Rank height = 1; height <= 20; ++height) {
        const Rank rounds = (senders + height - 1) / height;
        ASSERT_EQ(CrossSchedule(senders, columns, height).step_count(), std::max(columns, rounds));
      }
    }
  }
  EXPECT_EQ(CrossSchedule(0, 5, 3).step_count(), 0);
  EXPECT_EQ(CrossSchedule(5, 0, 3).step_count(), 0);
}

}  // namespace
}  // namespace shunt
