// One-shot calls with "auto": all ranks choose alike, whatever they measure, and every byte arrives
// whatever was chosen.
#include "collective/tuned_call.hpp"

#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "collective/allgatherv/allgatherv.hpp"
#include "collective/alltoallv/alltoallv.hpp"
#include "context/context.hpp"
#include "lab/traffic/patterns.hpp"
#include "model/configuration.hpp"
#include "mpi/block_case.hpp"
#include "mpi/gather_case.hpp"
#include "mpi/nodes.hpp"
#include "mpi/own_clock.hpp"
#include "mpi/own_communicator.hpp"
#include "planner/choose.hpp"
#include "planner/plan_choice.hpp"
#include "support/variable.hpp"

namespace shunt::test {
namespace {

/// Whether all ranks have the same text.
bool is_common(const std::string& text) {
  int own[] = {0, 0};
  for (const char letter : text) own[0] = (own[0] * 31 + letter) % 65521;
  own[1] = -own[0];
  int most[] = {0, 0};
  MPI_Allreduce(own, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return most[0] == -most[1];
}

/// Calls whose traffic and time differ on each rank.
class Calls {
 public:
  Calls()
      : world_(OwnCommunicator::duplicate(MPI_COMM_WORLD)), context_(Context::of(world_.get())) {}

  /// The window is each rank's own, and may be another one in each call.
  std::string make(const CallTraffic& traffic, NativeCall native) {
    options_.window.messages = static_cast<int>(1 + random_() % 64);
    return make(alltoallv(), traffic, native);
  }

  std::string make(const std::vector<Bytes>& lengths, NativeCall native) {
    return make(allgatherv(), allgatherv().traffic_of(lengths, lengths, world_rank()), native);
  }

  [[nodiscard]] const LearnedCalls& learned() const { return context_->tuning.learned; }

 private:
  std::string make(const Collective& kind, const CallTraffic& traffic, NativeCall native) {
    TunedCall call({kind, context_, options_}, native);
    call.complete([&] { return traffic; });
    EXPECT_EQ(call.configuration().window, options_.window);
    OwnClock::pass(static_cast<double>(random_() % 100) * 1e-6);
    call.end();
    return call.text();
  }

  OwnClock clock_;
  Options options_;
  OwnCommunicator world_;
  std::shared_ptr<Context> context_;
  std::mt19937 random_{static_cast<unsigned>(world_rank())};
};

TEST(TunedCall, IsTheSameOnAllRanks) {
  Calls calls;
  std::mt19937 own(static_cast<unsigned>(world_rank()));
  std::mt19937 common(1);
  const std::vector<Bytes> lengths(static_cast<std::size_t>(world_size()), 64);
  for (int k = 0; k < 300; ++k) {
    const auto load = static_cast<Bytes>(1 + own() % 1000);
    const CallTraffic traffic{{load, 1 + load / 4, 1 + load % world_size(), load / 2}};
    // Kinds of calls come in any order.
    const auto native = common() % 2 == 0 ? NativeCall::as_it_came : NativeCall::not_blocking;
    const std::string algorithm =
        common() % 2 == 0 ? calls.make(traffic, native) : calls.make(lengths, native);
    EXPECT_TRUE(is_common(algorithm)) << "call " << k << ": " << algorithm;
  }
}

TEST(TunedCall, FollowsTraffic) {
  if (world_size() == 1) return;
  Calls calls;
  for (const Bytes load : {Bytes{100}, Bytes{5000}, Bytes{100}, Bytes{1} << 20}) {
    // One rank has it; the others hear of it within as many calls as go without an agreement.
    const Bytes own = world_rank() == world_size() - 1 ? load : 1;
    for (int k = 0; k <= Learner::kMostCalls; ++k) {
      (void)calls.make(CallTraffic{{own, own, 1, own}}, NativeCall::not_blocking);
    }
    const LearnedKind& kind = calls.learned().kinds.begin()->second;
    const auto current = kind.traffics.find(signature_of(BusiestRank{load, load, 1}));
    EXPECT_TRUE(current != kind.traffics.end() && kind.current == &current->second) << load;
  }
}

/// Rank 0 decides, whatever the variables of the others say.
TEST(TunedCall, LearnsNothingUnlessItMay) {
  const Variable learn("SHUNT_LEARN", world_rank() == 0 ? "0" : "1");
  const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  const auto state = Context::of(world.get());
  const Options options;
  const CallTraffic traffic{{1000, 100, 10, 900}};
  const std::vector<Bytes> lengths(static_cast<std::size_t>(world_size()), 10);
  for (int k = 0; k < 50; ++k) {
    TunedCall exchange({alltoallv(), state, options}, NativeCall::as_it_came);
    exchange.complete([&] { return traffic; });
    EXPECT_EQ(exchange.text(), kStraight);
    exchange.end();
    // Only the first one began with an agreement.
    EXPECT_FALSE(exchange.agrees());
    TunedCall gather({allgatherv(), state, options}, NativeCall::as_it_came);
    gather.complete([&] { return allgatherv().traffic_of(lengths, lengths, world_rank()); });
    EXPECT_NE(gather.text(), kNative);
    gather.end();
  }
  for (const auto& [kind, learned] : state->tuning.learned.kinds) {
    for (const auto& [signature, known] : learned.traffics) {
      EXPECT_FALSE(known.learner.is_due());
      EXPECT_EQ(known.own_seconds, 0);
    }
  }
}

/// Through most of a race or all of it, where no agreement takes longer than the calls, which have
/// to earn it.
constexpr int kManyCalls = 150;

TEST(TunedCall, ExchangesAreExactWhateverIsChosen) {
  const OwnClock clock;
  std::vector<BlockCase> cases;
  for (const char* pattern : {"uniform", "pattern2", "sparse:0.3"}) {
    cases.emplace_back(*make_traffic(pattern, {world_size(), 40, 1, 5}), 12, everything);
  }
  // Blocks that may be copied once.
  cases.emplace_back(*make_traffic("pattern1", {world_size(), 800, 1, 5}), 12, everything);
  std::set<std::string> chosen;
  for (BlockCase& blocks : cases) {
    // On which nothing is settled yet.
    const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
    Communicator communicator(world.get());
    for (int k = 0; k < kManyCalls; ++k) {
      blocks.refill(k % 3);
      const Counters counters = communicator.alltoallv(blocks.to_send(), blocks.send_bytes(),
                                                       blocks.to_receive(), blocks.receive_bytes());
      EXPECT_EQ(blocks.received, blocks.expected) << "call " << k;
      EXPECT_TRUE(is_common(counters.chosen)) << counters.chosen;
      chosen.insert(counters.chosen);
    }
  }
  EXPECT_TRUE(chosen.contains(kStraight));
  EXPECT_EQ(chosen.contains(kNative), world_size() > 1);
  EXPECT_EQ(chosen.contains("linear shared=once"), ranks_share_nodes());
  EXPECT_FALSE(chosen.contains(""));
}

TEST(TunedCall, AllgathersAreExactWhateverIsChosen) {
  const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(world.get());
  for (const SourceCase& sources : source_cases(world_size(), 500)) {
    GatherCase blocks(sources.counts, 7);
    for (int k = 0; k < kManyCalls; ++k) {
      blocks.refill(k % 3);
      communicator.allgatherv(std::span<const std::byte>(blocks.send), std::span(blocks.received),
                              blocks.layout);
      EXPECT_EQ(blocks.received, blocks.expected) << sources.name << ", call " << k;
    }
  }
}

/// Half of the ranks wait for a plan before the calls, the others after them: MPI's own collective,
/// while it takes its turn, must not keep the plan from going on.
TEST(TunedCall, HelpsPlansAlong) {
  const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(world.get());
  BlockCase planned(*make_traffic("random", {world_size(), 60, 1, 3}), 8, everything);
  BlockCase blocks(*make_traffic("uniform", {world_size(), 10, 1, 3}), 8, everything);
  Plan plan =
      communicator.plan_alltoallv(planned.to_send(), planned.send_bytes(), planned.to_receive(),
                                  planned.receive_bytes(), {.algorithm = "four-stage"});
  for (int k = 0; k < kManyCalls; ++k) {
    planned.poison();
    blocks.poison();
    plan.start();
    if (world_rank() % 2 == 0) plan.wait();
    communicator.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                           blocks.receive_bytes());
    if (world_rank() % 2 != 0) plan.wait();
    EXPECT_EQ(planned.received, planned.expected);
    EXPECT_EQ(blocks.received, blocks.expected);
  }
}

}  // namespace
}  // namespace shunt::test
