// What the engine counts about itself, against what the algorithms state and the papers prove.
#include <algorithm>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/flow/flow.hpp"
#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "mpi/modes_in_turn.hpp"
#include "mpi/nodes.hpp"
#include "pure/function_traffic.hpp"
#include "schedule/node_array.hpp"
#include "transport/slots.hpp"

namespace shunt::test {
namespace {

constexpr const char* kCountedPatterns[] = {"uniform",    "pattern1", "pattern2", "hot-receiver",
                                            "hot-sender", "zipf:1.2", "random"};

const StageCounters& stage_of(const Counters& counters, int stage) {
  return counters.stages.at(static_cast<std::size_t>(stage));
}

/// What all of an algorithm's messages must be for one traffic.
class Expectation {
 public:
  Expectation(const Algorithm& algorithm, const Traffic& traffic, Bytes element)
      : algorithm_(algorithm),
        bound_(loads_of(traffic, element).bound()),
        flows_(follow_traffic(algorithm, traffic, element)) {}

  /// Routes are deterministic, so lengths are known exactly; and they keep to the stated bounds.
  void check(const Counters& counters, bool shared = false) const {
    ASSERT_EQ(std::ssize(counters.stages), algorithm_.stages());
    const Rank rank = world_rank();
    const auto index = static_cast<std::size_t>(rank);
    for (int stage = 0; stage < algorithm_.stages(); ++stage) {
      SCOPED_TRACE("stage " + std::to_string(stage + 1));
      const StageCounters& counted = stage_of(counters, stage);
      const StageFlow& flow = flows_[static_cast<std::size_t>(stage)];
      EXPECT_EQ(counted.received, flow.load[index]);
      EXPECT_EQ(counted.longest_received, flow.longest_message[index]);
      const StageBound bound = algorithm_.bound(stage, rank, bound_);
      EXPECT_LE(counted.messages_received, bound.messages);
      EXPECT_LE(counted.longest_received, bound.longest_message);
      EXPECT_LE(counted.received, bound.load);
    }
    const Bytes buffer = algorithm_.buffer_bound(rank, bound_);
    EXPECT_LE(counters.peak_receive_buffer, buffer);
    EXPECT_LE(counters.peak_send_buffer, buffer);
    if (shared) return;
    // Nor less than there must be where nothing is shared: between the first and the last stage all
    // that comes is kept, and in the next stage but the last is sent on.
    for (int stage = 1; stage + 1 < algorithm_.stages(); ++stage) {
      EXPECT_GE(counters.peak_receive_buffer, stage_of(counters, stage).received);
      EXPECT_GE(counters.peak_send_buffer, stage_of(counters, stage - 1).received);
    }
  }

  /// Whether `counters` has at most what leaves this rank in the memory of the node; and something,
  /// if all ranks are on one node: of several stages, messages that lie there whole.
  void check_shared(const Counters& counters) const {
    Bytes leaving = 0;
    bool shared = false;
    for (const StageFlow& flow : flows_) {
      for (const FlowMessage& message : flow.messages) {
        if (message.from != world_rank() || message.to == message.from) continue;
        leaving += message.bytes;
        const bool fits = message.bytes <= kLongestWhole || algorithm_.stages() == 1;
        shared |= message.bytes > 0 && fits;
      }
    }
    EXPECT_LE(counters.peak_shared, leaving);
    if (one_node()) {
      EXPECT_EQ(counters.peak_shared > 0, shared);
    }
  }

  /// Whether `counters` has the messages that are not empty. `all_but_last`: and before the last
  /// stage, where lengths are not known before, the empty ones too.
  void check_messages(const Counters& counters, bool all_but_last) const {
    for (int stage = 0; stage < algorithm_.stages(); ++stage) {
      SCOPED_TRACE("stage " + std::to_string(stage + 1));
      const bool all = all_but_last && stage + 1 < algorithm_.stages();
      int sent = 0;
      int received = 0;
      for (const FlowMessage& message : flows_[static_cast<std::size_t>(stage)].messages) {
        if (!all && message.bytes == 0) continue;
        if (message.from == world_rank()) ++sent;
        if (message.to == world_rank()) ++received;
      }
      EXPECT_EQ(stage_of(counters, stage).messages_sent, sent);
      EXPECT_EQ(stage_of(counters, stage).messages_received, received);
    }
  }

