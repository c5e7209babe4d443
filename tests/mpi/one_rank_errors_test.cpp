// Arguments of one rank that cannot be used: a plan is made by all ranks or by none, and after a
// redistribution that one rank could not make the next calls match.
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"
#include "mpi/nodes.hpp"
#include "shunt/shunt.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

/// Arguments of any plan, which a test changes on one rank.
struct PlanArguments {
  explicit PlanArguments(Rank ranks)
      : from{{{4 * ranks, 4, ranks}}},
        to{{{4 * ranks, 1, ranks}}},
        layout(Layout::packed(std::vector<int>(static_cast<std::size_t>(ranks), 1))),
        sent(static_cast<std::size_t>(4 + ranks), 1),
        received(sent.size(), -1) {}

  ArrayLayout from;
  ArrayLayout to;
  Layout layout;
  std::vector<double> sent;
  std::vector<double> received;
  std::vector<Index> strides = {};
  MPI_Datatype type = MPI_DOUBLE;
  Bytes number = 1;
  Options options{"four-stage", Mode::dual_buffer, 1, {}};

  [[nodiscard]] DistributedArray<const double> source() const { return {from, sent, strides}; }
  [[nodiscard]] DistributedArray<double> target() { return {to, received}; }
};

using MakePlan = std::function<void(Communicator&, PlanArguments&)>;
using SpoilPlan = std::function<void(PlanArguments&)>;

void expect_plan_of_all_or_none(const MakePlan& make, const std::vector<SpoilPlan>& spoils) {
  Communicator communicator(MPI_COMM_WORLD);
  for (std::size_t k = 0; k < spoils.size(); ++k) {
    SCOPED_TRACE(k);
    const auto wrong = static_cast<Rank>(k % static_cast<std::size_t>(world_size()));
    PlanArguments given(world_size());
    if (world_rank() == wrong) {
      spoils[k](given);
      EXPECT_THROW(make(communicator, given), Error);
    } else {
      expect_error(ErrorKind::communication,
                   "the arguments of rank " + std::to_string(wrong) + " cannot be used",
                   [&] { make(communicator, given); });
    }
    PlanArguments right(world_size());
    make(communicator, right);
  }
}

/// What goes wrong does so on few ranks too, and a walk through it takes long on many.
class OneRankErrors : public testing::Test {
 protected:
  void SetUp() override {
    if (world_size() > 5) GTEST_SKIP() << "takes up to 5 ranks";
  }
};

const std::vector<SpoilPlan> kWrongLayouts{
    [](PlanArguments& given) { given.from.dimensions[0].block = 0; },
    [](PlanArguments& given) { given.to.dimensions[0].extent -= 1; },
    [](PlanArguments& given) {
      given.to.dimensions.push_back({1, 1});
    },
    [](PlanArguments& given) { given.from.ranks = {-1}; },
    [](PlanArguments& given) { given.strides = {0}; },
    [](PlanArguments& given) { given.sent.resize(3); },
    [](PlanArguments& given) { given.received.clear(); }};

const std::vector<SpoilPlan> kWrongBlocks{
    [](PlanArguments& given) { given.layout.counts[0] = -1; },
    [](PlanArguments& given) { given.layout.counts[0] = std::numeric_limits<Bytes>::max(); },
    [](PlanArguments& given) { given.layout.counts.pop_back(); },
    [](PlanArguments& given) { given.layout.displacements.clear(); }};

const SpoilPlan kWrongGrain = [](PlanArguments& given) { given.options.grain = 0; };

TEST_F(OneRankErrors, RedistributionsArePlannedByAllOrNone) {
  const auto once = [](Communicator& communicator, PlanArguments& given) {
    communicator.plan_redistribution<double>(given.source(), given.target()).execute();
    EXPECT_EQ(given.received[0], 1);
  };
  expect_plan_of_all_or_none(once, kWrongLayouts);
  const auto packed = [](Communicator& communicator, PlanArguments& given) {
    communicator.plan_redistribution<double>(given.source(), given.target(), {}, given.options)
        .execute();
    EXPECT_EQ(given.received[0], 1);
  };
  std::vector<SpoilPlan> spoils = kWrongLayouts;
  spoils.push_back(kWrongGrain);
  expect_plan_of_all_or_none(packed, spoils);
  const auto several = [](Communicator& communicator, PlanArguments& given) {
    communicator.plan_redistributions<double>({{given.source(), given.target()}}).execute();
  };
  expect_plan_of_all_or_none(several, kWrongLayouts);
}

TEST_F(OneRankErrors, AccumulationsArePlannedByAllOrNone) {
  std::vector<SpoilPlan> spoils = kWrongLayouts;
  spoils.emplace_back([](PlanArguments& given) { given.options.packet = 4; });
  expect_plan_of_all_or_none(
      [](Communicator& communicator, PlanArguments& given) {
        given.options.algorithm = "auto";
        communicator
            .plan_accumulation<double>(given.source(), given.target(), {2, 1}, {}, given.options)
            .execute();
        EXPECT_EQ(given.received[0], 1);
      },
      spoils);
}

/// The layout to receive with, in which a rank's block from itself has the number.
Layout expected_by(const PlanArguments& given) {
  Layout layout = given.layout;
  const auto own = static_cast<std::size_t>(world_rank());
  if (own < layout.counts.size()) layout.counts[own] *= given.number;
  return layout;
}

