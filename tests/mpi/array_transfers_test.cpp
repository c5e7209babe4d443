// Redistributions of several arrays at a time, in blocks of one length and of any, element for
// element as an oracle says.
#include <gtest/gtest.h>

#include "mpi/modes_in_turn.hpp"
#include "shunt/shunt.hpp"
#include "support/dealt_array.hpp"
#include "support/expect_error.hpp"
#include "support/split_array.hpp"

namespace shunt::test {
namespace {

struct Triple {
  std::int32_t numbers[3];
};

/// One of several: two random arrays of either kind, with this rank's memory of both.
class RandomTransfer {
 public:
  RandomTransfer(std::mt19937& random, std::size_t kinds)
      : from_is_split_(kinds % 2 == 1), to_is_split_(kinds / 2 % 2 == 1) {
    made_ = random_case(random, world_size());
    made_.element = sizeof(Triple);
    from_ = random_split_side(random, world_size(), made_.extents, made_.from.axes);
    to_ = random_split_side(random, world_size(), made_.extents, made_.to.axes);
    if (from_is_split_) {
      sent_ = split_parts(from_, made_.from_gap, true);
    } else {
      sent_ = {sent_part(made_, world_rank())};
    }
    if (to_is_split_) {
      received_ = split_parts(to_, made_.to_gap, false);
      expected_ = split_parts(to_, made_.to_gap, true);
    } else {
      received_ = {part_of(made_.to.layout, world_rank(), made_.element, made_.to_gap)};
      expected_ = {expected_part(made_, world_rank())};
    }
  }

  [[nodiscard]] ArrayTransfer<Triple> transfer() {
    ArrayTransfer<Triple> transfer;
    transfer.from = array<const Triple>(from_is_split_, from_, made_.from, sent_);
    transfer.to = array<Triple>(to_is_split_, to_, made_.to, received_);
    transfer.section = {made_.extents, from_is_split_ ? from_.begin : made_.from.begin,
                        to_is_split_ ? to_.begin : made_.to.begin, made_.to.axes};
    return transfer;
  }

  void poison() {
    for (DealtPart& part : received_) std::ranges::fill(part.memory, std::byte{kPoison});
  }
  [[nodiscard]] bool is_as_expected() const {
    return std::ranges::equal(received_, expected_, {}, &DealtPart::memory, &DealtPart::memory);
  }

 private:
  [[nodiscard]] std::vector<DealtPart> split_parts(const SplitSide& side, Index gap,
                                                   bool filled) const {
    return parts_of(side, world_rank(), made_.extents, made_.element, gap, filled);
  }
  template <class T>
  static AnyArray<T> array(bool is_split, const SplitSide& split, const ArraySide& dealt,
                           std::vector<DealtPart>& parts) {
    if (is_split) return array_of<T>(split.layout, parts);
    return DistributedArray<T>{dealt.layout, elements<T>(parts.front().memory),
                               parts.front().strides};
  }

