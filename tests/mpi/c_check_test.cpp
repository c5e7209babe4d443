// SHUNT_CHECK=1: whatever is wrong on any rank, no rank hangs, nothing is moved, and the ranks
// concerned say what is wrong.
#include <gtest/gtest.h>

#include "mpi/c_forms.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/typed_memory.hpp"

namespace shunt::test {
namespace {

class CCheck : public testing::Test {
 protected:
  CCheck()
      : checked_("SHUNT_CHECK", "1"),
        chosen_("SHUNT_ALGORITHM", "four-stage"),
        comm_(OwnCommunicator::duplicate(MPI_COMM_WORLD)),
        rank_(world_rank()),
        ranks_(world_size()),
        places_(static_cast<std::size_t>(ranks_)) {
    MPI_Comm_set_errhandler(comm_.get(), MPI_ERRORS_RETURN);
    for (std::size_t k = 0; k < places_.size(); ++k) places_[k] = static_cast<Bytes>(4 * k);
    sent_.assign(4 * places_.size(), rank_);
    poison();
  }

  void poison() { received_.assign(sent_.size(), -1); }

  [[nodiscard]] std::vector<Bytes> twos() const { return std::vector<Bytes>(places_.size(), 2); }

  /// The last rank; often rank 0 too.
  [[nodiscard]] Rank last() const { return ranks_ - 1; }

  /// Two elements for everyone, but for what `spoil(out, in)` changes. `words(rank)` is what the
  /// ranks say, the class is `error_class` if they are concerned.
  template <class Spoil>
  void expect_all(Spoil&& spoil, int error_class, const std::string& words,
                  const std::string& words_of_others, const std::vector<Rank>& concerned,
                  bool in_place = false) {
    for (const CForm& form : kCForms) {
      SCOPED_TRACE(form.name);
      poison();
      CSide out{sent_.data(), twos(), places_, MPI_INT};
      CSide in{received_.data(), twos(), places_, MPI_INT};
      spoil(out, in);
      if (in_place) out = CSide::in_place();
      const int code = form.call(out, in, comm_.get());
      const bool mine = std::find(concerned.begin(), concerned.end(), rank_) != concerned.end();
      EXPECT_EQ(code, mine ? error_class : MPI_ERR_OTHER);
      const std::string said = SHUNT_Last_error();
      EXPECT_NE(said.find(mine ? words : words_of_others), std::string::npos) << said;
      EXPECT_EQ(received_, std::vector<int>(received_.size(), -1)) << "something was moved";
    }
    for (const CForm& form : kCForms) {
      const CSide out{sent_.data(), twos(), places_, MPI_INT};
      const CSide in{received_.data(), twos(), places_, MPI_INT};
      EXPECT_EQ(form.call(out, in, comm_.get()), MPI_SUCCESS) << SHUNT_Last_error();
      EXPECT_EQ(received_[received_.size() - 3], last());
    }
  }

  ChosenVariable checked_;
  ChosenVariable chosen_;
  OwnCommunicator comm_;
  Rank rank_;
  Rank ranks_;
  std::vector<Bytes> places_;
  std::vector<int> sent_;
  std::vector<int> received_;
};

TEST_F(CCheck, SenderAndReceiverThatDisagree) {
  if (ranks_ == 1) GTEST_SKIP() << "takes two ranks";
  for (const Bytes expected : {0, 1, 3}) {
    expect_all(
        [&](CSide&, CSide& in) {
          if (rank_ == last()) in.counts[0] = expected;
        },
        MPI_ERR_TRUNCATE,
        "rank 0 sends 8 bytes to rank " + std::to_string(last()) + ", which expects " +
            std::to_string(4 * expected),
        "rank 0 and another rank do not agree on the length of a block", {0, last()});
  }
}

TEST_F(CCheck, InPlaceToo) {
  if (ranks_ == 1) GTEST_SKIP() << "takes two ranks";
  expect_all(
      [&](CSide&, CSide& in) {
        if (rank_ == 0) in.counts[1] = 4;
      },
      MPI_ERR_TRUNCATE, "rank 0 sends 16 bytes to rank 1, which expects 8",
      "rank 0 and another rank do not agree", {0, 1}, true);
}

TEST_F(CCheck, ManyBlocksThatDisagree) {
  if (ranks_ < 7) GTEST_SKIP() << "takes seven ranks";
  std::vector<Rank> everyone;
  for (Rank rank = 0; rank < ranks_; ++rank) everyone.push_back(rank);
  expect_all(
      [&](CSide& out, CSide&) {
        if (rank_ != 0) return;
        for (std::size_t k = 1; k < out.counts.size(); ++k) out.counts[k] = 1;
      },
      MPI_ERR_TRUNCATE, rank_ == 0 ? "which expects 8; and " : "rank 0 sends 4 bytes to rank ", "",
      everyone);
}

TEST_F(CCheck, ArgumentsOfOneRankThatCannotBeUsed) {
  const std::string others = "the arguments of rank " + std::to_string(last()) + " cannot be used";
  expect_all(
      [&](CSide& out, CSide&) {
        if (rank_ == last()) out.counts[0] = -1;
      },
      MPI_ERR_COUNT, "send count 0 is -1, which is negative", others, {last()});
  expect_all(
      [&](CSide&, CSide& in) {
        if (rank_ == last()) in.buffer = nullptr;
      },
      MPI_ERR_BUFFER, "the receive buffer is null", others, {last()});
  expect_all(
      [&](CSide&, CSide& in) {
        if (rank_ == last()) in.type = MPI_DATATYPE_NULL;
      },
      MPI_ERR_TYPE, "is MPI_DATATYPE_NULL", others, {last()});
  expect_all(
      [&](CSide&, CSide& in) {
        if (rank_ == last()) in.counts.back() = 1;
      },
      MPI_ERR_TRUNCATE, "rank " + std::to_string(last()) + " sends itself 8 bytes and expects 4",
      others, {last()});
}

}  // namespace
}  // namespace shunt::test
