// Calls of preloaded programs of which it is decided that they are MPI's own.
#include "interpose/passage.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "bindings/c/calls.hpp"
#include "bindings/c/choice.hpp"
#include "bindings/c/exchange.hpp"
#include "bindings/element_type.hpp"
#include "mpi/c_forms.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/own_wisdom.hpp"
#include "planner/process_wisdom.hpp"
#include "planner/trials.hpp"

namespace shunt::test {
namespace {

using interpose::Passage;

c::Call exchange_on(MPI_Comm comm) {
  static constexpr int kCount = 1;
  return c::alltoall_call("MPI_Alltoall", nullptr, kCount, MPI_INT, nullptr, kCount, MPI_INT, comm);
}

bool is_open(MPI_Comm comm) { return Passage(exchange_on(comm)).is_open(); }

/// So many calls in a row pass, the same number on all ranks; up to `most`.
int passing(const OwnCommunicator& comm, int most) {
  int calls = 0;
  while (calls < most && is_open(comm.get())) ++calls;
  int extremes[] = {calls, -calls};
  MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  EXPECT_EQ(extremes[0], -extremes[1]);
  return calls;
}

/// Makes a call with what the variables say.
void choose(const OwnCommunicator& comm) {
  c::Choice choice(NativeCall::as_it_came);
  choice.begin(*YardState::known(comm.get()));
  choice.go_on([] { return CallTraffic{{1000, 100}, 900, 10}; });
  choice.end();
  choice.leave_to_mpi();
}

/// Makes a broadcast of 100 bytes from each rank.
void choose_broadcast(const OwnCommunicator& comm) {
  c::Choice choice(NativeCall::as_it_came);
  choice.make(*YardState::known(comm.get()),
              std::vector<Bytes>(static_cast<std::size_t>(world_size()), 100));
  choice.end();
  choice.leave_to_mpi();
}

class Passages : public testing::Test {
 protected:
  Passages() : state_(YardState::of(own_.get())) {
    EXPECT_EQ(YardState::known(own_.get()), state_);
    // Twice: found the first time, found again from the second.
    for (int k = 0; k < 2; ++k) (void)element_type({MPI_INT, "receive"});
  }

  [[nodiscard]] bool is_open_for(int count, MPI_Datatype type = MPI_INT) const {
    return Passage(c::allgather_call("MPI_Allgather", nullptr, count, type, nullptr, count, type,
                                     own_.get()))
        .is_open();
  }
  [[nodiscard]] bool is_open_for(const MPI_Count* counts) const {
    const MPI_Count sent = 0;
    return Passage(c::allgatherv_call("MPI_Allgatherv_c", nullptr, sent, MPI_INT, nullptr, counts,
                                      static_cast<const MPI_Aint*>(nullptr), MPI_INT, own_.get()))
        .is_open();
  }

