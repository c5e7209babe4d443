#include "routing/streams.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "pure/function_traffic.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

using Plain = std::vector<std::tuple<std::size_t, Bytes, Bytes>>;

Plain plain(std::span<const Range> ranges) {
  Plain result;
  for (const Range& range : ranges) result.emplace_back(range.place, range.offset, range.length);
  return result;
}

TEST(Streams, OfBlocksAreTheNonEmptyBlocks) {
  Streams streams;
  streams.set_blocks(std::vector<Bytes>{5, 0, 7, 0, 0, 1});
  ASSERT_EQ(streams.size(), 3U);
  const Rank destinations[] = {0, 2, 5};
  const Bytes lengths[] = {5, 7, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(streams[i].destination, destinations[i]);
    EXPECT_EQ(streams[i].length, lengths[i]);
    EXPECT_EQ(plain(streams[i].ranges),
              (Plain{{static_cast<std::size_t>(destinations[i]), 0, lengths[i]}}));
  }
}

TEST(Streams, OfMessagesRunThroughTheSendersInOrder) {
  Streams streams;
  streams.set_messages(5, std::vector<Contents>{{{1, 10}, {3, 4}}, {}, {{0, 2}, {1, 6}, {3, 1}}});
  ASSERT_EQ(streams.size(), 3U);
  EXPECT_EQ(streams[0].destination, 0);
  EXPECT_EQ(plain(streams[0].ranges), (Plain{{2, 0, 2}}));
  EXPECT_EQ(streams[1].destination, 1);
  EXPECT_EQ(streams[1].length, 16);
  EXPECT_EQ(plain(streams[1].ranges), (Plain{{0, 0, 10}, {2, 2, 6}}));
  EXPECT_EQ(streams[2].destination, 3);
  EXPECT_EQ(streams[2].length, 5);
  EXPECT_EQ(plain(streams[2].ranges), (Plain{{0, 10, 4}, {2, 8, 1}}));
}

TEST(Streams, ForgetWhatWasThereBefore) {
  Streams streams;
  streams.set_blocks(std::vector<Bytes>{5, 6, 7});
  streams.set_messages(3, std::vector<Contents>{{}, {}});
  EXPECT_EQ(streams.size(), 0U);
  streams.set_messages(3, std::vector<Contents>{{{2, 9}}});
  ASSERT_EQ(streams.size(), 1U);
  EXPECT_EQ(plain(streams[0].ranges), (Plain{{0, 0, 9}}));
  streams.set_blocks(std::vector<Bytes>{0, 0});
  EXPECT_EQ(streams.size(), 0U);
}

/// What a stage gets and hands on, per destination: the ranges that its bytes lie in, split into
/// single ranges of one place, so that both sides can be compared.
using Holdings = std::map<Rank, std::vector<Range>>;

void append(std::vector<Range>& ranges, const Range& range) {
  if (!ranges.empty() && ranges.back().place == range.place &&
      ranges.back().offset + ranges.back().length == range.offset) {
    ranges.back().length += range.length;
  } else {
    ranges.push_back(range);
  }
}

/// The messages of a stage say per destination what they took, in the order in which `route` cut
/// it: concatenated in that order they are the stream again.
Holdings reassembled(const Algorithm& algorithm, int stage, Rank rank, const Streams& streams,
                     const std::vector<Outgoing>& messages) {
  Holdings holdings;
  std::map<Rank, std::pair<const Outgoing*, std::size_t>> reading;  // message, entries read
  for (const Outgoing& message : messages) reading[message.to] = {&message, 0};
  std::map<Rank, std::pair<std::size_t, Bytes>> at;  // range, bytes of it read
  for (std::size_t i = 0; i < streams.size(); ++i) {
    std::vector<Piece> pieces;
    algorithm.route(stage, rank, streams[i].destination, streams[i].length, pieces);
    for (const Piece& piece : pieces) {
      auto& [message, entry] = reading.at(piece.to);
      EXPECT_LT(entry, message->contents.size());
      EXPECT_EQ(message->contents[entry], (Entry{streams[i].destination, piece.end - piece.begin}));
      ++entry;
      auto& [next, taken] = at[piece.to];
      for (Bytes left = piece.end - piece.begin; left > 0;) {
        const Range& range = message->ranges.at(next);
        const Bytes part = std::min(left, range.length - taken);
        append(holdings[streams[i].destination], {range.place, range.offset + taken, part});
        left -= part;
        taken += part;
        if (taken == range.length) {
          ++next;
          taken = 0;
        }
      }
    }
  }
  for (const auto& [to, read] : reading) EXPECT_EQ(read.second, read.first->contents.size());
  for (const Outgoing& message : messages) {
    const auto& [next, taken] = at[message.to];
    EXPECT_EQ(next, message.ranges.size()) << "ranges without an entry";
    EXPECT_EQ(taken, 0);
  }
  return holdings;
}

