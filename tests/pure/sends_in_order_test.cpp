// OrderedMessages that wait for their receivers, against what can be followed by hand.
#include "lab/simulation/sends_in_order.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::expect_error;
using OrderedMessages = std::vector<SizedMessage>;
using Times = std::vector<double>;

/// A second for a start-up, another for a byte, half of one to copy it.
constexpr LinkCost kUnitCost{1, 1, 0.5};

Times begins_of(const OrderedMessages& messages, Receiving receiving) {
  Times begins;
  for (const Span& span : send_in_order(messages, 8, kUnitCost, receiving))
    begins.push_back(span.begin);
  return begins;
}

Times ends_of(const OrderedMessages& messages, Receiving receiving) {
  Times ends;
  for (const Span& span : send_in_order(messages, 8, kUnitCost, receiving))
    ends.push_back(span.end);
  return ends;
}

TEST(SendsInOrder, WaitForAReceiverThatTakesOneAtATime) {
  const OrderedMessages to_one{{1, 1, 0, 4}, {1, 2, 0, 4}, {1, 3, 0, 4}};
  EXPECT_EQ(begins_of(to_one, Receiving::as_they_come), (Times{0, 0, 0}));
  EXPECT_EQ(ends_of(to_one, Receiving::as_they_come), (Times{5, 9, 13}));
}

TEST(SendsInOrder, HoldUpWhatASenderHasForOthers) {
  const OrderedMessages same_first{{1, 1, 0, 4}, {1, 2, 0, 4}, {2, 1, 3, 4}, {2, 2, 3, 4}};
  EXPECT_EQ(begins_of(same_first, Receiving::as_they_come), (Times{0, 0, 5, 9}));
  EXPECT_EQ(ends_of(same_first, Receiving::as_they_come), (Times{5, 9, 10, 14}));
  const OrderedMessages staggered{{1, 1, 0, 4}, {1, 2, 3, 4}, {2, 1, 3, 4}, {2, 2, 0, 4}};
  EXPECT_EQ(ends_of(staggered, Receiving::as_they_come), (Times{5, 5, 10, 10}));
}

TEST(SendsInOrder, AreTakenAsTheyComeOrInOrder) {
  // Processor 1 is late for processor 0 by what it has for processor 3.
  const OrderedMessages late{{1, 1, 3, 8}, {2, 1, 0, 4}, {3, 2, 0, 4}};
  EXPECT_EQ(ends_of(late, Receiving::as_they_come), (Times{9, 14, 5}));
  EXPECT_EQ(ends_of(late, Receiving::in_order), (Times{9, 14, 18}));
}

TEST(SendsInOrder, GoBothWaysAtOnce) {
  const OrderedMessages pair{{1, 0, 1, 4}, {1, 1, 0, 4}};
  EXPECT_EQ(ends_of(pair, Receiving::as_they_come), (Times{5, 5}));
  EXPECT_EQ(ends_of(pair, Receiving::in_order), (Times{5, 5}));
}

TEST(SendsInOrder, CopyWhatStaysWithoutAPort) {
  const OrderedMessages own_first{{1, 0, 0, 4}, {1, 1, 0, 4}, {2, 0, 2, 4}};
  EXPECT_EQ(ends_of(own_first, Receiving::as_they_come), (Times{2, 5, 7}));
}

TEST(SendsInOrder, ChargeTheStartUpsOfEmptyMessages) {
  const OrderedMessages empty{{1, 0, 1, 0}, {2, 0, 2, 0}, {3, 0, 3, 4}};
  EXPECT_EQ(ends_of(empty, Receiving::as_they_come), (Times{1, 2, 7}));
}

/// From P processors to as many others, everybody to everybody.
OrderedMessages all_to_all(Rank ranks, bool staggered) {
  OrderedMessages messages;
  for (Rank from = 0; from < ranks; ++from) {
    for (Rank to = 0; to < ranks; ++to) {
      const int step = staggered ? (to - from + ranks) % ranks : from * ranks + to;
      messages.push_back({step, from, ranks + to, 1});
    }
  }
  std::ranges::stable_sort(messages, {}, &SizedMessage::step);
  return messages;
}

TEST(SendsInOrder, ToAllTakeTwiceAsLongWhereAllBeginWithTheSame) {
  for (const Rank ranks : {1, 2, 3, 4, 7, 16}) {
    for (const Receiving receiving : {Receiving::as_they_come, Receiving::in_order}) {
      for (const bool staggered : {false, true}) {
        double last = 0;
        for (const Span& span :
             send_in_order(all_to_all(ranks, staggered), 2 * ranks, {0, 1, 0}, receiving)) {
          last = std::max(last, span.end);
        }
        EXPECT_EQ(last, staggered ? ranks : 2 * ranks - 1) << ranks << " ranks";
      }
    }
  }
}

TEST(SendsInOrder, AreRefusedOutOfOrder) {
  const auto refuses = [](const OrderedMessages& messages, Receiving receiving, const char* words) {
    expect_error(ErrorKind::argument, words,
                 [&] { return send_in_order(messages, 4, kUnitCost, receiving); });
  };
  refuses({{2, 0, 1, 1}, {1, 0, 2, 1}}, Receiving::as_they_come,
          "processor 0 sends in step 1 after step 2");
  refuses({{1, 0, 1, 1}, {1, 0, 2, 1}}, Receiving::as_they_come,
          "processor 0 sends in step 1 after step 1");
  refuses({{1, 0, 2, 1}, {1, 1, 2, 1}}, Receiving::in_order,
          "processor 2 receives in step 1 after step 1");
}

}  // namespace
}  // namespace shunt