TEST_F(OneRankErrors, ExchangesArePlannedByAllOrNone) {
  std::vector<SpoilPlan> spoils = kWrongBlocks;
  spoils.emplace_back([](PlanArguments& given) { given.number = 2; });
  spoils.push_back(kWrongGrain);
  const auto of_spans = [](Communicator& communicator, PlanArguments& given) {
    communicator
        .plan_alltoallv(std::span<const double>(given.sent), given.layout,
                        std::span<double>(given.received), expected_by(given), given.options)
        .execute();
  };
  expect_plan_of_all_or_none(of_spans, spoils);
  const auto within_memory = [&](Communicator& communicator, PlanArguments& given) {
    given.options.memory = 1 << 20;
    of_spans(communicator, given);
  };
  expect_plan_of_all_or_none(within_memory, spoils);
  spoils.emplace_back([](PlanArguments& given) { given.type = MPI_DATATYPE_NULL; });
  expect_plan_of_all_or_none(
      [](Communicator& communicator, PlanArguments& given) {
        communicator
            .plan_alltoallv(given.sent.data(), given.layout, given.type, given.received.data(),
                            expected_by(given), given.type, given.options)
            .execute();
      },
      spoils);
}

TEST_F(OneRankErrors, AllgathersArePlannedByAllOrNone) {
  std::vector<SpoilPlan> spoils = kWrongBlocks;
  spoils.emplace_back([](PlanArguments& given) { given.number = 2; });
  spoils.push_back(kWrongGrain);
  expect_plan_of_all_or_none(
      [](Communicator& communicator, PlanArguments& given) {
        given.options.algorithm = "auto";
        given.options.effort = Effort::estimate;
        communicator
            .plan_allgatherv(
                std::span<const double>(given.sent).first(static_cast<std::size_t>(given.number)),
                std::span<double>(given.received), given.layout, given.options)
            .execute();
      },
      spoils);
  spoils.emplace_back([](PlanArguments& given) { given.type = MPI_DATATYPE_NULL; });
  expect_plan_of_all_or_none(
      [](Communicator& communicator, PlanArguments& given) {
        given.options.algorithm = "auto";
        given.options.effort = Effort::estimate;
        communicator
            .plan_allgatherv(given.sent.data(), given.number, given.type, given.received.data(),
                             given.layout, given.type, given.options)
            .execute();
      },
      spoils);
}

TEST_F(OneRankErrors, BoundsAndMemoryAreForAllOrNone) {
  const std::vector<SpoilPlan> negative{[](PlanArguments& given) { given.number = -1; }};
  expect_plan_of_all_or_none(
      [](Communicator& communicator, PlanArguments& given) {
        (void)communicator.plan_bounded(given.number, given.options);
      },
      {negative.front(), kWrongGrain});
  expect_plan_of_all_or_none(
      [](Communicator& communicator, PlanArguments& given) {
        (void)communicator.shared_array<double>(given.number);
      },
      negative);
}

/// All is on the first rank and stays there, so that nobody waits for the last one.
void redistribute_at_first(Communicator& communicator, Index block, const Options& options) {
  const ArrayLayout layout{{{4, block}}};
  const std::vector<double> sent(4, 3);
  std::vector<double> received(4, -1);
  communicator.redistribute<double>({layout, std::span<const double>(sent)},
                                    {layout, std::span<double>(received)}, {}, options);
}

TEST_F(OneRankErrors, RedistributionsThatOneRankCannotMakeLeaveTheNextOnesRight) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const char* algorithm : {"auto", "four-stage"}) {
    for (const bool shared : {true, false}) {
      const Options options{.algorithm = algorithm, .shared_memory = shared};
      const auto make = [&] {
        redistribute_at_first(communicator, world_rank() == world_size() - 1 ? 0 : 4, options);
      };
      if (world_rank() == world_size() - 1) {
        expect_error(ErrorKind::argument, "the block of dimension 0 is 0", make);
      } else {
        make();
      }
      PlanArguments right(world_size());
      communicator.redistribute<double>(right.source(), right.target(), {}, options);
      EXPECT_EQ(right.received[0], 1);
      communicator.alltoallv(std::span<const double>(right.sent), right.layout,
                             std::span<double>(right.received), right.layout,
                             {.algorithm = "linear"});
    }
  }
}

TEST_F(OneRankErrors, RanksOfANodeFindThatNothingComes) {
  if (!one_node()) GTEST_SKIP() << "ranks of other nodes wait";
  Communicator communicator(MPI_COMM_WORLD);
  PlanArguments given(world_size());
  const bool wrong = world_rank() == world_size() - 1;
  if (wrong) given.from.dimensions[0].block = 0;
  const auto make = [&] { communicator.redistribute<double>(given.source(), given.target()); };
  // The elements of the last rank go to the ranks that the last indices belong to.
  if (wrong) {
    expect_error(ErrorKind::argument, "the block of dimension 0 is 0", make);
  } else if (world_rank() >= world_size() - 4) {
    expect_error(ErrorKind::truncated, "which sends none", make);
  } else {
    make();
  }
  PlanArguments right(world_size());
  communicator.redistribute<double>(right.source(), right.target());
  EXPECT_EQ(right.received[0], 1);
}

}  // namespace
}  // namespace shunt::test
