// What the planner chooses, and MPI's own collective as a plan, byte for byte.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "context/blocks.hpp"
#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "mpi/nodes.hpp"
#include "mpi/own_communicator.hpp"
#include "planner/choose.hpp"
#include "planner/plan_choice.hpp"

namespace shunt::test {
namespace {

class Chosen : public testing::TestWithParam<const char*> {};

TEST_P(Chosen, PlansAreExact) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const char* pattern : {"uniform", "pattern1", "zero", "sparse:0.7"}) {
    const auto traffic = make_traffic(pattern, {world_size(), 50, 3, 5});
    BlockCase blocks(*traffic, 12, everything);
    blocks.poison();
    const std::vector<std::byte> untouched = blocks.received;
    Plan plan = communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(),
                                            blocks.to_receive(), blocks.receive_bytes(),
                                            {GetParam(), Mode::dual_buffer, 64, {}});
    EXPECT_EQ(blocks.received, untouched) << "planning wrote to the receive buffer";
    for (int round = 0; round < 3; ++round) {
      SCOPED_TRACE(std::string(pattern) + ", round " + std::to_string(round));
      blocks.refill(round);
      if (round == 1) {
        plan.start();
        while (!plan.test()) {
        }
      } else {
        plan.execute();
      }
      ASSERT_EQ(blocks.received, blocks.expected);
    }
  }
}

TEST_P(Chosen, TwoPlansAtOnceWaitedForInEitherOrder) {
  Communicator communicator(MPI_COMM_WORLD);
  const auto traffic = make_traffic("random", {world_size(), 40, 1, 9});
  BlockCase first(*traffic, 8, everything);
  BlockCase second(*traffic, 3, everything);
  auto plan_for = [&](BlockCase& blocks, const char* algorithm) {
    return communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                                       blocks.receive_bytes(),
                                       {algorithm, Mode::dual_buffer, 64, {}});
  };
  Plan one = plan_for(first, GetParam());
  Plan other = plan_for(second, "four-stage");
  one.start();
  other.start();
  EXPECT_THROW(one.start(), Error);
  if (world_rank() % 2 == 0) {
    one.wait();
    other.wait();
  } else {
    other.wait();
    one.wait();
  }
  EXPECT_EQ(first.received, first.expected);
  EXPECT_EQ(second.received, second.expected);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Chosen, testing::Values("auto", "native"), test_name_of);

/// What a plan for blocks of `bytes` bytes says of itself.
std::string explained(Bytes bytes) {
  Communicator communicator(MPI_COMM_WORLD);
  BlockCase blocks(*make_traffic("uniform", {world_size(), bytes, 1, 1}), 1, everything);
  return communicator
      .plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                      blocks.receive_bytes())
      .explain();
}

TEST(Auto, SaysWhatItTried) {
  const std::string text = explained(80);
  EXPECT_NE(text.find("tried linear"), std::string::npos) << text;
  EXPECT_NE(text.find("tried native"), std::string::npos) << text;
  const bool shared_ways = world_machine().nodes() > 1 && ranks_share_nodes();
  for (const char* name : {"node-pairwise", "leaders:1", "leaders:2"}) {
    EXPECT_EQ(text.find(std::string("tried ") + name) != std::string::npos, shared_ways) << text;
  }
}

TEST(Auto, TriesSingleCopiesOfLongBlocks) {
  const std::string once = "tried linear shared=once";
  EXPECT_EQ(explained(8191).find(once), std::string::npos);
  const std::string text = explained(8192);
  EXPECT_EQ(text.find(once) != std::string::npos, ranks_share_nodes()) << text;
}

