#include "routing/landing.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/flow/flow.hpp"
#include "pure/function_traffic.hpp"

namespace shunt {
namespace {

/// The blocks that `algorithm` may carry.
FunctionTraffic carried(const Algorithm& algorithm, const FunctionTraffic& all) {
  return FunctionTraffic(all.name(), all.ranks(), [&](Rank source, Rank destination) {
    return algorithm.supports_pair(source, destination) ? all.count(source, destination) : 0;
  });
}

/// Every byte of every block lands exactly once, and messages say how long they are.
void expect_partition(const std::vector<Arrival>& arrivals, const std::vector<Bytes>& counts) {
  std::vector<std::vector<std::pair<Bytes, Bytes>>> landed(counts.size());
  Rank previous = kNoRank;
  for (const Arrival& arrival : arrivals) {
    ASSERT_GT(arrival.from, previous) << "senders ascend";
    previous = arrival.from;
    Bytes payload = 0;
    for (const Landing& landing : arrival.landings) {
      ASSERT_GT(landing.length, 0);
      payload += landing.length;
      landed.at(static_cast<std::size_t>(landing.source))
          .emplace_back(landing.offset, landing.length);
    }
    ASSERT_GT(payload, 0) << "an empty message";
    ASSERT_EQ(payload, arrival.payload);
  }
  for (std::size_t source = 0; source < counts.size(); ++source) {
    std::ranges::sort(landed[source]);
    Bytes end = 0;
    for (const auto& [offset, length] : landed[source]) {
      ASSERT_EQ(offset, end) << "a gap or an overlap in the block from " << source;
      end += length;
    }
    ASSERT_EQ(end, counts[source]) << "block from " << source;
  }
}

TEST(Landing, TakesEveryByteOnce) {
  for (const Rank ranks : {1, 2, 3, 5, 11, 16, 23, 41}) {
    for (const std::string& name : algorithm_names(ranks)) {
      for (const Bytes grain : {1, 8, 512}) {
        const auto algorithm = make_algorithm(name, ranks, grain);
        for (const FunctionTraffic& all : hard_traffics(ranks)) {
          SCOPED_TRACE(name + " on " + std::to_string(ranks) + ", " + all.name());
          const FunctionTraffic traffic = carried(*algorithm, all);
          for (Rank destination = 0; destination < ranks; destination += 1 + ranks / 5) {
            const std::vector<Bytes> counts = column_of(traffic, destination);
            expect_partition(arrivals_at(*algorithm, destination, counts), counts);
            if (testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

/// The destination expects just the messages that the schedule, followed from the senders, brings.
TEST(Landing, ExpectsTheMessagesOfTheLastStage) {
  for (const Rank ranks : {1, 2, 5, 12, 19, 31}) {
    for (const std::string& name : algorithm_names(ranks)) {
      const auto algorithm = make_algorithm(name, ranks, 8);
      for (const FunctionTraffic& all : hard_traffics(ranks)) {
        const FunctionTraffic traffic = carried(*algorithm, all);
        std::vector<std::vector<std::pair<Rank, Bytes>>> expected(static_cast<std::size_t>(ranks));
        const auto flows = follow_traffic(*algorithm, traffic, 1);
        for (const FlowMessage& message : flows.back().messages) {
          if (message.bytes == 0) continue;
          expected[static_cast<std::size_t>(message.to)].emplace_back(message.from, message.bytes);
        }
        for (Rank destination = 0; destination < ranks; ++destination) {
          std::vector<std::pair<Rank, Bytes>> found;
          for (const Arrival& arrival :
               arrivals_at(*algorithm, destination, column_of(traffic, destination))) {
            found.emplace_back(arrival.from, arrival.payload);
          }
          ASSERT_EQ(found, expected[static_cast<std::size_t>(destination)])
              << name << " on " << ranks << ", " << all.name() << ", rank " << destination;
        }
      }
    }
  }
}

TEST(Landing, OfLinearIsTheBlocksThemselves) {
  const std::vector<Bytes> counts{7, 0, 0, 3, 1};
  const auto arrivals = arrivals_at(*make_algorithm("linear", 5, 512), 2, counts);
  ASSERT_EQ(arrivals.size(), 3U);
  for (const Arrival& arrival : arrivals) {
    ASSERT_EQ(arrival.landings.size(), 1U);
    EXPECT_EQ(arrival.landings[0].source, arrival.from);
    EXPECT_EQ(arrival.landings[0].offset, 0);
    EXPECT_EQ(arrival.payload, counts[static_cast<std::size_t>(arrival.from)]);
  }
}

TEST(Landing, OfNothingIsNothing) {
  for (const std::string& name : algorithm_names(13)) {
    EXPECT_TRUE(arrivals_at(*make_algorithm(name, 13, 1), 12, std::vector<Bytes>(13, 0)).empty())
        << name;
  }
}

/// Blocks of exabytes, together just below 2^63.
TEST(Landing, HasRoomForTheLongestBlocks) {
  for (const Rank ranks : {2, 11, 16, 23}) {
    for (const std::string& name : algorithm_names(ranks)) {
      for (const Bytes grain : {1, 512}) {
        const auto algorithm = make_algorithm(name, ranks, grain);
        const Rank destination = ranks - 1;
        std::vector<Bytes> counts(static_cast<std::size_t>(ranks));
        for (Rank source = 0; source < ranks; ++source) {
          const bool carries = algorithm->supports_pair(source, destination);
          counts[static_cast<std::size_t>(source)] =
              carries ? std::numeric_limits<Bytes>::max() / ranks - source : 0;
        }
        SCOPED_TRACE(name + " on " + std::to_string(ranks));
        expect_partition(arrivals_at(*algorithm, destination, counts), counts);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace shunt
