// MPI's own collectives with ints that do not suffice, as those of other MPIs do for short blocks
// here: every byte arrives by another way, and nobody has to know of whom that is true.
#include "engine/native_call.hpp"

#include <gtest/gtest.h>

#include "bindings/byte_blocks.hpp"
#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "mpi/gather_case.hpp"
#include "mpi/own_communicator.hpp"

namespace shunt::test {
namespace {

class NativeCalls : public testing::Test {
 protected:
  OwnCommunicator world_ = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  std::shared_ptr<Context> context_ = Context::of(world_.get());
};

/// From blocks of which MPI's own moves nothing, through long and distant ones, to the usual.
std::vector<Bytes> largest_ints() {
  const Bytes ranks = world_size();
  return {ranks - 1, ranks, 7 * ranks, 100 * ranks, 1000 * ranks, kLargestInt};
}

/// Whether displacements would have to be larger.
template <class Blocks>
bool are_far(const Blocks& blocks, Bytes largest) {
  for (std::size_t k = 0; k < blocks.bytes.size(); ++k) {
    if (blocks.bytes[k] > 0 && blocks.offsets[k] > largest) return true;
  }
  return false;
}

TEST_F(NativeCalls, MoveBlocksOfAnyLength) {
  for (const char* pattern : {"uniform", "pattern2", "sparse:0.3", "random"}) {
    BlockCase blocks(*make_traffic(pattern, {world_size(), 300, 1, 5}), 3, everything);
    SendBlocks send;
    ReceiveBlocks receive;
    read_blocks(send, blocks.to_send(), blocks.send_bytes(), 1, world_size());
    for (const Bytes largest : largest_ints()) {
      blocks.poison();
      read_blocks(receive, blocks.to_receive(), blocks.receive_bytes(), 1, world_size());
      const Counters counters = call_alltoallv(*context_, send, receive, largest);
      EXPECT_EQ(blocks.received, blocks.expected) << pattern << ", ints up to " << largest;
      EXPECT_LE(counters.memory, largest == kLargestInt ? 0 : 2 * largest);
      const bool moves_some = largest >= world_size();
      if (moves_some && (are_far(send, largest) || are_far(receive, largest))) {
        EXPECT_GT(counters.memory, 0) << pattern << ", ints up to " << largest;
      }
    }
  }
}

/// Pairs of ranks by turns have blocks that are too long for MPI's own, and the others none.
TEST_F(NativeCalls, AreInStepWhereFewRanksHaveLongBlocks) {
  for (int pair = 0; pair < 2 * world_size(); ++pair) {
    const auto of_pair = [pair](Rank source, Rank destination) {
      return source == pair % world_size() && destination == (pair + 1) % world_size();
    };
    BlockCase blocks(*make_traffic("uniform", {world_size(), 500, 1, 5}), 4, of_pair);
    SendBlocks send;
    ReceiveBlocks receive;
    read_blocks(send, blocks.to_send(), blocks.send_bytes(), 1, world_size());
    read_blocks(receive, blocks.to_receive(), blocks.receive_bytes(), 1, world_size());
    (void)call_alltoallv(*context_, send, receive, 100 * world_size());
    EXPECT_EQ(blocks.received, blocks.expected);
  }
}

/// Few bytes go by the non-blocking collective, many by the blocking one.
TEST_F(NativeCalls, GatherBlocksThatLieFarApart) {
  for (const int longest : {500, 30000}) {
    for (const SourceCase& sources : source_cases(world_size(), longest)) {
      GatherCase blocks(sources.counts, 7);
      for (const Bytes largest : largest_ints()) {
        blocks.poison();
        ReceiveBlocks receive;
        read_blocks(receive, std::span(blocks.received), blocks.layout, 1, world_size());
        const Counters counters = call_allgatherv(*context_, {blocks.send, receive}, largest);
        EXPECT_EQ(blocks.received, blocks.expected) << sources.name << ", ints up to " << largest;
        EXPECT_EQ(counters.memory > 0, are_far(receive, largest));
      }
    }
  }
}

}  // namespace
}  // namespace shunt::test
