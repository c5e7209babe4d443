// A rank whose arguments are wrong takes part in one-shot calls all the same: the others end where
// they need nothing of it, and later calls match.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"
#include "mpi/own_communicator.hpp"

namespace shunt::test {
namespace {

constexpr int kNobody = -1;

class TakingPart : public testing::TestWithParam<std::string> {
 protected:
  /// Every rank sends every other one, but for the one that is left out, its own rank.
  [[nodiscard]] Layout layout(int left_out) const {
    std::vector<int> counts(static_cast<std::size_t>(world_size()), 1);
    if (left_out == world_rank()) counts.assign(counts.size(), 0);
    if (left_out >= 0) counts[static_cast<std::size_t>(left_out)] = 0;
    return Layout::packed(counts);
  }

  void exchange(const Layout& send_layout, const Layout& receive_layout) {
    const std::vector<int> send(static_cast<std::size_t>(world_size()), world_rank());
    received_.assign(send.size(), -1);
    communicator_.alltoallv(std::span<const int>(send), send_layout, std::span<int>(received_),
                            receive_layout, options_);
  }

  void expect_right_calls() {
    for (int k = 0; k < 3; ++k) {
      exchange(layout(kNobody), layout(kNobody));
      for (int peer = 0; peer < world_size(); ++peer) {
        EXPECT_EQ(received_[static_cast<std::size_t>(peer)], peer);
      }
    }
  }

  OwnCommunicator own_ = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator_{own_.get()};
  Options options_{.algorithm = GetParam()};
  std::vector<int> received_;
};

TEST_P(TakingPart, InExchanges) {
  for (int wrong = 0; wrong < world_size(); ++wrong) {
    Layout send = layout(wrong);
    if (world_rank() == wrong) send.counts[0] = -1;
    const auto call = [&] { exchange(send, layout(wrong)); };
    if (world_rank() == wrong) {
      EXPECT_THROW(call(), Error);
    } else {
      EXPECT_NO_THROW(call());
      for (int peer = 0, place = 0; peer < world_size(); ++peer) {
        if (peer == wrong) continue;
        EXPECT_EQ(received_[static_cast<std::size_t>(place++)], peer);
      }
    }
    expect_right_calls();
  }
}

TEST_P(TakingPart, WhereTheOwnBlockHasTwoLengths) {
  if (world_rank() == 0) {
    EXPECT_THROW(exchange(layout(0), layout(kNobody)), Error);
  } else {
    EXPECT_NO_THROW(exchange(layout(0), layout(0)));
  }
  expect_right_calls();
}

INSTANTIATE_TEST_SUITE_P(Of, TakingPart,
                         testing::Values("auto", "native", "linear", "row-column", "four-stage"));

class TakingPartInAllgathers : public testing::TestWithParam<std::string> {};

TEST_P(TakingPartInAllgathers, WhereTheOwnBlockHasTwoLengths) {
  const OwnCommunicator own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(own.get());
  const auto ranks = static_cast<std::size_t>(world_size());
  const Layout layout = Layout::packed(std::vector<int>(ranks, 10));
  for (int call = 0; call < 6; ++call) {
    const bool wrong = call % 2 == 0 && world_rank() == 0;
    const std::vector<int> send(wrong ? 1 : 10, 100 * call + world_rank());
    std::vector<int> received(10 * ranks, -1);
    const auto gather = [&](bool typed) {
      if (typed) {
        communicator.allgatherv(send.data(), std::ssize(send), MPI_INT, received.data(), layout,
                                MPI_INT, {.algorithm = GetParam()});
      } else {
        communicator.allgatherv(std::span<const int>(send), std::span<int>(received), layout,
                                {.algorithm = GetParam()});
      }
    };
    if (wrong) {
      EXPECT_THROW(gather(call % 4 == 0), Error);
    } else {
      EXPECT_NO_THROW(gather(call % 4 == 0));
    }
    for (std::size_t peer = call % 2 == 0 ? 1 : 0; peer < ranks; ++peer) {
      EXPECT_EQ(received[10 * peer + 9], 100 * call + static_cast<int>(peer));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, TakingPartInAllgathers,
                         testing::Values("auto", "native", "recursive-halving", "dissemination"));

}  // namespace
}  // namespace shunt::test