/// What is too long to be tried is copied once; and what stays in no cache, where nothing is known
/// of it yet.
TEST(Auto, CopiesMuchOnce) {
  if (world_size() == 1) return;
  const char* const expected = ranks_share_nodes() ? "linear shared=once" : kStraight;
  for (const auto& [bytes, effort] : {std::pair{kLargestTrial + 1, Effort::measure},
                                      std::pair{Bytes{2} << 20, Effort::estimate}}) {
    const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
    Communicator communicator(world.get());
    std::vector<Bytes> sent(static_cast<std::size_t>(world_size()), 0);
    std::vector<Bytes> received = sent;
    if (world_rank() == 0) sent.back() = bytes;
    if (world_rank() == world_size() - 1) received.front() = bytes;
    std::vector<std::byte> from(static_cast<std::size_t>(total_bytes(sent)), std::byte{5});
    std::vector<std::byte> to(static_cast<std::size_t>(total_bytes(received)));
    Options options;
    options.effort = effort;
    Plan plan = communicator.plan_alltoallv(std::span<const std::byte>(from), Layout::packed(sent),
                                            std::span(to), Layout::packed(received), options);
    plan.execute();
    EXPECT_TRUE(std::ranges::all_of(to, [](std::byte byte) { return byte == std::byte{5}; }));
    EXPECT_EQ(plan.explain().find(std::string(expected) + " on "), 0U) << plan.explain();
    std::ranges::fill(to, std::byte{0});
    const Counters first =
        communicator.alltoallv(std::span<const std::byte>(from), Layout::packed(sent),
                               std::span(to), Layout::packed(received));
    EXPECT_TRUE(std::ranges::all_of(to, [](std::byte byte) { return byte == std::byte{5}; }));
    EXPECT_EQ(first.chosen, expected) << "a first call of " << bytes << " bytes";
  }
}

/// A candidate that took the same in every round but the first, in which it took `first`.
TrialRounds seven(const char* configuration, double seconds, double first) {
  TrialRounds trial{read_configuration(configuration, {}), std::vector<double>(7, seconds)};
  trial.seconds.front() = first;
  return trial;
}

std::string winner_of(const std::vector<TrialRounds>& trials, const char* preferred) {
  return configuration_text(winner(trials, read_configuration(preferred, {})), {});
}

TEST(Auto, GoesStraightUnlessSomethingIsClearlyFaster) {
  const TrialRounds straight = seven("linear", 1.0, 1.0);
  // By a tenth in the median, whatever happens in single rounds.
  EXPECT_EQ(
      winner_of({straight, seven("native", 0.89, 9.0), seven("four-stage", 0.95, 0.95)}, "linear"),
      "native");
  TrialRounds unsteady = seven("row-column", 0.91, 9.0);
  EXPECT_EQ(winner_of({unsteady, straight, seven("native", 2.0, 2.0)}, "linear"), "row-column");
  unsteady.seconds.back() = 9.0;
  EXPECT_EQ(winner_of({unsteady, straight, seven("native", 2.0, 2.0)}, "linear"), "linear");
  EXPECT_EQ(winner_of({seven("row-column", 0.98, 0.98), straight}, "linear"), "linear");
  // MPI's own is the one to beat.
  EXPECT_EQ(winner_of({seven("native", 0.98, 0.98), straight}, "linear"), "native");
  EXPECT_EQ(winner_of({seven("native", 1.02, 1.02), straight}, "linear"), "native");
  EXPECT_EQ(winner_of({seven("native", 1.04, 1.04), straight}, "linear"), "linear");
  EXPECT_EQ(winner_of({seven("native", 1.0, 1.0), seven("row-column", 0.98, 0.98)}, "linear"),
            "native");
  // But single copies are kept to where they are the usual way.
  const char* const once = "linear shared=once";
  const TrialRounds copied_once = seven(once, 1.0, 1.0);
  EXPECT_EQ(winner_of({seven("native", 0.98, 0.98), copied_once}, once), once);
  EXPECT_EQ(winner_of({seven("native", 0.95, 0.95), copied_once}, once), "native");
  EXPECT_EQ(winner_of({seven("four-stage", 3.0, 3.0), seven("row-column", 2.0, 2.0)}, "linear"),
            "row-column");
}

/// The all-gather that one-shot calls take for blocks of `length` bytes of the first `sources`
/// ranks.
std::string expected_allgather(const Machine& machine, Rank sources, Bytes length,
                               bool broadcast_buffers) {
  std::vector<Bytes> lengths(static_cast<std::size_t>(machine.ranks()), 0);
  std::fill_n(lengths.begin(), sources, length);
  const Profile profile = typical_profile({"", "", machine.ranks(), machine.nodes(), 8, 8});
  return likely_allgathers({Sources(lengths), machine, broadcast_buffers}, profile,
                           Surroundings::known(machine), CallForm::one_shot, {})
      .front()
      .algorithm;
}