void expect_conserved(const Algorithm& algorithm, int stage, Rank rank, const Streams& streams,
                      std::vector<Outgoing>& messages) {
  const std::vector<Step> steps = algorithm.steps(stage, rank);
  sort_out(algorithm, stage, rank, streams, steps, messages);

  std::vector<Rank> targets;
  for (const Step& step : steps) {
    if (step.to != kNoRank) targets.push_back(step.to);
  }
  ASSERT_EQ(messages.size(), targets.size());
  for (std::size_t k = 0; k < messages.size(); ++k) {
    const Outgoing& message = messages[k];
    ASSERT_EQ(message.to, targets[k]);
    Bytes announced = 0;
    Rank previous = kNoRank;
    for (const Entry& entry : message.contents) {
      ASSERT_GT(entry.destination, previous) << "destinations ascend";
      ASSERT_GT(entry.length, 0);
      previous = entry.destination;
      announced += entry.length;
    }
    Bytes held = 0;
    for (const Range& range : message.ranges) held += range.length;
    ASSERT_EQ(announced, message.payload);
    ASSERT_EQ(held, message.payload);
  }

  const Holdings holdings = reassembled(algorithm, stage, rank, streams, messages);
  ASSERT_EQ(holdings.size(), streams.size());
  for (std::size_t i = 0; i < streams.size(); ++i) {
    ASSERT_EQ(plain(holdings.at(streams[i].destination)), plain(streams[i].ranges));
  }
}

TEST(SortOut, TakesEveryByteOfEveryStreamOnceAndInOrder) {
  std::vector<Outgoing> messages;  // its memory is used again by all that follow
  for (const Rank ranks : {1, 2, 3, 7, 16, 23}) {
    for (const std::string& name : algorithm_names(ranks)) {
      for (const Bytes grain : {1, 100}) {
        const auto algorithm = make_algorithm(name, ranks, grain);
        for (Rank rank = 0; rank < ranks; ++rank) {
          SCOPED_TRACE(name + " on " + std::to_string(ranks) + ", rank " + std::to_string(rank));
          std::vector<Bytes> counts(static_cast<std::size_t>(ranks));
          for (Rank to = 0; to < ranks; ++to) {
            const Bytes count = scrambled(rank, to, 5, 9) < 2 ? 0 : scrambled(rank, to, 6, 3000);
            counts[static_cast<std::size_t>(to)] = algorithm->supports_pair(rank, to) ? count : 0;
          }
          Streams streams;
          streams.set_blocks(counts);
          expect_conserved(*algorithm, 0, rank, streams, messages);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

/// Streams of several ranges, some of which continue one another.
TEST(SortOut, CutsAcrossTheMessagesOfTheStageBefore) {
  const Rank ranks = 11;
  std::vector<Outgoing> messages;
  for (const char* name : {"two-stage", "four-stage", "stages:3"}) {
    const auto algorithm = make_algorithm(name, ranks, 1);
    std::vector<Contents> received(4);
    for (Rank from = 0; from < 4; ++from) {
      for (Rank to = 0; to < ranks; ++to) {
        const Bytes length = scrambled(from, to, 8, 100);
        if (length > 30) received[static_cast<std::size_t>(from)].push_back({to, length});
      }
    }
    Streams streams;
    streams.set_messages(ranks, received);
    for (Rank rank = 0; rank < ranks; ++rank) {
      // Any rank's second stage can be asked, though it would not receive just this.
      if (algorithm->stages() < 4 && rank != 0) continue;
      expect_conserved(*algorithm, algorithm->stages() < 4 ? 0 : 1, rank, streams, messages);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(SortOut, JoinsNeighboursInOnePlace) {
  // Two blocks of one message for two destinations that travel on together.
  Streams streams;
  streams.set_messages(4, std::vector<Contents>{{{0, 10}, {2, 20}}});
  const auto algorithm = make_algorithm("row-column", 4, 1);
  std::vector<Outgoing> messages;
  sort_out(*algorithm, 0, 0, streams, algorithm->steps(0, 0), messages);
  for (const Outgoing& message : messages) {
    if (message.payload == 0) continue;
    EXPECT_EQ(message.payload, 30);
    EXPECT_EQ(plain(message.ranges), (Plain{{0, 0, 30}}));
  }
}

TEST(SortOut, RefusesATargetThatTheScheduleLacks) {
  const auto algorithm = make_algorithm("linear", 3, 1);
  Streams streams;
  streams.set_blocks(std::vector<Bytes>{1, 1, 1});
  std::vector<Step> steps = algorithm->steps(0, 0);
  std::erase_if(steps, [](const Step& step) { return step.to == 2; });
  std::vector<Outgoing> messages;
  test::expect_error(ErrorKind::internal, "rank 2",
                     [&] { sort_out(*algorithm, 0, 0, streams, steps, messages); });
}

}  // namespace
}  // namespace shunt