 private:
  const Algorithm& algorithm_;
  TrafficBound bound_;
  std::vector<StageFlow> flows_;
};

class CountersOf : public testing::TestWithParam<const char*> {};

/// Metadata of one stage: none where all lengths are known, else a label before each message that
/// leaves this rank, with at most 15 bytes for each destination.
void check_labels(const Counters& counters, const Algorithm& algorithm) {
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    int leaving = 0;
    for (const Step& step : algorithm.steps(stage, world_rank())) {
      if (step.to != kNoRank && step.to != world_rank()) ++leaving;
    }
    const Bytes metadata = stage_of(counters, stage).metadata_sent;
    const bool last = stage + 1 == algorithm.stages();
    EXPECT_LE(metadata, last ? 0 : Bytes{leaving} * (8 + 10 + 15 * algorithm.ranks()));
    EXPECT_GE(metadata, last ? 0 : Bytes{leaving} * 9);
  }
}

/// The counters of a one-shot exchange and of a plan.
void check_exchanges(Communicator& communicator, BlockCase& blocks, const Options& options,
                     const Algorithm& algorithm, const Expectation& expected) {
  const Counters once = communicator.alltoallv(
      blocks.to_send(), blocks.send_bytes(), blocks.to_receive(), blocks.receive_bytes(), options);
  expected.check(once);
  expected.check_messages(once, true);
  check_labels(once, algorithm);

  for (const bool shared : {false, true}) {
    SCOPED_TRACE(shared ? "plan, shared memory" : "plan");
    // Before all ranks have let go of the last plan, its room is not free.
    MPI_Barrier(MPI_COMM_WORLD);
    Options planned = options;
    planned.shared_memory = shared;
    Plan plan = communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(),
                                            blocks.to_receive(), blocks.receive_bytes(), planned);
    expected.check(plan.counters(), shared);
    expected.check_messages(plan.counters(), false);
    for (const StageCounters& stage : plan.counters().stages) EXPECT_EQ(stage.metadata_sent, 0);
    if (shared && options.mode != Mode::blocking) {
      expected.check_shared(plan.counters());
    } else {
      EXPECT_EQ(plan.counters().peak_shared, 0);
    }
  }
}

TEST_P(CountersOf, Exchanges) {
  const Rank ranks = world_size();
  constexpr Bytes kGrain = 16;
  constexpr Bytes kElement = 8;
  const auto all = make_traffic(GetParam(), {ranks, 3 * ranks, 1, 5});
  Communicator communicator(MPI_COMM_WORLD);
  std::size_t turn = std::string_view(GetParam()).size();
  for (const std::string& name : tried_algorithms()) {
    const auto algorithm = make_algorithm(name, world_machine(), kGrain);
    const FunctionTraffic traffic(GetParam(), ranks, [&](Rank source, Rank destination) {
      return algorithm->supports_pair(source, destination) ? all->count(source, destination) : 0;
    });
    const Expectation expected(*algorithm, traffic, kElement);
    BlockCase blocks(traffic, kElement, everything);
    for (const Mode mode : modes_in_turn(turn++)) {
      SCOPED_TRACE(name + ", " + name_of(mode));
      check_exchanges(communicator, blocks, {name, mode, kGrain, {}}, *algorithm, expected);
    }
  }
}

/// What Liu 2002 proves of four-stage (A4): no rounding, since every block is a multiple of P
/// bytes.
class ProvenFourStage {
 public:
  ProvenFourStage(Rank ranks, Bytes largest_load)
      : array_(NodeArray::balanced(ranks, 2)), ranks_(ranks), share_(largest_load / ranks) {
    EXPECT_EQ(largest_load % ranks, 0);
  }

  /// Lemma 1, Lemma 3 and Table 2, in the exact terms of the array: C columns, R rows.
  [[nodiscard]] StageBound table_2(int stage, Rank rank) const {
    const bool in_rows = stage % 2 == 0;
    const Rank columns = array_.columns();
    const Rank rows = array_.rows();
    const bool incomplete = array_.remainder() > 0 && array_.column_of(rank) >= array_.remainder();
    const bool additional = incomplete && array_.row_of(rank) < array_.remainder();
    StageBound bound{};
    if (in_rows) {
      bound.messages = columns + (additional ? 1 : 0);
      bound.longest_message = (incomplete ? rows - 1 : rows) * share_;
    } else {
      bound.messages = incomplete ? rows - 1 : rows;
      bound.longest_message = (incomplete ? columns + 1 : columns) * share_;
    }
    bound.load = bound.messages * bound.longest_message;
    return bound;
  }

  /// Theorem 1, made sharp: C * R / P of L_max.
  [[nodiscard]] Bytes buffer() const { return share_ * array_.columns() * array_.rows(); }

