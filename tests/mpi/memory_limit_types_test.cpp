// Exchanges of elements with gaps, and those by C, within a limit of memory: packed part by part,
// byte for byte as MPI's.
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "mpi/block_case.hpp"
#include "mpi/c_failure.hpp"
#include "mpi/c_forms.hpp"
#include "mpi/own_communicator.hpp"
#include "mpi/typed_memory.hpp"
#include "shunt/communicator.hpp"
#include "support/variable.hpp"

namespace shunt::test {
namespace {

/// Six ints in pieces; and so many that they are no list.
OwnType long_element() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(5000, 1, 2, MPI_INT, &type);
  return OwnType(type);
}

constexpr Bytes kFineBlocks = 16;

class LimitedTypes : public testing::TestWithParam<int> {};

/// Elements with gaps are packed part by part, which cuts elements anywhere.
TEST_P(LimitedTypes, ArePackedInParts) {
  constexpr Rank kEnough = 8;
  if (world_size() > kEnough) GTEST_SKIP() << "fewer ranks show as much";
  const bool is_long = GetParam() == 1;
  const OwnType out = is_long ? long_element() : vector_with_holes();
  const OwnType in = is_long ? long_element() : indexed_out_of_order();
  const Bytes size = is_long ? 20000 : 24;
  std::vector<Bytes> sent;
  std::vector<Bytes> received;
  const Bytes most = is_long ? 3 : 300;
  for (Rank peer = 0; peer < world_size(); ++peer) {
    sent.push_back((world_rank() + 2 * peer) % 3 * most / 2);
    received.push_back((peer + 2 * world_rank()) % 3 * most / 2);
  }
  Side from(sent, out.get());
  from.fill(3);
  Side to(received, in.get());
  to.poison();
  Side answer = to;
  MPI_Alltoallv(from.origin(), ints(sent).data(), ints(from.layout().displacements).data(),
                out.get(), answer.origin(), ints(received).data(),
                ints(answer.layout().displacements).data(), in.get(), MPI_COMM_WORLD);
  Communicator communicator(MPI_COMM_WORLD);
  for (const char* name : {"auto", "linear", "four-stage", "native"}) {
    for (const Bytes part : {Bytes{3}, Bytes{7}, Bytes{100}}) {
      Options options{name, Mode::dual_buffer, kFineBlocks};
      // The packed copies of a whole side do not fit.
      options.memory = most_of_all(most * size * world_size() / part) + 12000;
      SCOPED_TRACE(testing::Message() << name << ", " << options.memory << " bytes");
      if (std::string_view(name) != "native") {
        to.poison();
        const Counters counters = communicator.alltoallv(
            from.origin(), from.layout(), out.get(), to.origin(), to.layout(), in.get(), options);
        EXPECT_LE(counters.memory, options.memory);
        EXPECT_TRUE(to.memory() == answer.memory()) << "once";
      }
      Plan plan = communicator.plan_alltoallv(from.origin(), from.layout(), out.get(), to.origin(),
                                              to.layout(), in.get(), options);
      EXPECT_LE(plan.counters().memory, options.memory);
      for (int round = 0; round < 2; ++round) {
        to.poison();
        plan.execute();
        EXPECT_TRUE(to.memory() == answer.memory()) << "plan, round " << round;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, LimitedTypes, testing::Values(0, 1),
                         [](const auto& kind) { return kind.param == 0 ? "Short" : "Long"; });

/// A call in parts is one call: what is chosen makes all of its parts, on all ranks.
TEST(MemoryLimits, OfCallsInPartsThatLearn) {
  const OwnType type = vector_with_holes();
  const std::vector<Bytes> counts(static_cast<std::size_t>(world_size()), 300);
  Side from(counts, type.get());
  from.fill(world_rank());
  Side to(counts, type.get());
  to.poison();
  Side answer = to;
  const std::vector<int> c = ints(counts);
  const std::vector<int> p = ints(from.layout().displacements);
  MPI_Alltoallv(from.origin(), c.data(), p.data(), type.get(), answer.origin(), c.data(), p.data(),
                type.get(), MPI_COMM_WORLD);
  const OwnCommunicator world = OwnCommunicator::duplicate(MPI_COMM_WORLD);
  Communicator communicator(world.get());
  Options options;
  options.memory = 2000 * world_size();
  for (int k = 0; k < 60; ++k) {
    to.poison();
    const Counters counters = communicator.alltoallv(from.origin(), from.layout(), type.get(),
                                                     to.origin(), to.layout(), type.get(), options);
    EXPECT_LE(counters.memory, options.memory);
    EXPECT_TRUE(to.memory() == answer.memory()) << "call " << k;
  }
}

/// From C, by the variable: in place too, where parts arrive where they have left.
TEST(MemoryLimits, FromTheEnvironment) {
  const OwnType type = vector_with_holes();
  std::vector<Bytes> counts;
  for (Rank peer = 0; peer < world_size(); ++peer) {
    counts.push_back((world_rank() + peer) % 4 * 300);
  }
  for (MPI_Datatype kind : {type.get(), MPI_INT}) {
    Side before(counts, kind);
    before.fill(1);
    Side answer = before;
    const std::vector<int> c = ints(counts);
    const std::vector<int> p = ints(before.layout().displacements);
    MPI_Alltoallv(before.origin(), c.data(), p.data(), kind, answer.origin(), c.data(), p.data(),
                  kind, MPI_COMM_WORLD);
    for (const char* algorithm : {"auto", "linear", "four-stage", "native"}) {
      for (const char* memory : {"64K", "1M"}) {
        const ChosenVariable chosen("SHUNT_ALGORITHM", algorithm);
        const ChosenVariable limit("SHUNT_MEMORY", memory);
        for (const CForm& form : {kCForms[0], kCForms[2], kCForms[4]}) {
          SCOPED_TRACE(testing::Message() << form.name << ", " << algorithm << ", " << memory);
          Side received = answer;
          received.poison();
          Side expected = received;
          MPI_Alltoallv(before.origin(), c.data(), p.data(), kind, expected.origin(), c.data(),
                        p.data(), kind, MPI_COMM_WORLD);
          EXPECT_EQ(
              form.call(as_argument(before, kind), as_argument(received, kind), MPI_COMM_WORLD),
              MPI_SUCCESS);
          EXPECT_TRUE(received.memory() == expected.memory());
          Side swapped = before;
          EXPECT_EQ(form.call(CSide::in_place(), as_argument(swapped, kind), MPI_COMM_WORLD),
                    MPI_SUCCESS);
          EXPECT_TRUE(swapped.memory() == answer.memory()) << "in place";
        }
      }
    }
  }
  if (world_size() == 1) return;
  const ChosenVariable chosen("SHUNT_ALGORITHM", "four-stage");
  const ChosenVariable limit("SHUNT_MEMORY", "10");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  Side before(counts, MPI_INT);
  Side after = before;
  for (const CForm& form : {kCForms[0], kCForms[4]}) {
    expect_failure(
        form.call(as_argument(before, MPI_INT), as_argument(after, MPI_INT), MPI_COMM_WORLD),
        MPI_ERR_ARG, "the memory limit is 10 bytes; this exchange by four-stage needs ");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

}  // namespace
}  // namespace shunt::test
