// Errors of one rank of two, or of both.
#include <functional>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"
#include "mpi/nodes.hpp"
#include "mpi/own_communicator.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

/// Two ranks of which each knows that something is wrong, so that neither waits for the other.
class PairErrors : public testing::Test {
 protected:
  PairErrors() : pair_(OwnCommunicator::split(MPI_COMM_WORLD, world_rank() / 2, 0)) {}

  /// False on the last rank of an odd number.
  [[nodiscard]] bool has_both() const {
    int size = 0;
    MPI_Comm_size(pair_.get(), &size);
    return size == 2;
  }

  OwnCommunicator pair_;
};

/// groups:1 lets the first rank send and the second receive, nothing else.
TEST_F(PairErrors, BlocksThatTheAlgorithmDoesNotCarry) {
  if (!has_both()) return;
  Communicator communicator(pair_.get());
  const Options options{"groups:1", Mode::dual_buffer, 1, {}};
  const Layout none = Layout::packed(std::vector{0, 0});
  const Layout two_out = communicator.rank() == 1 ? Layout::packed(std::vector{2, 0}) : none;
  const Layout two_in = communicator.rank() == 0 ? Layout::packed(std::vector{0, 2}) : none;
  std::vector<int> send(2, 7);
  std::vector<int> received(2);
  auto once = [&] {
    communicator.alltoallv(std::span<const int>(send), two_out, std::span<int>(received), two_in,
                           options);
  };
  auto planned = [&] {
    (void)communicator.plan_alltoallv(std::span<const int>(send), two_out, std::span<int>(received),
                                      two_in, options);
  };
  auto bounded = [&] {
    communicator.plan_bounded(100, options)
        .execute(std::span<const int>(send), two_out, std::span<int>(received), two_in);
  };
  for (const std::function<void()>& call : {std::function<void()>(once), {planned}, {bounded}}) {
    expect_error(ErrorKind::argument,
                 "rank 1 has 8 bytes for rank 0, a pair that algorithm groups:1 does not carry",
                 call);
  }
}

/// While it lives, MPI returns the errors that concern no particular communicator. MPICH takes
/// those of waiting for several requests to be of that kind, whatever the requests' communicator
/// says.
class ReturnedErrors {
 public:
  ReturnedErrors() {
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &former_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  ~ReturnedErrors() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, former_);
    MPI_Errhandler_free(&former_);
  }
  ReturnedErrors(const ReturnedErrors&) = delete;
  ReturnedErrors& operator=(const ReturnedErrors&) = delete;

 private:
  MPI_Errhandler former_ = MPI_ERRHANDLER_NULL;
};

/// The message to the second rank is longer, or shorter, than it expects.
TEST_F(PairErrors, CountsOfTwoRanksThatDisagree) {
  if (!has_both()) return;
  const ReturnedErrors returned;
  // A communicator of Shunt's changes nothing in how MPI handles the program's errors.
  const Communicator alone(MPI_COMM_SELF);
  Communicator communicator(pair_.get());
  std::vector<int> send(4, 7);
  std::vector<int> received(4);
  for (const Mode mode : kModes) {
    for (const int expected : {1, 3}) {
      SCOPED_TRACE(std::string(name_of(mode)) + ", " + std::to_string(expected));
      const Layout out = Layout::packed(std::vector{0, communicator.rank() == 0 ? 2 : 0});
      const Layout in = Layout::packed(std::vector{communicator.rank() == 1 ? expected : 0, 0});
      auto exchange = [&] {
        communicator.alltoallv(std::span<const int>(send), out, std::span<int>(received), in,
                               {"linear", mode, 1, {}});
      };
      if (communicator.rank() == 0) {
        EXPECT_NO_THROW(exchange());
      } else {
        expect_error(ErrorKind::truncated, "", exchange);
      }
    }
  }
}

/// After an error of both, both go on.
TEST_F(PairErrors, LeaveTheCommunicatorUsable) {
  if (!has_both()) return;
  Communicator communicator(pair_.get());
  std::vector<int> send{1, 2};
  std::vector<int> received(2);
  const Layout wrong = Layout::packed(std::vector{1, -1});
  const Layout right = Layout::packed(std::vector{1, 1});
  EXPECT_THROW(
      communicator.alltoallv(std::span<const int>(send), wrong, std::span<int>(received), right),
      Error);
  communicator.alltoallv(std::span<const int>(send), right, std::span<int>(received), right);
  EXPECT_EQ(received, std::vector<int>(2, communicator.rank() + 1));
}

/// Only the first rank has an error, and the other has nothing to do with it.
TEST_F(PairErrors, OfOneRankLeaveTheCommunicatorUsable) {
  if (!has_both()) return;
  Communicator communicator(pair_.get());
  std::vector<int> send{1, 2};
  std::vector<int> received(2);
  const Layout none = Layout::packed(std::vector{0, 0});
  const Layout own = Layout::packed(std::vector{communicator.rank() == 0 ? 1 : 0, 0});
  const Layout right = Layout::packed(std::vector{1, 1});
  for (const char* name : {"linear", "four-stage", "linear"}) {
    auto wrong = [&] {
      communicator.alltoallv(std::span<const int>(send), own, std::span<int>(received), none,
                             {"linear"});
    };
    if (communicator.rank() == 0) {
      expect_error(ErrorKind::truncated, "rank 0 sends itself 4 bytes and expects 0", wrong);
    } else {
      EXPECT_NO_THROW(wrong());
    }
    received = {0, 0};
    communicator.alltoallv(std::span<const int>(send), right, std::span<int>(received), right,
                           {name});
    EXPECT_EQ(received, std::vector<int>(2, communicator.rank() + 1)) << name;
  }
}

/// The second rank expects something of the first, which takes part without blocks since its
/// arguments are wrong. Where they share memory the second finds that out.
TEST_F(PairErrors, OfOneRankAreNoticedByTheOther) {
  // Asked first, since all ranks have to ask.
  if (!one_node() || !has_both()) return;
  Communicator communicator(pair_.get());
  const bool first = communicator.rank() == 0;
  std::vector<int> send{1, 2};
  std::vector<int> received(2);
  const Layout none = Layout::packed(std::vector{0, 0});
  const Layout own = Layout::packed(std::vector{first ? 1 : 0, 0});
  const Layout to_second = Layout::packed(std::vector{0, first ? 1 : 0});
  const Layout from_first = Layout::packed(std::vector{first ? 0 : 1, 0});
  auto exchange = [&](const Layout& out, const Layout& in) {
    communicator.alltoallv(std::span<const int>(send), out, std::span<int>(received), in,
                           {"linear"});
  };
  if (first) {
    expect_error(ErrorKind::truncated, "sends itself", [&] { exchange(own, none); });
  } else {
    expect_error(ErrorKind::truncated, "message from rank 0", [&] { exchange(none, from_first); });
  }
  exchange(none, none);
  exchange(to_second, from_first);
  EXPECT_EQ(received.front(), first ? 0 : 1);
}

}  // namespace
}  // namespace shunt::test