  bool from_is_split_;
  bool to_is_split_;
  RedistributionCase made_;
  SplitSide from_;
  SplitSide to_;
  std::vector<DealtPart> sent_;
  std::vector<DealtPart> received_;
  std::vector<DealtPart> expected_;
};

TEST(ArrayTransfersExactness, OfRandomArraysOfAllKinds) {
  Communicator communicator(MPI_COMM_WORLD);
  std::mt19937 random(17);
  const std::size_t rounds = world_size() <= 13 ? 120 : 30;
  for (std::size_t turn = 0; turn < rounds; ++turn) {
    std::vector<RandomTransfer> arrays;
    for (auto more = 1 + random() % 3; more > 0; --more) {
      arrays.emplace_back(random, turn + more);
    }
    for (const Options& options :
         {Options{}, Options{"auto", modes_in_turn(turn).front()},
          Options{"auto", Mode::dual_buffer, 512, {2, 100}, turn % 2 == 0, 40}}) {
      SCOPED_TRACE(testing::Message() << "round " << turn << ", " << name_of(options.mode));
      std::vector<ArrayTransfer<Triple>> transfers;
      for (RandomTransfer& array : arrays) transfers.push_back(array.transfer());
      Plan plan = communicator.plan_redistributions<Triple>(transfers, options);
      for (int round = 0; round < 2; ++round) {
        for (RandomTransfer& array : arrays) array.poison();
        plan.execute();
        for (const RandomTransfer& array : arrays) {
          ASSERT_TRUE(array.is_as_expected()) << "round " << round;
        }
      }
    }
  }
}

/// Each with what its own elements become.
TEST(ArrayTransfers, UpdateEachArrayInItsOwnWay) {
  Communicator communicator(MPI_COMM_WORLD);
  const Rank ranks = world_size();
  const Index extent = Index{100} * ranks;
  const ArrayLayout blocks{{{extent, 100, ranks}}};
  const ArrayLayout cyclic{{{extent, 3, ranks}}};
  std::vector<double> source(100);
  for (std::size_t i = 0; i < source.size(); ++i) {
    source[i] = static_cast<double>(world_rank() * 100) + static_cast<double>(i);
  }
  const BlockCyclic& dealt = cyclic.dimensions.front();
  const auto here = static_cast<std::size_t>(dealt.count(world_rank()));
  std::vector<double> copied(here, -1);
  std::vector<double> doubled(here, 7);
  const DistributedArray<const double> from{blocks, source};
  communicator
      .plan_redistributions<double>({{from, DistributedArray<double>{cyclic, copied}},
                                     {from,
                                      DistributedArray<double>{cyclic, doubled},
                                      {},
                                      LinearUpdate<double>{2, 1}.for_elements()}})
      .execute();
  for (std::size_t i = 0; i < here; ++i) {
    const auto value = static_cast<double>(dealt.index_at(world_rank(), static_cast<Index>(i)));
    ASSERT_EQ(copied[i], value);
    ASSERT_EQ(doubled[i], 2 * value + 7);
  }
}

/// What goes from one rank to another is one message, of however many arrays and blocks.
TEST(ArrayTransfers, GoInOneMessage) {
  Communicator communicator(MPI_COMM_WORLD);
  const Rank ranks = world_size();
  SplitLayout split{{{}}, {}};
  for (Rank k = 0; k <= 6 * ranks; ++k) split.splits.front().push_back(Index{k} * 5);
  for (Rank k = 0; k < 6 * ranks; ++k) split.owners.push_back(k % ranks);
  const ArrayLayout blocks{{{Index{30} * ranks, 30, ranks}}};
  std::vector<double> source(30);
  std::vector<double> first(30);
  std::vector<double> second(30);
  const auto in_blocks = [&](std::vector<double>& memory) {
    SplitArray<double> array{split, {}};
    for (std::size_t k = 0; k < 6; ++k) {
      array.blocks.push_back({std::span(memory).subspan(5 * k, 5)});
    }
    return array;
  };
  const DistributedArray<const double> from{blocks, source};
  Plan plan = communicator.plan_redistributions<double>(
      {{from, in_blocks(first)}, {from, in_blocks(second)}});
  plan.execute();
  EXPECT_LE(plan.counters().stages.front().messages_sent, std::min(ranks, Rank{6}));
  EXPECT_EQ(plan.counters().stages.front().received, Bytes{2 * 30 * 8});
}

TEST(ArrayTransfers, OfNothingEnd) {
  Communicator communicator(MPI_COMM_WORLD);
  communicator.plan_redistributions<double>({}).execute();
  const SplitLayout empty{{{0, 0}}, {0}};
  SplitArray<const double> from{empty, {}};
  SplitArray<double> to{empty, {}};
  if (world_rank() == 0) {
    from.blocks.resize(1);
    to.blocks.resize(1);
  }
  communicator.plan_redistributions<double>({{from, to}}).execute();
}

TEST(ArrayTransferErrors, NameWhatIsWrong) {
  Communicator communicator(MPI_COMM_WORLD);
  std::vector<double> memory(10);
  const auto expect_wrong = [&](ErrorKind kind, const std::string& words, SplitLayout layout,
                                std::vector<LocalBlock<const double>> blocks = {},
                                const ArraySection& section = {}) {
    expect_error(kind, words, [&] {
      (void)communicator.plan_redistributions<double>(
          {{SplitArray<const double>{std::move(layout), std::move(blocks)},
            DistributedArray<double>{{{{10, 10}}}, memory}, section}});
    });
  };
  const Rank other = (world_rank() + 1) % world_size();
  const std::vector<LocalBlock<const double>> own{{std::span<const double>(memory)}};
  expect_wrong(ErrorKind::argument, "has no dimension", {});
  expect_wrong(ErrorKind::argument, "begin with 0 and end with its extent", {{{0}}, {}});
  expect_wrong(ErrorKind::argument, "begin with 0 and end with its extent", {{{1, 10}}, {0}});
  expect_wrong(ErrorKind::argument, "split 3 follows 5 in dimension 0; splits ascend",
               {{{0, 5, 3, 10}}, {0, 0, 0}});
  expect_wrong(ErrorKind::count, "there are 1 owners of 2 x 1 blocks", {{{0, 5, 10}, {0, 1}}, {0}});
  expect_wrong(ErrorKind::rank, "owns a block; ranks are 0 to", {{{0, 10}}, {world_size()}});
  expect_wrong(ErrorKind::rank, "rank -1 owns a block", {{{0, 10}}, {-1}});
  expect_wrong(ErrorKind::count, "gives 0 blocks; 1 are its own", {{{0, 10}}, {world_rank()}});
  if (world_size() > 1) {
    expect_wrong(ErrorKind::count, "gives 1 blocks; 0 are its own", {{{0, 10}}, {other}}, own);
  }
  expect_wrong(ErrorKind::buffer, "ends 96 bytes after its beginning; its memory has 80",
               {{{0, 12}}, {world_rank()}}, own);
  expect_wrong(ErrorKind::argument, "the part has 12 indices from 0 in dimension 0, which has 10",
               {{{0, 4, 12}}, {0, 0}},
               world_rank() == 0 ? std::vector<LocalBlock<const double>>{own.front(), own.front()}
                                 : std::vector<LocalBlock<const double>>{});
  expect_wrong(ErrorKind::argument, "the part has 5 indices from 6 in dimension 0, which has 10",
               {{{0, 10}}, {world_rank()}}, own, {{5}, {6}});
}

}  // namespace
}  // namespace shunt::test
