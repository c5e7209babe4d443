// What SHUNT_Allgather and SHUNT_Allgatherv say of wrong arguments in all their forms, and what
// SHUNT_CHECK finds.
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"
#include "mpi/c_failure.hpp"
#include "mpi/c_gather_forms.hpp"
#include "mpi/own_communicator.hpp"

namespace shunt::test {
namespace {

/// Four ints on a communicator of one rank whose errors are returned.
class CAllgatherErrors : public testing::Test {
 protected:
  CAllgatherErrors() : self_(OwnCommunicator::duplicate(MPI_COMM_SELF)) {
    MPI_Comm_set_errhandler(self_.get(), MPI_ERRORS_RETURN);
  }

  /// All forms fail after `spoil(out, in)`.
  void expect_all(int error_class, const std::string& words,
                  const std::function<void(CSide&, CSide&)>& spoil) {
    for (const std::span<const CForm> forms :
         {std::span(kGatherForms), std::span(kEqualGatherForms)}) {
      for (const CForm& form : forms) {
        SCOPED_TRACE(form.name);
        CSide out{send_, {4}, {0}, MPI_INT};
        CSide in{received_, {4}, {0}, MPI_INT};
        EXPECT_EQ(form.call(out, in, self_.get()), MPI_SUCCESS) << SHUNT_Last_error();
        EXPECT_EQ(received_[3], 4);
        spoil(out, in);
        expect_failure(form.call(out, in, self_.get()), error_class, words);
      }
    }
  }

  OwnCommunicator self_;
  int send_[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int received_[8] = {};
};

TEST_F(CAllgatherErrors, OfArguments) {
  expect_all(MPI_ERR_COUNT, "on rank 0: the send count is -3, which is negative",
             [](CSide& out, CSide&) { out.counts = {-3}; });
  expect_all(MPI_ERR_COUNT, "is -1, which is negative",
             [](CSide&, CSide& in) { in.counts = {-1}; });
  expect_all(MPI_ERR_BUFFER, "the send buffer is null",
             [](CSide& out, CSide&) { out.buffer = nullptr; });
  expect_all(MPI_ERR_BUFFER, "the receive buffer is null",
             [](CSide&, CSide& in) { in.buffer = nullptr; });
  expect_all(MPI_ERR_BUFFER, "the receive buffer is MPI_IN_PLACE",
             [](CSide&, CSide& in) { in.buffer = MPI_IN_PLACE; });
  expect_all(MPI_ERR_BUFFER, "send block 0 and receive block 0 overlap",
             [](CSide& out, CSide& in) { in.buffer = out.buffer; });
  expect_all(MPI_ERR_TYPE, "the send type is MPI_DATATYPE_NULL",
             [](CSide& out, CSide&) { out.type = MPI_DATATYPE_NULL; });
  expect_all(MPI_ERR_TRUNCATE, "rank 0 sends itself 8 bytes and expects 16",
             [](CSide& out, CSide&) { out.counts = {2}; });
  const int one = 1;
  expect_failure(
      SHUNT_Allgatherv(send_, 1, MPI_INT, received_, nullptr, &one, MPI_INT, self_.get()),
      MPI_ERR_ARG, "the receive counts are null");
  expect_failure(
      SHUNT_Allgatherv(send_, 1, MPI_INT, received_, &one, nullptr, MPI_INT, self_.get()),
      MPI_ERR_ARG, "the receive displacements are null");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  expect_failure(SHUNT_Allgather(send_, 1, MPI_INT, received_, 1, MPI_INT, MPI_COMM_NULL),
                 MPI_ERR_COMM, "SHUNT_Allgather: the communicator is MPI_COMM_NULL");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

TEST_F(CAllgatherErrors, OfTheEnvironment) {
  for (const char* name : {"br-log", "four-stage"}) {
    const ChosenVariable chosen("SHUNT_ALLGATHER", name);
    expect_failure(
        SHUNT_Allgather(send_, 1, MPI_INT, received_, 1, MPI_INT, self_.get()), MPI_ERR_ARG,
        std::string("SHUNT_ALLGATHER is \"") + name + "\": there is no all-gather algorithm");
    EXPECT_EQ(SHUNT_Alltoall(send_, 1, MPI_INT, received_, 1, MPI_INT, self_.get()), MPI_SUCCESS);
  }
}

/// A rank that believes another to send less.
TEST(CAllgatherCheck, TellsWhoDisagrees) {
  if (world_size() == 1) GTEST_SKIP() << "one rank agrees with itself";
  const ChosenVariable checked("SHUNT_CHECK", "1");
  const auto comm = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_RETURN);
  const auto ranks = static_cast<std::size_t>(world_size());
  const Rank last = world_size() - 1;
  std::vector<int> counts(ranks, 2);
  std::vector<int> places(ranks);
  for (std::size_t k = 0; k < ranks; ++k) places[k] = static_cast<int>(2 * k);
  const int mine[] = {world_rank(), -world_rank()};
  std::vector<int> received(2 * ranks, -1);
  auto call = [&] {
    return SHUNT_Allgatherv(mine, 2, MPI_INT, received.data(), counts.data(), places.data(),
                            MPI_INT, comm.get());
  };
  if (world_rank() == last) counts[0] = 1;
  const int code = call();
  if (world_rank() == 0 || world_rank() == last) {
    expect_failure(code, MPI_ERR_TRUNCATE,
                   "rank 0 sends 8 bytes to rank " + std::to_string(last) + ", which expects 4");
  } else {
    expect_failure(code, MPI_ERR_OTHER, "so no rank exchanges anything");
  }
  EXPECT_EQ(received, std::vector<int>(2 * ranks, -1));
  counts[0] = 2;
  ASSERT_EQ(call(), MPI_SUCCESS) << SHUNT_Last_error();
  for (Rank rank = 0; rank <= last; ++rank) {
    EXPECT_EQ(received[2 * static_cast<std::size_t>(rank)], rank);
    EXPECT_EQ(received[2 * static_cast<std::size_t>(rank) + 1], -rank);
  }
}

}  // namespace
}  // namespace shunt::test
