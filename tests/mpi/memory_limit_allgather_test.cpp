// All-gathers within a limit of memory: byte for byte as MPI's, and never more than the limit.
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"
#include "mpi/gather_case.hpp"
#include "mpi/typed_memory.hpp"
#include "shunt/communicator.hpp"

namespace shunt::test {
namespace {

TEST(MemoryLimits, OfAllgathers) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const SourceCase& sources : source_cases(world_size(), 9000)) {
    GatherCase gathered(sources.counts, 4);
    for (const char* name :
         {"auto", "recursive-halving", "dissemination", "gather-broadcast", "native"}) {
      for (const bool shared : {false, true}) {
        SCOPED_TRACE(testing::Message() << sources.name << ", " << name << ", " << shared);
        Options options{name, Mode::dual_buffer};
        options.shared_memory = shared;
        options.memory = 100;
        if (std::string_view(name) != "native") {
          gathered.poison();
          const Counters once = communicator.allgatherv(gathered.to_send(), gathered.to_receive(),
                                                        gathered.layout, options);
          EXPECT_EQ(once.memory, 0);
          EXPECT_EQ(gathered.received, gathered.expected);
        }
        Plan plan = communicator.plan_allgatherv(gathered.to_send(), gathered.to_receive(),
                                                 gathered.layout, options);
        EXPECT_EQ(plan.counters().memory, 0);
        gathered.poison();
        plan.execute();
        EXPECT_EQ(gathered.received, gathered.expected);
      }
    }
  }
}

/// Blocks with gaps come in parts.
TEST(MemoryLimits, OfAllgathersOfTypes) {
  const OwnType type = vector_with_holes();
  std::vector<Bytes> counts;
  for (Rank rank = 0; rank < world_size(); ++rank) counts.push_back(rank % 3 * 200);
  const Bytes own = counts[static_cast<std::size_t>(world_rank())];
  Side from({own}, type.get());
  from.fill(world_rank());
  Side to(counts, type.get());
  to.poison();
  Side answer = to;
  MPI_Aint bound = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(type.get(), &bound, &extent);
  const std::byte* const block = from.origin() + from.layout().displacements[0] * extent;
  MPI_Allgatherv(block, static_cast<int>(own), type.get(), answer.origin(), ints(counts).data(),
                 ints(answer.layout().displacements).data(), type.get(), MPI_COMM_WORLD);
  Communicator communicator(MPI_COMM_WORLD);
  Options options;
  for (const char* name : {"auto", "recursive-halving"}) {
    options.algorithm = name;
    for (const Bytes memory : {Bytes{900} * world_size(), Bytes{1} << 24}) {
      options.memory = memory;
      to.poison();
      const Counters once = communicator.allgatherv(block, own, type.get(), to.origin(),
                                                    to.layout(), type.get(), options);
      EXPECT_LE(once.memory, memory);
      EXPECT_TRUE(to.memory() == answer.memory()) << name << " once";
      Plan plan = communicator.plan_allgatherv(block, own, type.get(), to.origin(), to.layout(),
                                               type.get(), options);
      EXPECT_LE(plan.counters().memory, memory);
      to.poison();
      plan.execute();
      EXPECT_TRUE(to.memory() == answer.memory()) << name << " plan";
    }
  }
}

}  // namespace
}  // namespace shunt::test