/// The algorithms for the torus that are tried on it.
std::vector<std::string> likely_on(const std::string& torus, Bytes load) {
  const Extents extents = Extents::parse(torus);
  const Rank ranks = extents.ranks();
  Surroundings surroundings = Surroundings::flat(ranks);
  surroundings.torus = [extents] { return std::optional(extents); };
  const Machine machine = Machine::blocked(ranks, 1);
  const Profile profile = typical_profile({"", "", ranks, ranks, 1, 1});
  std::vector<std::string> names;
  for (const Configuration& candidate : likely_exchanges({profile,
                                                          surroundings,
                                                          machine,
                                                          any_traffic({load, load / ranks}, ranks),
                                                          CallForm::plan,
                                                          {}})) {
    if (candidate.algorithm.ends_with(":" + torus)) names.push_back(candidate.algorithm);
  }
  return names;
}

TEST(Auto, TriesWhatATorusAllows) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(likely_on("16x16", 4 << 20), (Names{"torus:16x16", "torus-pipeline:16x16"}));
  EXPECT_EQ(likely_on("16x16", 15 << 20), Names{"torus:16x16"}) << "63.4 MiB, or 67.5";
  EXPECT_EQ(likely_on("16x16", 16 << 20), Names{});
  EXPECT_EQ(likely_on("6x4", 1024), Names{"torus-pipeline:6x4"});
  EXPECT_EQ(likely_on("5x4", 1024), Names{"torus-split:5x4"});
  EXPECT_EQ(likely_on("4x4x4", 1024), Names{"torus-split:4x4x4"});
  EXPECT_EQ(likely_on("16", 1024), Names{}) << "a ring";
}

TEST(Auto, AllgathersBetweenNodesByWhatThereIsToPassOn) {
  const Machine machine = Machine::blocked(64, 8);
  EXPECT_EQ(expected_allgather(machine, 1, 131072, true), "node-ring");
  EXPECT_EQ(expected_allgather(machine, 32, 4096, true), "node-ring");
  EXPECT_EQ(expected_allgather(machine, 1, 131071, true), "node-halving-direct");
  EXPECT_EQ(expected_allgather(Machine::blocked(72, 8), 1, 131072, true), "node-halving-direct");
  EXPECT_EQ(expected_allgather(machine, 0, 0, true), "node-halving-direct");
  EXPECT_EQ(expected_allgather(machine, 1, 1024, true), "node-star");
  EXPECT_EQ(expected_allgather(machine, 8, 128, true), "node-star");
  EXPECT_EQ(expected_allgather(machine, 9, 64, true), "node-halving-direct");
  EXPECT_EQ(expected_allgather(machine, 1, 1025, true), "node-halving-direct");
  EXPECT_EQ(expected_allgather(Machine::blocked(72, 8), 1, 64, true), "node-halving-direct");
  EXPECT_EQ(expected_allgather(machine, 1, 32767, false), "node-halving");
  EXPECT_EQ(expected_allgather(machine, 1, 32768, false), "node-lanes");
  EXPECT_EQ(expected_allgather(machine, 64, 4095, false), "node-lanes");
  EXPECT_EQ(expected_allgather(machine, 64, 4096, false), "neighbour-exchange");
  EXPECT_EQ(expected_allgather(machine, 15, 262144, false), "node-lanes");
  EXPECT_EQ(expected_allgather(machine, 16, 262144, false), "neighbour-exchange");
  // Eight of 64 nodes have all of it, or seven.
  EXPECT_EQ(expected_allgather(Machine::blocked(1024, 16), 128, 65536, false),
            "neighbour-exchange");
  EXPECT_EQ(expected_allgather(Machine::blocked(1024, 16), 112, 65536, false), "node-lanes");
  // The neighbour is on another node each time, or there is none for the last rank.
  EXPECT_EQ(expected_allgather(Machine::round_robin(64, 8), 64, 4096, false), "node-lanes");
  EXPECT_EQ(expected_allgather(Machine::blocked(63, 8), 63, 4096, false), "node-lanes");
}

}  // namespace
}  // namespace shunt::test
