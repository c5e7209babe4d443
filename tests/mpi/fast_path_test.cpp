// Calls of preloaded programs of which it is decided that they are MPI's own.
#include "interpose/fast_path.hpp"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "bindings/c/exchange.hpp"
#include "bindings/c/sides.hpp"
#include "bindings/element_type.hpp"
#include "collective/alltoallv/alltoallv.hpp"
#include "collective/tuned_call.hpp"
#include "mpi/c_forms.hpp"
#include "mpi/own_communicator.hpp"
#include "planner/trials.hpp"

namespace shunt::test {
namespace {

using interpose::FastPath;

constexpr auto kAllgather = static_cast<std::size_t>(c::Form::allgather);

c::Call exchange_on(MPI_Comm comm) {
  static constexpr int kCount = 1;
  const c::SideArguments side = c::equal_side(nullptr, kCount, MPI_INT);
  return {"MPI_Alltoall", c::Form::alltoall, side, side, comm, c::kNoRoot};
}

/// Refers to the count.
c::Call allgather_of(const void* buffer, const int& count, MPI_Datatype type, MPI_Comm comm) {
  return {"MPI_Allgather",
          c::Form::allgather,
          c::single_side(buffer, count, type),
          c::equal_side(buffer, count, type),
          comm,
          c::kNoRoot};
}

bool is_open(MPI_Comm comm) { return FastPath(exchange_on(comm)).is_open(); }

/// So many calls in a row pass, the same number on all ranks; up to `most`.
int passing(const OwnCommunicator& comm, int most) {
  int calls = 0;
  while (calls < most && is_open(comm.get())) ++calls;
  int extremes[] = {calls, -calls};
  MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  EXPECT_EQ(extremes[0], -extremes[1]);
  return calls;
}

void make(const OwnCommunicator& comm, c::Form form, const Options& options,
          const CallTraffic& traffic) {
  TunedCall call({c::kind_of(form), Context::known(comm.get()), options}, NativeCall::as_it_came,
                 static_cast<int>(form));
  call.complete([&] { return traffic; });
  if (call.is_left_to_caller()) {
    c::end_native(call, MPI_SUCCESS, false);
  } else {
    call.end();
  }
}

/// Makes a call with what the variables say.
void choose(const OwnCommunicator& comm) {
  make(comm, c::Form::alltoall, environment().options, {{1000, 100, 10, 900}});
}

/// Makes an all-gather of 100 bytes from each rank.
void choose_allgather(const OwnCommunicator& comm) {
  const std::vector<Bytes> lengths(static_cast<std::size_t>(world_size()), 100);
  const Collective& kind = c::kind_of(c::Form::allgather);
  make(comm, c::Form::allgather, environment().allgather,
       kind.traffic_of(lengths, lengths, world_rank()));
}

class FastPaths : public testing::Test {
 protected:
  FastPaths() : state_(Context::of(own_.get())) {
    EXPECT_EQ(Context::known(own_.get()), state_);
    // Twice: found the first time, found again from the second.
    for (int k = 0; k < 2; ++k) (void)element_type({MPI_INT, "receive"});
  }

  [[nodiscard]] bool is_open_for(int count, MPI_Datatype type = MPI_INT) const {
    return FastPath(allgather_of(nullptr, count, type, own_.get())).is_open();
  }

  OwnCommunicator own_ = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  std::shared_ptr<Context> state_;
};

TEST_F(FastPaths, AreNotInsideOwnCode) {
  const OwnCommunicator other = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  EXPECT_FALSE(is_open(own_.get()));
  EXPECT_FALSE(is_open_for(1));
  state_->tuning.learned.left[0].all = true;
  EXPECT_FALSE(is_open_for(1)) << "no exchange";
  state_->tuning.learned.left[kAllgather].all = true;
  {
    const interpose::Inside own;
    EXPECT_FALSE(is_open(own_.get())) << "a call that MPI makes for Shunt";
    EXPECT_FALSE(is_open_for(1));
  }
  EXPECT_FALSE(interpose::inside);
  EXPECT_TRUE(is_open(own_.get()));
  EXPECT_FALSE(is_open(other.get()));
  EXPECT_FALSE(is_open(MPI_COMM_NULL));
  EXPECT_TRUE(is_open_for(1));
}

TEST_F(FastPaths, AreClosedByWhoeverChooses) {
  LearnedTraffic traffic{{}, {}, Learner(2)};
  for (const int function : {0, 1, static_cast<int>(kAllgather)}) {
    state_->tuning.learned.left.fill({false, &traffic});
    const Options options;
    const TunedCall chosen({c::kind_of(static_cast<c::Form>(function)), state_, options},
                           NativeCall::as_it_came, function);
    for (std::size_t other = 0; other < LearnedCalls::kFunctions; ++other) {
      EXPECT_EQ(state_->tuning.learned.left[other].traffic == nullptr, index_of(function) == other);
    }
  }
}

TEST_F(FastPaths, AreOpenForAllWhereThatIsAskedFor) {
  const ChosenVariable algorithm("SHUNT_ALGORITHM", "native");
  const ChosenVariable allgather("SHUNT_ALLGATHER", "native");
  choose(own_);
  EXPECT_EQ(passing(own_, 2000), 2000);
  EXPECT_FALSE(is_open_for(25));
  choose_allgather(own_);
  EXPECT_TRUE(is_open_for(25));
  EXPECT_TRUE(is_open_for(25000));
}

TEST_F(FastPaths, AreClosedWhereCallsAreChecked) {
  const ChosenVariable algorithm("SHUNT_ALGORITHM", "native");
  const ChosenVariable allgather("SHUNT_ALLGATHER", "native");
  const ChosenVariable check("SHUNT_CHECK", "1");
  choose(own_);
  choose_allgather(own_);
  EXPECT_FALSE(is_open(own_.get()));
  EXPECT_FALSE(is_open_for(25));
}

TEST_F(FastPaths, AreClosedWithinALimitOfMemory) {
  const ChosenVariable algorithm("SHUNT_ALGORITHM", "native");
  const ChosenVariable memory("SHUNT_MEMORY", "1M");
  choose(own_);
  EXPECT_FALSE(is_open(own_.get()));
}

TEST_F(FastPaths, AreClosedToOtherAlgorithms) {
  const ChosenVariable algorithm("SHUNT_ALGORITHM", "two-stage");
  const ChosenVariable allgather("SHUNT_ALLGATHER", "recursive-halving");
  for (int k = 0; k < 20; ++k) {
    choose(own_);
    choose_allgather(own_);
    EXPECT_FALSE(is_open(own_.get()));
    EXPECT_FALSE(is_open_for(25));
  }
}

/// Where MPI's function makes them, with wrong lengths too: what it says of these counts.
TEST_F(FastPaths, FollowAllgathersThatAreNotReadEither) {
  const ChosenVariable allgather("SHUNT_ALLGATHER", "native");
  MPI_Comm_set_errhandler(own_.get(), MPI_ERRORS_RETURN);
  for (const int count : {25, 0, -1}) {
    std::optional<TunedCall> call;
    c::exchange_once(allgather_of(this, count, MPI_INT, own_.get()), NativeCall::as_it_came, call);
    EXPECT_TRUE(call->is_left_to_caller()) << count;
  }
}

/// What was found to be the fastest is MPI's own.
class FastPathsOfWinners : public FastPaths {
 protected:
  void SetUp() override {
    if (world_size() == 1) GTEST_SKIP() << "one rank learns nothing";
  }

