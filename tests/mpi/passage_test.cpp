// Calls of preloaded programs of which it is decided that they are MPI's own.
#include <gtest/gtest.h>

#include "bindings/c/choice.hpp"
#include "interpose/crossing.hpp"
#include "mpi/c_forms.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/own_wisdom.hpp"
#include "planner/process_wisdom.hpp"

namespace shunt::test {
namespace {

using interpose::Passage;

bool is_open(MPI_Comm comm) { return Passage(comm).is_open(); }

TEST(Passage, IsOpenForSoManyCalls) {
  const OwnCommunicator own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  const OwnCommunicator other = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  const auto state = YardState::of(own.get());
  EXPECT_EQ(YardState::known(own.get()), state);
  EXPECT_FALSE(is_open(own.get()));
  state->learned.left_to_mpi = 2;
  {
    const Passage outer(own.get());
    EXPECT_TRUE(outer.is_open());
    EXPECT_FALSE(is_open(own.get())) << "a call that MPI makes itself";
  }
  EXPECT_FALSE(interpose::inside);
  EXPECT_EQ(state->learned.left_to_mpi, 1);
  EXPECT_FALSE(is_open(other.get()));
  EXPECT_FALSE(is_open(MPI_COMM_NULL));
  EXPECT_TRUE(is_open(own.get()));
  EXPECT_FALSE(is_open(own.get()));
}

/// Makes calls on `comm` with what the variables say, and returns how many were left to MPI after
/// one of the first `calls`, the same on all ranks.
int left_after(MPI_Comm comm, int calls) {
  const auto state = YardState::of(comm);
  const CallTraffic traffic{{1000, 100}, 900, 10};
  int left = 0;
  for (int k = 0; k < calls && left == 0; ++k) {
    c::Choice choice(NativeCall::as_it_came);
    choice.begin(*state);
    choice.go_on([&] { return traffic; });
    choice.end();
    choice.leave_to_mpi();
    left = state->learned.left_to_mpi;
    EXPECT_TRUE(left == 0 || choice.is_native());
  }
  int extremes[] = {left, -left};
  MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  EXPECT_EQ(extremes[0], -extremes[1]);
  return left;
}

TEST(LeftToMpi, AreAllWhereThatIsAskedFor) {
  const OwnCommunicator own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  const ChosenVariable algorithm("SHUNT_ALGORITHM", "native");
  EXPECT_GT(left_after(own.get(), 1), 0);
}

TEST(LeftToMpi, AreNoneThatAreChecked) {
  const OwnCommunicator own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  const ChosenVariable algorithm("SHUNT_ALGORITHM", "native");
  const ChosenVariable check("SHUNT_CHECK", "1");
  EXPECT_EQ(left_after(own.get(), 20), 0);
}

TEST(LeftToMpi, AreNoneOfAnotherAlgorithm) {
  const OwnCommunicator own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  const ChosenVariable algorithm("SHUNT_ALGORITHM", "a2");
  EXPECT_EQ(left_after(own.get(), 20), 0);
}

/// Up to the next agreement, which comes in time.
TEST(LeftToMpi, AreThoseOfAWinnerUpToTheNextAgreement) {
  const OwnCommunicator own = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  if (world_size() == 1) GTEST_SKIP() << "one rank learns nothing";
  OwnWisdom wisdom;
  const ChosenVariable algorithm("SHUNT_ALGORITHM", "auto");
  const auto state = YardState::of(own.get());
  Wisdom known;
  known.learn(
      wisdom_key(*state, "preloaded alltoallv", {}, signature_of(BusiestRank{900, 100, 10})),
      {kNative, 1e-6, Effort::measure, 1000, {}});
  wisdom.put(known);
  const int left = left_after(own.get(), 2000);
  EXPECT_GT(left, 0);
  EXPECT_LT(left, Learner::kMostCalls);
  OneShot next(*state, c::environment().options, NativeCall::as_it_came);
  EXPECT_TRUE(next.agrees());
}

}  // namespace
}  // namespace shunt::test
