// Persistent requests: made once, started often, waited for in any order.
#include <algorithm>

#include <gtest/gtest.h>

#include "mpi/c_forms.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/typed_memory.hpp"

namespace shunt::test {
namespace {

/// An exchange of as many ints with each rank as `length` says, as a request.
struct Exchange {
  Exchange(MPI_Comm comm, Bytes length, bool in_place) {
    const auto ranks = static_cast<std::size_t>(world_size());
    const auto block = static_cast<std::size_t>(length);
    sent.resize(ranks * block);
    received.resize(ranks * block, -1);
    if (in_place) received.swap(sent);
    made = SHUNT_Alltoall_init(in_place ? MPI_IN_PLACE : sent.data(), static_cast<int>(length),
                               MPI_INT, received.data(), static_cast<int>(length), MPI_INT, comm,
                               MPI_INFO_NULL, &request);
  }

  /// What goes out in `round`.
  void fill(int round) {
    std::vector<int>& out = sent.size() > 1 && sent[0] != -1 ? sent : received;
    const std::size_t block = out.size() / static_cast<std::size_t>(world_size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = 1000000 * round + 1000 * world_rank() + static_cast<int>(i / block);
    }
  }

  [[nodiscard]] bool is_right(int round) const {
    const std::size_t block = received.size() / static_cast<std::size_t>(world_size());
    for (std::size_t i = 0; i < received.size(); ++i) {
      const int from = static_cast<int>(i / block);
      if (received[i] != 1000000 * round + 1000 * from + world_rank()) return false;
    }
    return true;
  }