  /// After the first call: it settles on MPI's own, whose calls take what they are known to take
  /// until a run of many begins. Calls that do nothing would seem to take now this and now that.
  void begin_long_run() {
    LearnedTraffic& traffic = state_->tuning.learned.last->second.traffics.begin()->second;
    Learner& learner = traffic.learner;
    const double seconds = 1e-3;
    TuningBudget budget;
    // The last one is MPI's own.
    ASSERT_EQ(traffic.candidates.back().algorithm, kNative);
    ASSERT_TRUE(learner.settle_on(traffic.candidates.size() - 1, seconds));
    for (int run = 0; run < 6; ++run) {
      int timed = 0;
      while (!learner.is_due()) {
        (void)learner.take();
        timed += learner.is_timed() ? 1 : 0;
      }
      if (run > 0) learner.note(timed * seconds, budget);
      learner.assign({1, 1}, budget);
    }
  }

  ChosenVariable algorithm_{"SHUNT_ALGORITHM", "auto"};
  ChosenVariable allgather_{"SHUNT_ALLGATHER", "auto"};
};

TEST_F(FastPathsOfWinners, AreOpenUpToTheNextAgreement) {
  choose(own_);
  begin_long_run();
  int calls = 0;
  for (int k = 0; k < Race::kTurn; ++k) {
    EXPECT_EQ(calls, 0) << "one of the calls before is timed";
    choose(own_);
    calls = passing(own_, 2000);
  }
  EXPECT_GT(calls, 0);
  EXPECT_LT(calls, Learner::kMostCalls);
  EXPECT_TRUE(
      TunedCall({alltoallv(), state_, environment().options}, NativeCall::as_it_came).agrees());
}

/// Whatever their lengths are, since a rank may be wrong about these.
TEST_F(FastPathsOfWinners, AreOpenToAllgathersOfTheSameFunction) {
  choose_allgather(own_);
  begin_long_run();
  for (int k = 0; k < Race::kTurn; ++k) {
    EXPECT_FALSE(is_open_for(25)) << "one of the calls before is timed";
    choose_allgather(own_);
  }
  EXPECT_TRUE(is_open_for(25));
  EXPECT_TRUE(is_open_for(250));
  EXPECT_TRUE(is_open_for(0));
  EXPECT_FALSE(is_open(own_.get()));
}

/// An error of MPI's own function, on one rank, is one that the others hear of with the next
/// agreement; then another way is taken.
TEST_F(FastPathsOfWinners, EndWhereMpiFails) {
  choose(own_);
  begin_long_run();
  for (int k = 0; k < Race::kTurn; ++k) choose(own_);
  FastPath fast_path(exchange_on(own_.get()));
  ASSERT_TRUE(fast_path.is_open());
  const int code = world_rank() == world_size() - 1 ? MPI_ERR_OTHER : MPI_SUCCESS;
  EXPECT_EQ(fast_path.end(code), code);
  LearnedTraffic& traffic = state_->tuning.learned.last->second.traffics.begin()->second;
  Learner& learner = traffic.learner;
  const std::size_t native = traffic.candidates.size() - 1;
  while (!learner.is_due()) (void)learner.take();
  EXPECT_EQ(learner.leader(), native);
  choose(own_);
  EXPECT_NE(learner.leader(), native);
  for (int k = 0; k < 100; ++k) {
    choose(own_);
    EXPECT_FALSE(is_open(own_.get()));
  }
}

}  // namespace
}  // namespace shunt::test
