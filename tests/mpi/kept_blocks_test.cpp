// What was learned of blocks that ranks keep is not taken for what they send.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "context/context.hpp"
#include "lab/traffic/traffic.hpp"
#include "mpi/block_case.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/own_wisdom.hpp"

namespace shunt::test {
namespace {

constexpr Bytes kLong = 1000;

/// Each rank has `kLong` bytes for the one `shift` after it, and one byte for each other one.
class Shifted final : public Traffic {
 public:
  explicit Shifted(Rank shift) : shift_(shift) {}

  [[nodiscard]] Rank ranks() const override { return world_size(); }
  [[nodiscard]] std::string name() const override { return "shifted"; }
  [[nodiscard]] Bytes count(Rank source, Rank destination) const override {
    return destination == (source + shift_) % ranks() ? kLong : 1;
  }

 private:
  Rank shift_;
};

TEST(KeptBlocks, AreAnotherTrafficForOneShots) {
  if (world_size() == 1) return;
  const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(world.get());
  const std::shared_ptr<Context> state = Context::of(world.get());
  for (const Rank shift : {0, 1}) {
    BlockCase blocks(Shifted(shift), 1, everything);
    for (int k = 0; k <= Learner::kMostCalls; ++k) {
      blocks.refill(k % 3);
      (void)communicator.alltoallv(blocks.to_send(), blocks.send_bytes(), blocks.to_receive(),
                                   blocks.receive_bytes());
      EXPECT_EQ(blocks.received, blocks.expected) << "call " << k;
    }
    const LearnedKind& kind = state->tuning.learned.kinds.begin()->second;
    const Bytes to_others = world_size() - 1 + (shift == 0 ? 0 : kLong - 1);
    const auto current =
        kind.traffics.find(signature_of(BusiestRank{to_others, kLong, world_size()}));
    EXPECT_TRUE(current != kind.traffics.end() && kind.current == &current->second) << shift;
  }
}

TEST(KeptBlocks, AreAnotherTrafficForPlans) {
  if (world_size() == 1) return;
  const OwnWisdom wisdom;
  Communicator communicator(MPI_COMM_WORLD);
  for (const char* origin : {"found by trials", "remembered from 2"}) {
    for (const Rank shift : {0, 1}) {
      BlockCase blocks(Shifted(shift), 1, everything);
      Plan plan = communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(),
                                              blocks.to_receive(), blocks.receive_bytes());
      EXPECT_NE(plan.explain().find(origin), std::string::npos) << plan.explain();
      blocks.poison();
      plan.execute();
      EXPECT_EQ(blocks.received, blocks.expected);
    }
  }
}

}  // namespace
}  // namespace shunt::test