  /// Theorem 1 as printed: both buffers together take at most 2 ceil(sqrt P)^2 L_max / P.
  [[nodiscard]] Bytes both_buffers() const { return 2 * root() * root() * share_; }

  /// Theorem 2: start-ups over all stages.
  [[nodiscard]] int start_ups() const {
    const int more = array_.remainder() > 0 ? 1 : 0;
    return 2 * (array_.columns() + more) + 2 * array_.rows();
  }
  [[nodiscard]] int start_ups_as_printed() const { return static_cast<int>(4 * root() + 2); }

  /// Theorem 2's traffic: 4 (ceil + 1) ceil L_max / P.
  [[nodiscard]] Bytes traffic() const { return 4 * (root() + 1) * root() * share_; }

 private:
  [[nodiscard]] Bytes root() const {
    Bytes root = 1;
    while (root * root < ranks_) ++root;
    return root;
  }

  NodeArray array_;
  Rank ranks_;
  Bytes share_;
};

void expect_as_proven(const Counters& counters, const ProvenFourStage& proven) {
  int received = 0;
  int sent = 0;
  Bytes traffic = 0;
  for (int stage = 0; stage < 4; ++stage) {
    SCOPED_TRACE("stage " + std::to_string(stage + 1));
    const StageCounters& counted = stage_of(counters, stage);
    const StageBound bound = proven.table_2(stage, world_rank());
    EXPECT_LE(counted.messages_received, bound.messages);
    EXPECT_LE(counted.longest_received, bound.longest_message);
    EXPECT_LE(counted.received, bound.load);
    received += counted.messages_received;
    sent += counted.messages_sent;
    traffic += counted.received;
  }
  EXPECT_LE(received, proven.start_ups());
  EXPECT_LE(sent, proven.start_ups());
  EXPECT_LE(proven.start_ups(), proven.start_ups_as_printed());
  EXPECT_LE(traffic, proven.traffic());
  EXPECT_LE(counters.peak_receive_buffer, proven.buffer());
  EXPECT_LE(counters.peak_send_buffer, proven.buffer());
  EXPECT_LE(counters.peak_send_buffer + counters.peak_receive_buffer, proven.both_buffers());
}

TEST_P(CountersOf, FourStageAreAsProven) {
  const Rank ranks = world_size();
  Communicator communicator(MPI_COMM_WORLD);
  const auto traffic = make_traffic(GetParam(), {ranks, 40, 1, 6});
  const auto element = static_cast<std::size_t>(ranks);
  BlockCase blocks(*traffic, element, everything);
  const ProvenFourStage proven(ranks, loads_of(*traffic, ranks).bound().largest_load);
  for (const Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    // The paper's buffers are those of messages that leave the rank.
    const Options options{"four-stage", mode, 1, {}, false};
    expect_as_proven(communicator.alltoallv(blocks.to_send(), blocks.send_bytes(),
                                            blocks.to_receive(), blocks.receive_bytes(), options),
                     proven);
    expect_as_proven(communicator
                         .plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                                         blocks.receive_bytes(), options)
                         .counters(),
                     proven);
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns, CountersOf, testing::ValuesIn(kCountedPatterns), test_name_of);

/// Where all blocks are equal, Table 2 is not only kept but reached, though not by the nodes of an
/// incomplete row: few others share their row.
TEST(CountersOfUniform, ReachTable2) {
  const Rank ranks = world_size();
  constexpr Bytes kBlock = 2;
  const Bytes load = kBlock * ranks * ranks;
  const auto traffic = make_traffic("uniform", {ranks, kBlock, 1, 1});
  BlockCase blocks(*traffic, static_cast<std::size_t>(ranks), everything);
  const ProvenFourStage proven(ranks, load);
  const bool in_incomplete_row = NodeArray::balanced(ranks, 2).in_incomplete_row(world_rank());
  Communicator communicator(MPI_COMM_WORLD);
  const Counters counters =
      communicator.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                             blocks.receive_bytes(), {"four-stage", Mode::dual_buffer, 1, {}});
  for (int stage = 0; stage < 4; ++stage) {
    SCOPED_TRACE("stage " + std::to_string(stage + 1));
    const StageCounters& counted = stage_of(counters, stage);
    const StageBound bound = proven.table_2(stage, world_rank());
    const bool in_rows = stage % 2 == 0;
    if (in_rows && in_incomplete_row) continue;
    EXPECT_EQ(counted.messages_received, bound.messages);
    EXPECT_EQ(counted.received, in_rows ? bound.load : load);
    if (!in_rows) continue;
    EXPECT_EQ(counted.longest_received, bound.longest_message);
  }
}

}  // namespace
}  // namespace shunt::test
