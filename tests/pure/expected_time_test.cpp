#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/simulation/followed_work.hpp"
#include "lab/simulation/native_times.hpp"
#include "lab/traffic/patterns.hpp"

namespace shunt {
namespace {

constexpr Bytes kGrain = 64;

/// What exactly one of the costs charges.
double amount(const char* key, const std::vector<StageWork>& work) {
  const std::vector<double> amounts = amounts_of(work, 1);
  for (std::size_t k = 0; k < amounts.size(); ++k) {
    if (std::string(kCostKeys[k].key) == key) return amounts[k];
  }
  ADD_FAILURE() << "no cost " << key;
  return 0;
}

/// The work of going straight, added up pair by pair from the definition.
StageWork straight_work(const Traffic& traffic, Bytes element, const Machine& machine,
                        int processors) {
  const auto ranks = static_cast<std::size_t>(machine.ranks());
  const auto nodes = static_cast<std::size_t>(machine.nodes());
  // By whether it is inside, and by what: messages, bytes.
  std::vector<double> of_rank[2][2];
  std::vector<double> of_node[2][2];
  for (auto& side : of_rank) side[0] = side[1] = std::vector<double>(ranks, 0);
  for (auto& side : of_node) side[0] = side[1] = std::vector<double>(nodes, 0);
  std::vector<double> out(nodes, 0);
  std::vector<double> in(nodes, 0);
  for (Rank from = 0; from < machine.ranks(); ++from) {
    for (Rank to = 0; to < machine.ranks(); ++to) {
      const auto bytes = static_cast<double>(traffic.count(from, to) * element);
      if (from == to) {
        of_rank[1][1][static_cast<std::size_t>(from)] += bytes / 2;
        of_node[1][1][static_cast<std::size_t>(machine.node_of(from))] += bytes / 2;
        continue;
      }
      if (bytes == 0) continue;
      const int inside = machine.node_of(from) == machine.node_of(to) ? 1 : 0;
      for (const Rank end : {from, to}) {
        of_rank[inside][0][static_cast<std::size_t>(end)] += 0.5;
        of_rank[inside][1][static_cast<std::size_t>(end)] += bytes / 2;
        of_node[inside][0][static_cast<std::size_t>(machine.node_of(end))] += 0.5;
        of_node[inside][1][static_cast<std::size_t>(machine.node_of(end))] += bytes / 2;
      }
      if (inside == 1) continue;
      out[static_cast<std::size_t>(machine.node_of(from))] += bytes;
      in[static_cast<std::size_t>(machine.node_of(to))] += bytes;
    }
  }
  const auto most = [&](int inside, int what) {
    return std::max(std::ranges::max(of_rank[inside][what]),
                    std::ranges::max(of_node[inside][what]) / processors);
  };
  StageWork work;
  work.inside_messages = most(1, 0);
  work.inside_bytes = most(1, 1);
  work.outside_messages = most(0, 0);
  work.outside_bytes = most(0, 1);
  work.way_out_bytes = std::max(std::ranges::max(out), std::ranges::max(in));
  return work;
}

TEST(ExpectedTime, CountsWhatStraightExchangesMove) {
  for (const char* layout : {"6", "1,1,1,1,1,1", "3,3", "4,2", "1,2,3"}) {
    const Machine machine = Machine::parse(layout, 6);
    for (const char* pattern : {"uniform", "random", "sparse:0.7", "hot-sender", "pattern1"}) {
      const auto traffic = make_traffic(pattern, {6, 100, 0, 3});
      for (const int processors : {1, 2, 8}) {
        SCOPED_TRACE(std::string(layout) + " " + pattern + " " + std::to_string(processors));
        const auto linear = make_algorithm("linear", machine, kGrain);
        for (const CallForm form : {CallForm::plan, CallForm::one_shot}) {
          const auto work = work_of(*linear, machine, processors, *traffic, 8, form);
          ASSERT_EQ(work.size(), 1U);
          const StageWork known = straight_work(*traffic, 8, machine, processors);
          EXPECT_DOUBLE_EQ(work[0].inside_messages, known.inside_messages);
          EXPECT_DOUBLE_EQ(work[0].inside_bytes, known.inside_bytes);
          EXPECT_DOUBLE_EQ(work[0].outside_messages, known.outside_messages);
          EXPECT_DOUBLE_EQ(work[0].outside_bytes, known.outside_bytes);
          EXPECT_DOUBLE_EQ(work[0].way_out_bytes, known.way_out_bytes);
          EXPECT_EQ(work[0].pieces, 0);
          EXPECT_EQ(work[0].copied, 0);
        }
      }
    }
  }
}

/// A transposition on two ranks: each keeps all that it has.
TEST(ExpectedTime, CountsWhatARankKeeps) {
  const Machine machine = Machine::parse("2", 2);
  const auto kept = make_traffic("pattern2", {2, 1000, 0, 1});
  EXPECT_EQ(kept->count(0, 1) + kept->count(1, 0), 0);
  const auto linear = make_algorithm("linear", machine, kGrain);
  EXPECT_EQ(amount("inside_per_byte", work_of(*linear, machine, 2, *kept, 8, CallForm::plan)),
            4000);
  // Half of what equal blocks carry, which is copied half as often.
  const TrafficSummary half{{8000, 4000}, 2, 16000};
  EXPECT_EQ(amount("inside_per_byte", work_within(*linear, machine, 2, half, CallForm::plan)),
            4000 + 4000 / 2);
}

TEST(ExpectedTime, CountsCopiesPiecesAndEmptyMessagesOfStages) {
  const Machine machine = Machine::parse("16", 16);
  const auto row_column = make_algorithm("row-column", machine, kGrain);
  const auto full = make_traffic("uniform", {16, 10, 1, 1});
  // Rows and columns of four: in either stage each rank passes on what 16 blocks have, in four
  // messages of which one is its own. In the second these are four streams, one for each rank of
  // the column.
  const auto work = work_of(*row_column, machine, 16, *full, 8, CallForm::plan);
  EXPECT_EQ(amount("copy_per_byte", work), 2 * 16 * 80);
  EXPECT_EQ(amount("inside_start_up", work), 2 * 3);
  EXPECT_EQ(amount("inside_per_byte", work), 2 * 12 * 80);
  EXPECT_EQ(amount("stage", work), 1);
  EXPECT_EQ(amount("call", work), 1);
  EXPECT_EQ(amount("way_out_per_byte", work), 0);
  EXPECT_EQ(amount("piece", work), 16 + 4);
  EXPECT_EQ(amount("far_per_byte", work), 0);
  // 16 blocks of 20000 bytes copied and 12 moved, beyond 256 KiB a stage.
  const auto longer = make_traffic("uniform", {16, 2500, 1, 1});
  EXPECT_EQ(amount("far_per_byte", work_of(*row_column, machine, 16, *longer, 8, CallForm::plan)),
            2 * (28 * 20000 - 262144));
  // Four processors for 16 ranks.
  EXPECT_EQ(amount("inside_start_up", work_of(*row_column, machine, 4, *full, 8, CallForm::plan)),
            4 * 6);
  // Nobody but the sender knows that there is nothing: only the last stage is silent.
  const auto nothing = make_traffic("zero", {16, 10, 1, 1});
  EXPECT_EQ(
      amount("inside_start_up", work_of(*row_column, machine, 16, *nothing, 8, CallForm::plan)), 0);
  EXPECT_EQ(
      amount("inside_start_up", work_of(*row_column, machine, 16, *nothing, 8, CallForm::one_shot)),
      3);
}

TEST(ExpectedTime, AddsUpWhatTheProfileSays) {
  const Machine machine = Machine::parse("2,2", 4);
  const auto linear = make_algorithm("linear", machine, kGrain);
  const auto traffic = make_traffic("uniform", {4, 100, 1, 1});
  Profile profile = typical_profile({"", "", 4, 2, 2, 1});
  profile.plan = {.call = 1,
                  .stage = 1e9,
                  .piece = 1e9,
                  .copy_per_byte = 1e9,
                  .inside_start_up = 10,
                  .inside_per_byte = 1000,
                  .far_per_byte = 1e9,
                  .outside_start_up = 1e-2,
                  .outside_per_byte = 1e-4,
                  .way_out_per_byte = 1e-8};
  // Two ranks share a processor, so that all but the way out is theirs twice; and either keeps a
  // block, as half of one for the other.
  const double known = 2 * (1 + 10 + 1.5e5 + 2e-2 + 200e-4) + 400e-8;
  EXPECT_DOUBLE_EQ(expected_seconds(profile, *linear, machine, *traffic, 1, CallForm::plan), known);
  EXPECT_DOUBLE_EQ(
      expected_seconds(profile, *linear, machine, summary_of(*traffic, 1), CallForm::plan), known);
}

TEST(ExpectedTime, SummariesSayWhatTrafficsAre) {
  const auto traffic = make_traffic("neighbours:2", {9, 50, 1, 4});
  const TrafficSummary summary = summary_of(*traffic, 8);
  EXPECT_EQ(summary.total, 9 * 2 * 50 * 8);
  EXPECT_EQ(summary.bound.longest_block, 400);
  EXPECT_EQ(summary.bound.largest_load, loads_of(*traffic, 8).bound().largest_load);
  Rank most = 2;
  for (Rank to = 0; to < 9; ++to) {
    Rank messages = 0;
    for (Rank from = 0; from < 9; ++from) messages += traffic->count(from, to) > 0 ? 1 : 0;
    most = std::max(most, messages);
  }
  EXPECT_EQ(summary.most_messages, most);
  EXPECT_EQ(any_traffic({100, 7}, 5).total, 500);
  EXPECT_GT(any_traffic({INT64_MAX / 2, 7}, 5).total, INT64_MAX / 2);
}

/// Predictions from bounds are near those from the blocks where blocks are equal.
TEST(ExpectedTime, BoundsAreNearForEvenTraffics) {
  for (const char* layout : {"16", "blocked:4", "5,5,5,1", "blocked:1"}) {
    const Machine machine = Machine::parse(layout, 16);
    const Profile profile =
        typical_profile({"", "", 16, machine.nodes(), machine.size_of(machine.largest_node()), 2});
    for (const char* name :
         {"linear", "row-column", "four-stage", "pairwise", "bruck:2", "bruck:4", "grid:3",
          "node-pairwise", "leaders:1", "bruck-in-nodes", "bruck-among-nodes"}) {
      const auto algorithm = make_algorithm(name, machine, kGrain);
      for (const Bytes block : {Bytes{8}, Bytes{100000}}) {
        const auto traffic = make_traffic("uniform", {16, block, 1, 1});
        for (const CallForm form : {CallForm::plan, CallForm::one_shot}) {
          const double followed = expected_seconds(profile, *algorithm, machine, *traffic, 1, form);
          const double bounded =
              expected_seconds(profile, *algorithm, machine, summary_of(*traffic, 1), form);
          SCOPED_TRACE(std::string(layout) + " " + name + " " + std::to_string(block) + " " +
                       name_of(form));
          EXPECT_GT(bounded, 0.7 * followed);
          EXPECT_LT(bounded, 1.4 * followed);
        }
      }
    }
  }
}

TEST(ExpectedTime, KnowsWhatSharesProcessorsAndWays) {
  const auto seconds = [](const char* layout, const char* name, Bytes block, int processors) {
    const Machine machine = Machine::parse(layout, 64);
    const Profile profile = typical_profile(
        {"", "", 64, machine.nodes(), machine.size_of(machine.largest_node()), processors});
    const auto algorithm = make_algorithm(name, machine, kGrain);
    const auto traffic = make_traffic("uniform", {64, block, 1, 1});
    return expected_seconds(profile, *algorithm, machine, summary_of(*traffic, 1), CallForm::plan);
  };
  // Start-ups weigh where blocks are short, bytes where they are long.
  EXPECT_LT(seconds("blocked:1", "bruck:2", 1, 1), seconds("blocked:1", "linear", 1, 1));
  EXPECT_GT(seconds("blocked:1", "bruck:2", 100000, 1), seconds("blocked:1", "linear", 100000, 1));
  // Ranks that share processors take longer; so do those that share a way out.
  EXPECT_GT(seconds("64", "linear", 1000, 2), 10 * seconds("64", "linear", 1000, 64));
  EXPECT_GT(seconds("blocked:16", "linear", 100000, 16),
            2 * seconds("blocked:1", "linear", 100000, 1));
  // Sixteen messages between two nodes become one.
  EXPECT_LT(seconds("blocked:16", "bruck-in-nodes", 1, 16), seconds("blocked:16", "linear", 1, 16));
}

TEST(ExpectedTime, AsksNoTableOfPairs) {
  // Pairs of so many ranks would not end.
  const Machine machine = Machine::blocked(1 << 20, 1 << 10);
  const Profile profile = typical_profile({"", "", 1 << 20, 1 << 10, 1 << 10, 64});
  const TrafficSummary traffic = any_traffic({1 << 20, 1}, 1 << 20);
  for (const char* name : {"linear", "row-column", "bruck:2"}) {
    const auto algorithm = make_algorithm(name, machine, kGrain);
    const double seconds =
        expected_seconds(profile, *algorithm, machine, traffic, CallForm::one_shot);
    EXPECT_TRUE(std::isfinite(seconds));
    EXPECT_GT(seconds, 0);
  }
}

TEST(ExpectedTime, NativeIsWhatWasMeasured) {
  Profile profile = typical_profile({"", "", 8, 1, 8, 2});
  profile.alltoallv = {{0, 1.0}, {100, 2.0}, {1000, 20.0}};
  profile.allgatherv = {{0, 3.0}, {100, 4.0}};
  const Machine machine = Machine::parse("8", 8);
  const auto seconds = [&](const char* pattern, Bytes block) {
    const auto traffic = make_traffic(pattern, {8, block, 0, 1});
    return expected_native_seconds(profile, machine, summary_of(*traffic, 1));
  };
  EXPECT_DOUBLE_EQ(seconds("uniform", 0), 1);
  EXPECT_DOUBLE_EQ(seconds("uniform", 50), 1.5);
  EXPECT_DOUBLE_EQ(seconds("uniform", 100), 2);
  EXPECT_DOUBLE_EQ(seconds("uniform", 550), 11);
  EXPECT_DOUBLE_EQ(seconds("uniform", 1900), 38);
  // One rank's load is a quarter of the time of eight that share two processors.
  EXPECT_DOUBLE_EQ(seconds("hot-sender", 400), 2);
  // Twice the ranks on as many processors: twice the messages for each, and twice the turns.
  const Machine twice = Machine::parse("16", 16);
  const auto traffic = make_traffic("uniform", {16, 100, 1, 1});
  EXPECT_DOUBLE_EQ(expected_native_seconds(profile, twice, summary_of(*traffic, 1)), 8);

  EXPECT_DOUBLE_EQ(expected_native_seconds(profile, machine, Sources(std::vector<Bytes>(8, 100))),
                   4);
  EXPECT_DOUBLE_EQ(expected_native_seconds(profile, machine, Sources({400, 0, 0, 0, 0, 0, 0, 0})),
                   3.5);
}

}  // namespace
}  // namespace shunt
