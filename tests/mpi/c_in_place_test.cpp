// Blocks in place that are too long for a packed copy change places pair by pair.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "bindings/c/pair_exchange.hpp"
#include "mpi/c_forms.hpp"
#include "mpi/typed_memory.hpp"

namespace shunt::test {
namespace {

TEST(CMeetingRounds, AreMatchings) {
  for (Rank ranks = 2; ranks <= 33; ++ranks) {
    const Rank rounds = ranks % 2 == 0 ? ranks - 1 : ranks;
    for (Rank a = 0; a < ranks; ++a) {
      std::set<Rank> seen;
      for (Rank b = 0; b < ranks; ++b) {
        if (a == b) continue;
        const Rank round = c::meeting_round(a, b, ranks);
        EXPECT_EQ(round, c::meeting_round(b, a, ranks));
        EXPECT_TRUE(round >= 0 && round < rounds && seen.insert(round).second)
            << "ranks " << a << " and " << b << " of " << ranks;
      }
    }
  }
}

/// The ends of the communicator have three chunks for each other; every rank has a long block for
/// its neighbours; the rest is short.
Bytes bytes_between(Rank a, Rank b, Rank ranks) {
  const Rank distance = std::abs(a - b);
  const Bytes longest_short = c::kPackedCopy / ranks / 12 * 12;
  if (distance == ranks - 1 && ranks > 1) return std::max(Bytes{2500008}, longest_short + 12);
  if (distance == 1) return longest_short + 12;
  if (distance == 2) return std::min(longest_short, Bytes{12000});
  return 12 * ((a + b) % 4);
}

/// Three ints, with or without holes, and with pieces that only MPI packs.
OwnType three(int kind) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (kind == 0) MPI_Type_contiguous(3, MPI_INT, &type);
  if (kind == 1) {
    const int lengths[] = {1, 2};
    const int places[] = {3, 0};
    MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
  }
  return OwnType(type);
}

class CInPlace : public testing::TestWithParam<int> {
 protected:
  CInPlace() : type_(three(GetParam())) {
    const Rank ranks = world_size();
    std::vector<Bytes> counts;
    for (Rank peer = 0; peer < ranks; ++peer) {
      counts.push_back(bytes_between(world_rank(), peer, ranks) / 12);
    }
    before_ = std::make_unique<Side>(counts, type_.get());
    before_->fill(1);
    const std::vector<int> c = ints(before_->layout().counts);
    const std::vector<int> p = ints(before_->layout().displacements);
    Side answer = *before_;
    MPI_Alltoallv(before_->origin(), c.data(), p.data(), type_.get(), answer.origin(), c.data(),
                  p.data(), type_.get(), MPI_COMM_WORLD);
    expected_ = answer.memory();
  }

  OwnType type_;
  std::unique_ptr<Side> before_;
  std::vector<std::byte> expected_;
};

TEST_P(CInPlace, LongAndShortBlocks) {
  for (const CForm& form : {kCForms[1], kCForms[2], kCForms[4]}) {
    SCOPED_TRACE(form.name);
    const ChosenVariable chosen("SHUNT_ALGORITHM", "linear");
    Side received = *before_;
    const CSide in{received.origin(), received.layout().counts, received.layout().displacements,
                   type_.get()};
    ASSERT_EQ(form.call(CSide::in_place(), in, MPI_COMM_WORLD), MPI_SUCCESS);
    ASSERT_TRUE(received.memory() == expected_);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, CInPlace, testing::Values(0, 1),
                         [](const auto& kind) { return kind.param == 0 ? "Dense" : "InPieces"; });

/// The two ends of a pair may describe the same data by other types: one by a few long elements
/// that only MPI packs, the other by many short ones.
TEST(CInPlaceOfTwoTypes, WhoseElementsEndElsewhere) {
  const Rank ranks = world_size();
  const Rank peer = world_rank() ^ 1;
  if (peer >= ranks) {
    // The last of an odd number has nobody, but takes part.
    std::vector<int> none(static_cast<std::size_t>(ranks), 0);
    std::vector<MPI_Datatype> ints_only(none.size(), MPI_INT);
    ASSERT_EQ(SHUNT_Alltoallw(MPI_IN_PLACE, nullptr, nullptr, nullptr, none.data(), none.data(),
                              none.data(), ints_only.data(), MPI_COMM_WORLD),
              MPI_SUCCESS);
    return;
  }
  constexpr int kElement = 150000;  // ints of one long element
  constexpr int kElements = 4;
  const bool pieces = world_rank() % 2 == 0;
  MPI_Datatype holes = MPI_DATATYPE_NULL;
  MPI_Type_vector(kElement, 1, 2, MPI_INT, &holes);
  const OwnType long_type(resized(holes, 0, kElement * 8));
  const std::size_t gap = pieces ? 2 : 1;
  const int total = kElement * kElements;
  std::vector<int> memory(static_cast<std::size_t>(total) * gap, -1);
  for (std::size_t i = 0; i < memory.size(); i += gap) {
    memory[i] = world_rank() + static_cast<int>(i / gap);
  }
  const auto at = static_cast<std::size_t>(peer);
  std::vector<int> counts(static_cast<std::size_t>(ranks), 0);
  std::vector<int> places(counts.size(), 0);
  std::vector<MPI_Datatype> types(counts.size(), MPI_INT);
  counts[at] = pieces ? kElements : total;
  if (pieces) types[at] = long_type.get();
  ASSERT_EQ(SHUNT_Alltoallw(MPI_IN_PLACE, nullptr, nullptr, nullptr, memory.data(), counts.data(),
                            places.data(), types.data(), MPI_COMM_WORLD),
            MPI_SUCCESS);
  int wrong = 0;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const bool hole = i % gap != 0;
    if (memory[i] != (hole ? -1 : peer + static_cast<int>(i / gap))) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace shunt::test
