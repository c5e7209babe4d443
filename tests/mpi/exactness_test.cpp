// Every algorithm in every mode on every pattern, byte for byte as MPI_Alltoallv.
#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "mpi/modes_in_turn.hpp"
#include "mpi/nodes.hpp"
#include "planner/patient.hpp"

namespace shunt::test {
namespace {

constexpr const char* kExactPatterns[] = {
    "uniform",      "pattern1",   "pattern2",         "zipf:1.2", "neighbours:3", "banded:1",
    "hot-receiver", "hot-sender", "lower-triangular", "zero",     "sparse:0.7",   "random"};

class Exactness : public testing::TestWithParam<const char*> {
 protected:
  /// Runs `check(name, case)` for each algorithm on this pattern. Those that carry all blocks share
  /// a case, about which MPI is asked once.
  template <class Check>
  void for_each_algorithm(Bytes maximum, std::size_t element, Check&& check) {
    const Rank ranks = world_size();
    const auto traffic = make_traffic(GetParam(), {ranks, maximum, maximum / 7 + 1, 42});
    BlockCase all(*traffic, element, everything);
    for (const std::string& name : tried_algorithms()) {
      if (supports_all_pairs(name, ranks, 1, Surroundings::flat(ranks))) {
        all.refill(0);
        check(name, all);
      } else {
        const auto algorithm = make_algorithm(name, ranks, 1);
        BlockCase some(*traffic, element, [&](Rank source, Rank destination) {
          return algorithm->supports_pair(source, destination);
        });
        check(name, some);
      }
    }
  }

  /// The modes for the next algorithm, so that in the end each had all of them.
  std::span<const Mode> modes() { return modes_in_turn(turn_++); }

 private:
  std::size_t turn_ = static_cast<std::size_t>(
      std::ranges::find(kExactPatterns, std::string_view(GetParam())) - kExactPatterns);
};

TEST_P(Exactness, OneShot) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const auto& [maximum, element, grain] : {std::tuple{Bytes{23}, std::size_t{1}, Bytes{1}},
                                                {Bytes{37}, 7, 16},
                                                {Bytes{301}, 16, 512}}) {
    for_each_algorithm(maximum, element, [&](const std::string& name, BlockCase& blocks) {
      for (const Mode mode : modes()) {
        SCOPED_TRACE(name + ", " + name_of(mode));
        blocks.poison();
        communicator.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                               blocks.receive_bytes(), {name, mode, grain, {}});
        ASSERT_EQ(blocks.received, blocks.expected);
      }
    });
  }
}

TEST_P(Exactness, LongBlocksNeedASecondPacket) {
  Communicator communicator(MPI_COMM_WORLD);
  for_each_algorithm(60000 / world_size(), 3, [&](const std::string& name, BlockCase& blocks) {
    SCOPED_TRACE(name);
    communicator.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                           blocks.receive_bytes(), {name, Mode::dual_buffer, 64, {2, 5000}});
    ASSERT_EQ(blocks.received, blocks.expected);
  });
}

TEST_P(Exactness, Plan) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const auto& [maximum, element, grain] :
       {std::tuple{Bytes{29}, std::size_t{1}, Bytes{1}}, {Bytes{211}, 24, 100}}) {
    for_each_algorithm(maximum, element, [&](const std::string& name, BlockCase& blocks) {
      for (const Mode mode : modes()) {
        SCOPED_TRACE(name + ", " + name_of(mode));
        Plan plan =
            communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                                        blocks.receive_bytes(), {name, mode, grain, {}});
        for (int round = 0; round < 3; ++round) {
          blocks.refill(round);
          plan.execute();
          ASSERT_EQ(blocks.received, blocks.expected) << "round " << round;
        }
        for (const StageCounters& stage : plan.counters().stages) {
          EXPECT_EQ(stage.metadata_sent, 0);
        }
      }
    });
  }
}

/// Through MPI alone, so that there are packets, in a window that they fill.
TEST_P(Exactness, Packets) {
  Communicator communicator(MPI_COMM_WORLD);
  std::size_t turn = 0;
  for_each_algorithm(700, 3, [&](const std::string& name, BlockCase& blocks) {
    for (const Bytes packet : {Bytes{100}, Bytes{1050}, std::numeric_limits<Bytes>::max()}) {
      const Mode mode = ++turn % 2 == 0 ? Mode::single_buffer : Mode::dual_buffer;
      SCOPED_TRACE(name + ", " + name_of(mode) + ", packets of " + std::to_string(packet));
      const Options options{name, mode, 64, {5, 3000}, false, packet};
      blocks.refill(0);
      communicator.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                             blocks.receive_bytes(), options);
      ASSERT_EQ(blocks.received, blocks.expected);
      Plan plan = communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(),
                                              blocks.to_receive(), blocks.receive_bytes(), options);
      for (int round = 1; round < 4; ++round) {
        blocks.refill(round);
        plan.execute();
        ASSERT_EQ(blocks.received, blocks.expected) << "round " << round;
      }
    }
  });
}

TEST_P(Exactness, BoundedPlan) {
  Communicator communicator(MPI_COMM_WORLD);
  constexpr Bytes kElement = 8;
  constexpr Bytes kLongest = 300;
  const Bytes bound = Bytes{world_size()} * kLongest * kElement;
  std::map<std::string, BoundedPlan> plans;
  for (const Bytes maximum : {kLongest, Bytes{1}, Bytes{77}}) {
    for_each_algorithm(maximum, kElement, [&](const std::string& name, BlockCase& blocks) {
      SCOPED_TRACE(name);
      auto known = plans.find(name);
      if (known == plans.end()) {
        known =
            plans.emplace(name, communicator.plan_bounded(bound, {name, Mode::dual_buffer, 64, {}}))
                .first;
      }
      known->second.execute(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                            blocks.receive_bytes());
      ASSERT_EQ(blocks.received, blocks.expected) << "maximum " << maximum;
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns, Exactness, testing::ValuesIn(kExactPatterns), test_name_of);

}  // namespace
}  // namespace shunt::test