  OwnCommunicator own_ = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  std::shared_ptr<YardState> state_;
};

TEST_F(Passages, AreNotInsideAnother) {
  const OwnCommunicator other = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  EXPECT_FALSE(is_open(own_.get()));
  EXPECT_FALSE(is_open_for(1));
  state_->learned.exchanges_left.all = true;
  EXPECT_FALSE(is_open_for(1)) << "no exchange";
  state_->learned.broadcasts_left.all = true;
  {
    const Passage outer(exchange_on(own_.get()));
    EXPECT_TRUE(outer.is_open());
    EXPECT_FALSE(is_open(own_.get())) << "a call that MPI makes itself";
    EXPECT_FALSE(is_open_for(1));
  }
  EXPECT_FALSE(interpose::inside);
  EXPECT_TRUE(is_open(own_.get()));
  EXPECT_FALSE(is_open(other.get()));
  EXPECT_FALSE(is_open(MPI_COMM_NULL));
  EXPECT_TRUE(is_open_for(1));
}

TEST_F(Passages, AreClosedByWhoeverChooses) {
  Learner learner({"a", kNative});
  const std::vector<Bytes> lengths(static_cast<std::size_t>(world_size()), 100);
  for (const bool broadcast : {false, true}) {
    state_->learned.exchanges_left.learner = state_->learned.broadcasts_left.learner = &learner;
    if (broadcast) {
      const OneShot chosen(*state_, {}, NativeCall::as_it_came, lengths);
    } else {
      const OneShot chosen(*state_, {}, NativeCall::as_it_came);
    }
    EXPECT_EQ(state_->learned.left(broadcast).learner, nullptr);
    EXPECT_EQ(state_->learned.left(!broadcast).learner, &learner);
  }
}

TEST_F(Passages, AreOpenForAllWhereThatIsAskedFor) {
  const ChosenVariable algorithm("SHUNT_ALGORITHM", "native");
  const ChosenVariable broadcast("SHUNT_BROADCAST", "native");
  choose(own_);
  EXPECT_EQ(passing(own_, 2000), 2000);
  EXPECT_FALSE(is_open_for(25));
  choose_broadcast(own_);
  EXPECT_TRUE(is_open_for(25));
  EXPECT_TRUE(is_open_for(25000));
}

TEST_F(Passages, AreClosedWhereCallsAreChecked) {
  const ChosenVariable algorithm("SHUNT_ALGORITHM", "native");
  const ChosenVariable broadcast("SHUNT_BROADCAST", "native");
  const ChosenVariable check("SHUNT_CHECK", "1");
  choose(own_);
  choose_broadcast(own_);
  EXPECT_FALSE(is_open(own_.get()));
  EXPECT_FALSE(is_open_for(25));
}

TEST_F(Passages, AreClosedWithinALimitOfMemory) {
  const ChosenVariable algorithm("SHUNT_ALGORITHM", "native");
  const ChosenVariable memory("SHUNT_MEMORY", "1M");
  choose(own_);
  EXPECT_FALSE(is_open(own_.get()));
}

TEST_F(Passages, AreClosedToOtherAlgorithms) {
  const ChosenVariable algorithm("SHUNT_ALGORITHM", "a2");
  const ChosenVariable broadcast("SHUNT_BROADCAST", "br-lin");
  for (int k = 0; k < 20; ++k) {
    choose(own_);
    choose_broadcast(own_);
    EXPECT_FALSE(is_open(own_.get()));
    EXPECT_FALSE(is_open_for(25));
  }
}

/// Where MPI's function makes them. Wrong lengths are nobody's.
TEST_F(Passages, FollowBroadcastsThatAreNotReadEither) {
  const ChosenVariable broadcast("SHUNT_BROADCAST", "native");
  MPI_Comm_set_errhandler(own_.get(), MPI_ERRORS_RETURN);
  for (const int count : {25, 0, -1}) {
    c::Choice choice(NativeCall::as_it_came);
    const int code = c::make_exchange(
        c::allgather_call("MPI_Allgather", this, count, MPI_INT, this, count, MPI_INT, own_.get()),
        choice);
    EXPECT_EQ(code, count < 0 ? MPI_ERR_COUNT : MPI_SUCCESS) << count;
    EXPECT_EQ(choice.is_native(), count >= 0) << count;
  }
}

/// What was found to be the fastest is MPI's own.
class PassagesOfWinners : public Passages {
 protected:
  void SetUp() override {
    if (world_size() == 1) GTEST_SKIP() << "one rank learns nothing";
    Wisdom known;
    const WisdomEntry native{kNative, 1e-6, Effort::measure, 1000, {}};
    known.learn(
        wisdom_key(*state_, "preloaded alltoallv", {}, signature_of(BusiestRank{900, 100, 10})),
        native);
    const Bytes all = Bytes{100} * world_size();
    known.learn(wisdom_key(*state_, "preloaded allgatherv", {},
                           signature_of(SourceTotals{all, world_size(), 0, 100})),
                native);
    wisdom_.put(known);
  }

  ChosenVariable algorithm_{"SHUNT_ALGORITHM", "auto"};
  ChosenVariable broadcast_{"SHUNT_BROADCAST", "auto"};
  OwnWisdom wisdom_;
};

TEST_F(PassagesOfWinners, AreOpenUpToTheNextAgreement) {
  int calls = 0;
  for (int k = 0; k < 2000 && calls == 0; ++k) {
    choose(own_);
    calls = passing(own_, 2000);
  }
  EXPECT_GT(calls, 0);
  EXPECT_LT(calls, Learner::kMostCalls);
  EXPECT_TRUE(OneShot(*state_, c::environment().options, NativeCall::as_it_came).agrees());
}

TEST_F(PassagesOfWinners, AreOpenToTheSameTrafficAlone) {
  const auto ranks = static_cast<std::size_t>(world_size());
  const std::vector<MPI_Count> equal(ranks, 25);
  std::vector<MPI_Count> negative = equal;
  negative.back() = -1;
  const std::vector<MPI_Count> huge(ranks, std::numeric_limits<MPI_Count>::max() / 2);
  int open = 0;
  for (int k = 0; k < 2000 && open == 0; ++k) {
    choose_broadcast(own_);
    EXPECT_FALSE(is_open_for(250));
    EXPECT_FALSE(is_open_for(0));
    EXPECT_FALSE(is_open_for(25, MPI_DOUBLE_INT)) << "a type that was not seen before";
    EXPECT_FALSE(is_open_for(static_cast<const MPI_Count*>(nullptr)));
    EXPECT_FALSE(is_open_for(negative.data()));
    EXPECT_FALSE(is_open_for(huge.data()));
    open += is_open_for(25) && is_open_for(24) && is_open_for(equal.data()) ? 1 : 0;
  }
  EXPECT_GT(open, 0);
}

}  // namespace
}  // namespace shunt::test
