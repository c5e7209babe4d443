// Every algorithm in every mode on every pattern, byte for byte as MPI_Alltoallv.
#include <limits>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "mpi/block_case.hpp"

namespace shunt::test {
namespace {

constexpr const char* kExactPatterns[] = {
    "uniform",      "pattern1",   "pattern2",         "zipf:1.2", "neighbours:3", "banded:1",
    "hot-receiver", "hot-sender", "lower-triangular", "zero",     "sparse:0.7",   "random"};

class Exactness : public testing::TestWithParam<const char*> {
 protected:
  /// Runs `check(name, algorithm, case)` for each algorithm on this pattern.
  template <class Check>
  void for_each_algorithm(Bytes maximum, std::size_t element, Check&& check) {
    const Rank ranks = world_size();
    const auto traffic = make_traffic(GetParam(), {ranks, maximum, maximum / 7 + 1, 42});
    for (const std::string& name : algorithm_names(ranks)) {
      const auto algorithm = make_algorithm(name, ranks, 1);
      BlockCase blocks(*traffic, element, [&](Rank source, Rank destination) {
        return algorithm->carries(source, destination);
      });
      check(name, blocks);
    }
  }
};

TEST_P(Exactness, OneShot) {
  Yard yard(MPI_COMM_WORLD);
  for (const auto& [maximum, element, grain] : {std::tuple{Bytes{23}, std::size_t{1}, Bytes{1}},
                                                {Bytes{37}, 7, 16},
                                                {Bytes{301}, 16, 512}}) {
    for_each_algorithm(maximum, element, [&](const std::string& name, BlockCase& blocks) {
      for (const Mode mode : kModes) {
        SCOPED_TRACE(name + ", " + name_of(mode));
        blocks.poison();
        yard.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                       blocks.receive_bytes(), {name, mode, grain, {}});
        ASSERT_EQ(blocks.received, blocks.expected);
      }
    });
  }
}

TEST_P(Exactness, LongBlocksNeedASecondPacket) {
  Yard yard(MPI_COMM_WORLD);
  for_each_algorithm(60000 / world_size(), 3, [&](const std::string& name, BlockCase& blocks) {
    SCOPED_TRACE(name);
    yard.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                   blocks.receive_bytes(), {name, Mode::dual_buffer, 64, {2, 5000}});
    ASSERT_EQ(blocks.received, blocks.expected);
  });
}

TEST_P(Exactness, Plan) {
  Yard yard(MPI_COMM_WORLD);
  for (const auto& [maximum, element, grain] :
       {std::tuple{Bytes{29}, std::size_t{1}, Bytes{1}}, {Bytes{211}, 24, 100}}) {
    for_each_algorithm(maximum, element, [&](const std::string& name, BlockCase& blocks) {
      for (const Mode mode : kModes) {
        SCOPED_TRACE(name + ", " + name_of(mode));
        Plan plan = yard.plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
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
  Yard yard(MPI_COMM_WORLD);
  std::size_t turn = 0;
  for_each_algorithm(700, 3, [&](const std::string& name, BlockCase& blocks) {
    for (const Bytes packet : {Bytes{100}, Bytes{1050}, std::numeric_limits<Bytes>::max()}) {
      const Mode mode = ++turn % 2 == 0 ? Mode::single_buffer : Mode::dual_buffer;
      SCOPED_TRACE(name + ", " + name_of(mode) + ", packets of " + std::to_string(packet));
      const Options options{name, mode, 64, {5, 3000}, false, packet};
      blocks.refill(0);
      yard.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                     blocks.receive_bytes(), options);
      ASSERT_EQ(blocks.received, blocks.expected);
      Plan plan = yard.plan_alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                                      blocks.receive_bytes(), options);
      for (int round = 1; round < 4; ++round) {
        blocks.refill(round);
        plan.execute();
        ASSERT_EQ(blocks.received, blocks.expected) << "round " << round;
      }
    }
  });
}

TEST_P(Exactness, BoundedPlan) {
  Yard yard(MPI_COMM_WORLD);
  const Rank ranks = world_size();
  for (const std::string& name : algorithm_names(ranks)) {
    SCOPED_TRACE(name);
    const auto algorithm = make_algorithm(name, ranks, 1);
    const Bytes bound = Bytes{ranks} * 300 * 8;
    BoundedPlan plan = yard.plan_bounded(bound, {name, Mode::dual_buffer, 64, {}});
    for (const Bytes maximum : {Bytes{300}, Bytes{1}, Bytes{77}}) {
      const auto traffic = make_traffic(GetParam(), {ranks, maximum, 1, 7});
      BlockCase blocks(*traffic, 8, [&](Rank source, Rank destination) {
        return algorithm->carries(source, destination);
      });
      plan.execute(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                   blocks.receive_bytes());
      ASSERT_EQ(blocks.received, blocks.expected) << "maximum " << maximum;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns, Exactness, testing::ValuesIn(kExactPatterns), test_name_of);

}  // namespace
}  // namespace shunt::test
