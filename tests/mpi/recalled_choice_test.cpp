// What is remembered, for exchanges that it does not fit, and for one-shot calls.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "collective/alltoallv/alltoallv.hpp"
#include "collective/tuned_call.hpp"
#include "context/context.hpp"
#include "mpi/big_memory.hpp"
#include "mpi/own_clock.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/own_wisdom.hpp"
#include "planner/choose.hpp"
#include "planner/process_wisdom.hpp"
#include "planner/trials.hpp"

namespace shunt::test {
namespace {

/// So long that "auto" tries single copies.
constexpr Bytes kBlockBytes = 16384;

/// Blocks of `kBlockBytes` bytes between all ranks. What comes from the last rank lies `gap` bytes
/// behind the rest.
class GappedBlocks {
 public:
  explicit GappedBlocks(Bytes gap)
      : layout_(Layout::packed(
            std::vector<Bytes>(static_cast<std::size_t>(world_size()), kBlockBytes))),
        receive_layout_(layout_),
        send_(static_cast<std::size_t>(world_size() * kBlockBytes)),
        received_(world_size() * kBlockBytes + gap, Pages::small) {
    receive_layout_.displacements.back() += gap;
    for (Rank peer = 0; peer < world_size(); ++peer) {
      std::memset(send_.data() + peer * kBlockBytes, mark(world_rank(), peer), kBlockBytes);
    }
  }

  [[nodiscard]] Plan plan(Communicator& communicator) {
    return communicator.plan_alltoallv(std::span<const std::byte>(send_), layout_,
                                       received_.bytes(), receive_layout_);
  }

  /// Of what was received.
  [[nodiscard]] Bytes wrong_bytes() {
    Bytes wrong = 0;
    for (Rank peer = 0; peer < world_size(); ++peer) {
      const Bytes place = receive_layout_.displacements[static_cast<std::size_t>(peer)];
      for (Bytes k = 0; k < kBlockBytes; ++k) {
        const std::byte byte = received_.bytes()[static_cast<std::size_t>(place + k)];
        wrong += byte == static_cast<std::byte>(mark(peer, world_rank())) ? 0 : 1;
      }
    }
    return wrong;
  }

 private:
  static int mark(Rank source, Rank destination) { return 1 + source * 16 + destination; }

  Layout layout_;
  Layout receive_layout_;
  std::vector<std::byte> send_;
  LazyMemory received_;
};

TEST_F(PlansWithWisdom, TakeNothingThatMpiCannotPlace) {
  OwnWisdom wisdom;
  Communicator communicator(MPI_COMM_WORLD);
  (void)GappedBlocks(0).plan(communicator);
  const Wisdom found = wisdom.saved();
  Wisdom known;
  for (auto [key, entry] : found.entries()) {
    entry.algorithm = kStraight;
    entry.trials = {{kStraight, 1e-6}, {"linear shared=once", 2e-6}, {kNative, 3e-6}};
    known.learn(key, entry);
  }
  wisdom.put(known);
  // On one rank there is a displacement that is no int, and the others do not hear of it.
  GappedBlocks blocks(world_rank() == 0 ? Bytes{3} << 30 : 0);
  std::string text;
  std::optional<Plan> plan;
  try {
    plan.emplace(blocks.plan(communicator));
    text = plan->explain();
  } catch (const Error& error) {
    text = error.what();
  }
  EXPECT_NE(text.find("remembered from 2"), std::string::npos) << text;
  if (most_of_all(plan ? 0 : 1) > 0) return;
  plan->execute();
  EXPECT_EQ(blocks.wrong_bytes(), 0);
}

/// So many that they are saved before the end.
TEST(ProcessWisdom, KeepsWhatCouldNotBeSaved) {
  constexpr std::size_t kMany = 64;
  const TemporaryFolder folder;
  const auto hindrance = folder.path() / "file";
  const auto path = hindrance / "wisdom.json";
  std::ofstream(hindrance) << "no folder";
  WisdomKey key{"host", "MPI", "2 ranks", "kind", "dual", ""};
  {
    const Variable here("SHUNT_WISDOM", path.c_str());
    for (std::size_t k = 0; k < kMany; ++k) {
      key.traffic = std::to_string(k);
      remember(key, {kStraight, 1e-6, Effort::measure, 0, {}});
    }
    std::filesystem::remove(hindrance);
    const Variable elsewhere("SHUNT_WISDOM", "none");
    EXPECT_FALSE(recall(key, Effort::estimate));
  }
  EXPECT_EQ(read_wisdom(path).entries().size(), kMany);
}

/// The window is each call's own.
TEST(TunedCall, RemembersNoWindow) {
  if (world_size() == 1) GTEST_SKIP() << "one rank learns nothing";
  OwnWisdom wisdom;
  const OwnClock clock;
  const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  const auto state = Context::of(world.get());
  const CallTraffic traffic{{1000, 100, 10, 900}};
  Options options;
  constexpr int kEnoughToSettle = 1000;
  for (int k = 0; k < kEnoughToSettle; ++k) {
    options.window.messages = 1 + k % 7;
    TunedCall call({alltoallv(), state, options}, NativeCall::not_blocking);
    call.complete([&] { return traffic; });
    OwnClock::pass(1e-3);
    call.end();
  }
  const Wisdom found = wisdom.saved();
  EXPECT_EQ(found.entries().empty(), world_rank() != 0);
  for (const auto& [key, entry] : found.entries()) {
    EXPECT_GT(entry.trials.size(), 1U);
    for (const Trial& trial : entry.trials) {
      EXPECT_EQ(trial.algorithm.find("messages="), std::string::npos) << trial.algorithm;
    }
  }
}

TEST(TunedCall, TakesWhatIsRememberedWhateverTheEffort) {
  if (world_size() == 1) GTEST_SKIP() << "one rank learns nothing";
  const CallTraffic traffic{{1000, 100, 10, 900}};
  for (const Effort effort : {Effort::measure, Effort::patient}) {
    OwnWisdom wisdom;
    const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
    const auto state = Context::of(world.get());
    const Options options{.effort = effort};
    Wisdom known;
    known.learn(
        wisdom_key(*state, {"alltoallv call", options, signature_of(BusiestRank{900, 100, 10})}),
        {kNative, 1e-6, Effort::measure, 1000, {}});
    wisdom.put(known);
    TunedCall call({alltoallv(), state, options}, NativeCall::not_blocking);
    call.complete([&] { return traffic; });
    EXPECT_EQ(call.text(), kNative) << name_of(effort);
    call.end();
  }
}

TEST(TunedCall, TakesWhatIsRememberedByAnAlias) {
  if (world_size() == 1) GTEST_SKIP() << "one rank learns nothing";
  const CallTraffic traffic{{1000, 100, 10, 900}};
  OwnWisdom wisdom;
  const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  const auto state = Context::of(world.get());
  const Options options;
  Wisdom known;
  known.learn(
      wisdom_key(*state, {"alltoallv call", options, signature_of(BusiestRank{900, 100, 10})}),
      {"a1", 1e-6, Effort::measure, 1000, {}});
  wisdom.put(known);
  constexpr int kCalls = 4;
  for (int k = 0; k < kCalls; ++k) {
    TunedCall call({alltoallv(), state, options}, NativeCall::not_blocking);
    call.complete([&] { return traffic; });
    EXPECT_EQ(call.text(), kStraight);
    (void)call.make([](const Configuration&) { return Counters(); });
  }
}

}  // namespace
}  // namespace shunt::test
