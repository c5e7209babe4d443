// What ranks send each other in redistributions, element for element as an oracle says.
#include "redistribution/redistribution.hpp"

#include <map>

#include <gtest/gtest.h>

#include "shunt/error.hpp"
#include "support/dealt_array.hpp"

namespace shunt::test {
namespace {

/// Moves messages between the memories of all ranks, in pieces of at most `piece` bytes on either
/// side.
class AllRanks {
 public:
  AllRanks(const RedistributionCase& made, Rank ranks)
      : made_(made), ranks_(ranks), redistribution_(made.from, made.to, made.extents, ranks) {}

  void run(Bytes read_piece, Bytes write_piece) {
    for (Rank rank = 0; rank < ranks_; ++rank) {
      DealtPart part = sent_part(made_, rank);
      for (const BoxMessage& message :
           redistribution_.sends(rank, in_bytes(part.strides, made_.element), made_.element)) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(message.box.bytes()));
        ASSERT_FALSE(bytes.empty());
        BoxCursor cursor(message.box);
        for_pieces(bytes, read_piece, [&](std::byte* piece, Bytes length) {
          cursor.read(part.memory.data(), piece, length);
        });
        const bool first = messages_.emplace(std::pair(rank, message.peer), bytes).second;
        ASSERT_TRUE(first) << "two messages from " << rank << " to " << message.peer;
      }
    }
    for (Rank rank = 0; rank < ranks_; ++rank) {
      DealtPart part = part_of(made_.to.layout, rank, made_.element, made_.to_gap);
      for (const BoxMessage& message :
           redistribution_.receives(rank, in_bytes(part.strides, made_.element), made_.element)) {
        const auto sent = messages_.find({message.peer, rank});
        ASSERT_NE(sent, messages_.end());
        ASSERT_EQ(std::ssize(sent->second), message.box.bytes());
        BoxCursor cursor(message.box);
        for_pieces(sent->second, write_piece, [&](std::byte* piece, Bytes length) {
          cursor.write(part.memory.data(), piece, length);
        });
        messages_.erase(sent);
      }
      ASSERT_EQ(part.memory, expected_part(made_, rank).memory) << "rank " << rank;
    }
    EXPECT_TRUE(messages_.empty());
  }

 private:
  template <class Move>
  static void for_pieces(std::vector<std::byte>& bytes, Bytes piece, Move&& move) {
    const auto end = std::ssize(bytes);
    for (Bytes at = 0; at < end; at += piece) move(bytes.data() + at, std::min(piece, end - at));
  }

  const RedistributionCase& made_;
  Rank ranks_;
  Redistribution redistribution_;
  std::map<std::pair<Rank, Rank>, std::vector<std::byte>> messages_;
};

TEST(Redistribution, MovesEveryElementOfRandomCases) {
  std::mt19937 random(7);
  for (int round = 0; round < 1500; ++round) {
    const auto ranks = static_cast<Rank>(1 + random() % 12);
    const RedistributionCase made = random_case(random, ranks);
    SCOPED_TRACE(testing::Message() << "round " << round << ", ranks " << ranks);
    const auto piece = [&] { return static_cast<Bytes>(1 + random() % (1U << (random() % 12))); };
    AllRanks(made, ranks).run(piece(), piece());
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
}

/// So many periods that they are not listed one by one, with clipped ends.
TEST(Redistribution, MovesManyPeriods) {
  for (const Index begin : {0, 1, 5, 17}) {
    RedistributionCase made{
        {{{{30000, 6, 4, 1}}}, {begin}, {0}}, {{{{29990, 2, 4, 3}}}, {7}, {0}}, {29900}, 8, 0, 0};
    AllRanks(made, 4).run(1000, 333);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace shunt::test