  std::vector<int> sent;
  std::vector<int> received;
  SHUNT_Request request = SHUNT_REQUEST_NULL;
  int made = MPI_SUCCESS;
};

class CRequests : public testing::TestWithParam<bool> {};

TEST_P(CRequests, AreStartedAgainAndAgain) {
  for (const char* algorithm : {"auto", "four-stage", "native"}) {
    SCOPED_TRACE(algorithm);
    const ChosenVariable chosen("SHUNT_ALGORITHM", algorithm);
    Exchange exchange(MPI_COMM_WORLD, 3, GetParam());
    ASSERT_EQ(exchange.made, MPI_SUCCESS);
    for (int round = 1; round <= 3; ++round) {
      exchange.fill(round);
      ASSERT_EQ(SHUNT_Start(&exchange.request), MPI_SUCCESS);
      MPI_Status status;
      if (round == 2) {
        int over = 0;
        while (over == 0) ASSERT_EQ(SHUNT_Test(&exchange.request, &over, &status), MPI_SUCCESS);
      } else {
        ASSERT_EQ(SHUNT_Wait(&exchange.request, &status), MPI_SUCCESS);
      }
      int count = -1;
      int cancelled = -1;
      MPI_Get_count(&status, MPI_BYTE, &count);
      MPI_Test_cancelled(&status, &cancelled);
      EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
      EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
      EXPECT_EQ(count, 0);
      EXPECT_EQ(cancelled, 0);
      ASSERT_TRUE(exchange.is_right(round)) << "round " << round;
    }
    EXPECT_EQ(SHUNT_Request_free(&exchange.request), MPI_SUCCESS);
    EXPECT_EQ(exchange.request, SHUNT_REQUEST_NULL);
  }
}

/// Every rank waits in an order of its own; one of the exchanges is long enough to go pair by pair
/// when it is in place.
TEST_P(CRequests, AreWaitedForInAnyOrder) {
  const ChosenVariable chosen("SHUNT_ALGORITHM", "row-column");
  const Bytes long_block = (Bytes{4} << 20) / world_size() / 4 + 1;
  Exchange first(MPI_COMM_WORLD, 2, GetParam());
  Exchange second(MPI_COMM_WORLD, world_size() <= 8 ? long_block : 1, GetParam());
  Exchange third(MPI_COMM_WORLD, 5, GetParam());
  Exchange* exchanges[] = {&first, &second, &third};
  for (Exchange* exchange : exchanges) {
    ASSERT_EQ(exchange->made, MPI_SUCCESS);
    exchange->fill(7);
    ASSERT_EQ(SHUNT_Start(&exchange->request), MPI_SUCCESS);
  }
  // A one-shot exchange in between.
  std::vector<int> one(static_cast<std::size_t>(world_size()), world_rank());
  std::vector<int> others(one.size());
  ASSERT_EQ(SHUNT_Alltoall(one.data(), 1, MPI_INT, others.data(), 1, MPI_INT, MPI_COMM_WORLD),
            MPI_SUCCESS);
  EXPECT_EQ(others.back(), world_size() - 1);
  std::rotate(std::begin(exchanges), std::begin(exchanges) + world_rank() % 3, std::end(exchanges));
  for (Exchange* exchange : exchanges) {
    ASSERT_EQ(SHUNT_Wait(&exchange->request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_TRUE(exchange->is_right(7));
    EXPECT_EQ(SHUNT_Request_free(&exchange->request), MPI_SUCCESS);
  }
}

TEST_P(CRequests, OutliveTheirCommunicatorAndTypes) {
  OwnCommunicator comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_vector(5000, 1, 2, MPI_INT, &pair);  // has to be packed by MPI
  OwnType type(pair);
  if (world_size() > 8) GTEST_SKIP() << "of the long elements a few are enough";
  const std::size_t block = 9999;
  const auto ranks = static_cast<std::size_t>(world_size());
  std::vector<int> sent(block * ranks, world_rank());
  std::vector<int> received(block * ranks, -1);
  const MPI_Datatype types_each[] = {type.get()};
  const std::vector<MPI_Datatype> types(ranks, types_each[0]);
  const std::vector<int> counts(ranks, 1);
  std::vector<int> places;
  for (std::size_t k = 0; k < ranks; ++k) places.push_back(static_cast<int>(4 * block * k));
  if (GetParam()) received = sent;
  SHUNT_Request request = SHUNT_REQUEST_NULL;
  ASSERT_EQ(SHUNT_Alltoallw_init(GetParam() ? MPI_IN_PLACE : sent.data(), counts.data(),
                                 places.data(), types.data(), received.data(), counts.data(),
                                 places.data(), types.data(), comm.get(), MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  comm.free();
  type.free();
  ASSERT_EQ(SHUNT_Start(&request), MPI_SUCCESS);
  ASSERT_EQ(SHUNT_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  const int hole = GetParam() ? world_rank() : -1;
  for (std::size_t k = 0; k < ranks; ++k) {
    EXPECT_EQ(received[k * block], static_cast<int>(k));
    EXPECT_EQ(received[k * block + 1], hole);
    EXPECT_EQ(received[k * block + 9998], static_cast<int>(k));
  }
  EXPECT_EQ(SHUNT_Request_free(&request), MPI_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(Places, CRequests, testing::Bool(),
                         [](const auto& in) { return in.param ? "InPlace" : "OutOfPlace"; });

TEST(CRequestStates, AreKept) {
  const OwnCommunicator comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_RETURN);
  SHUNT_Request none = SHUNT_REQUEST_NULL;
  int over = 0;
  EXPECT_EQ(SHUNT_Wait(&none, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(SHUNT_Test(&none, &over, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(over, 1);

  Exchange exchange(comm.get(), 2, false);
  EXPECT_EQ(SHUNT_Wait(&exchange.request, MPI_STATUS_IGNORE), MPI_SUCCESS) << "not started";
  exchange.fill(1);
  ASSERT_EQ(SHUNT_Start(&exchange.request), MPI_SUCCESS);
  EXPECT_EQ(SHUNT_Start(&exchange.request), MPI_ERR_REQUEST);
  EXPECT_EQ(SHUNT_Request_free(&exchange.request), MPI_ERR_REQUEST);
  EXPECT_NE(exchange.request, SHUNT_REQUEST_NULL);
  ASSERT_EQ(SHUNT_Wait(&exchange.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_TRUE(exchange.is_right(1));
  EXPECT_EQ(SHUNT_Wait(&exchange.request, MPI_STATUS_IGNORE), MPI_SUCCESS) << "over";
  EXPECT_EQ(SHUNT_Request_free(&exchange.request), MPI_SUCCESS);
}

}  // namespace
}  // namespace shunt::test
