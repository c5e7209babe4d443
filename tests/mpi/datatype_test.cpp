// Exchanges of MPI datatypes of every make, byte for byte as MPI_Alltoallv with the same types.
#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "mpi/modes_in_turn.hpp"
#include "mpi/typed_memory.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

using Maker = OwnType (*)();

struct Pair {
  const char* name;
  Maker send;
  Maker receive;
};

std::ostream& operator<<(std::ostream& out, const Pair& pair) { return out << pair.name; }

constexpr Pair kPairs[] = {
    {"Contiguous", contiguous, contiguous},
    {"Vector", vector_with_holes, vector_with_holes},
    {"NegativeBound", resized_with_negative_bound, resized_with_negative_bound},
    {"Displaced", displaced_before_its_origin, displaced_before_its_origin},
    {"Shifted", shifted, shifted},
    {"Indexed", indexed_out_of_order, indexed_out_of_order},
    {"Struct", structure, structure},
    {"Permuted", dense_but_permuted, dense_but_permuted},
    {"ContiguousToVector", contiguous, vector_with_holes},
    {"IndexedToContiguous", indexed_out_of_order, contiguous},
    {"PermutedToContiguous", dense_but_permuted, contiguous},
    {"StructToNegativeBound", structure, resized_with_negative_bound},
};

/// The blocks that `algorithm` may carry of a random traffic.
std::pair<std::vector<Bytes>, std::vector<Bytes>> counts_for(const Algorithm& algorithm,
                                                             Bytes maximum) {
  const Rank ranks = world_size();
  const auto traffic = make_traffic("random", {ranks, maximum, 1, 21});
  std::pair counts(std::vector<Bytes>(static_cast<std::size_t>(ranks)),
                   std::vector<Bytes>(static_cast<std::size_t>(ranks)));
  for (Rank peer = 0; peer < ranks; ++peer) {
    const auto k = static_cast<std::size_t>(peer);
    if (algorithm.supports_pair(world_rank(), peer))
      counts.first[k] = traffic->count(world_rank(), peer);
    if (algorithm.supports_pair(peer, world_rank()))
      counts.second[k] = traffic->count(peer, world_rank());
  }
  return counts;
}

void ask_mpi(Side& send, MPI_Datatype send_type, Side& expected, MPI_Datatype receive_type) {
  expected.poison();
  MPI_Alltoallv(send.origin(), ints(send.layout().counts).data(),
                ints(send.layout().displacements).data(), send_type, expected.origin(),
                ints(expected.layout().counts).data(), ints(expected.layout().displacements).data(),
                receive_type, MPI_COMM_WORLD);
}

class Datatypes : public testing::TestWithParam<Pair> {};

TEST_P(Datatypes, OneShot) {
  Communicator communicator(MPI_COMM_WORLD);
  const OwnType send_type = GetParam().send();
  const OwnType receive_type = GetParam().receive();
  std::size_t turn = 0;
  for (const std::string& name : algorithm_names(world_size())) {
    const auto [out, in] = counts_for(*make_algorithm(name, world_size(), 1), 12);
    Side send(out, send_type.get());
    Side received(in, receive_type.get());
    Side expected(in, receive_type.get());
    send.fill(1);
    ask_mpi(send, send_type.get(), expected, receive_type.get());
    for (const Mode mode : modes_in_turn(turn++)) {
      SCOPED_TRACE(name + ", " + name_of(mode));
      received.poison();
      // A grain that is no multiple of any element: cuts go through elements.
      communicator.alltoallv(send.origin(), send.layout(), send_type.get(), received.origin(),
                             received.layout(), receive_type.get(), {name, mode, 7, {}});
      ASSERT_EQ(received.memory(), expected.memory());
    }
  }
}

TEST_P(Datatypes, PlanOutlivesItsTypes) {
  Communicator communicator(MPI_COMM_WORLD);
  std::size_t turn = 1;
  for (const std::string& name : algorithm_names(world_size())) {
    const auto [out, in] = counts_for(*make_algorithm(name, world_size(), 1), 12);
    for (const Mode mode : modes_in_turn(turn++)) {
      SCOPED_TRACE(name + ", " + name_of(mode));
      OwnType send_type = GetParam().send();
      OwnType receive_type = GetParam().receive();
      Side send(out, send_type.get());
      Side received(in, receive_type.get());
      Side expected(in, receive_type.get());
      Plan plan = communicator.plan_alltoallv(send.origin(), send.layout(), send_type.get(),
                                              received.origin(), received.layout(),
                                              receive_type.get(), {name, mode, 7, {}});
      send.fill(2);
      ask_mpi(send, send_type.get(), expected, receive_type.get());
      send_type.free();
      receive_type.free();
      for (int round = 0; round < 2; ++round) {
        received.poison();
        plan.start();
        // Once unpacked by a wait, once by a test.
        if (round == 0) plan.wait();
        while (!plan.test()) {
        }
        ASSERT_EQ(received.memory(), expected.memory()) << "round " << round;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Pairs, Datatypes, testing::ValuesIn(kPairs),
                         [](const auto& pair) { return std::string(pair.param.name); });

/// What most programs use: a type of MPI's own, sent from where it lies.
TEST(PlainDatatypes, Doubles) {
  Communicator communicator(MPI_COMM_WORLD);
  for (const std::string& name : algorithm_names(world_size())) {
    SCOPED_TRACE(name);
    const auto [out, in] = counts_for(*make_algorithm(name, world_size(), 1), 50);
    Side send(out, MPI_DOUBLE);
    Side received(in, MPI_DOUBLE);
    Side expected(in, MPI_DOUBLE);
    send.fill(3);
    ask_mpi(send, MPI_DOUBLE, expected, MPI_DOUBLE);
    received.poison();
    communicator.alltoallv(send.origin(), send.layout(), MPI_DOUBLE, received.origin(),
                           received.layout(), MPI_DOUBLE, {name, Mode::dual_buffer, 8, {}});
    ASSERT_EQ(received.memory(), expected.memory());
  }
}

/// Elements of another size on either side, so that the counts differ while the bytes agree.
TEST(PlainDatatypes, OfAnotherSizeOnEitherSide) {
  Communicator communicator(MPI_COMM_WORLD);
  const OwnType sixes = vector_with_holes();
  for (const char* name : {"linear", "four-stage"}) {
    auto [out, in] = counts_for(*make_algorithm(name, world_size(), 1), 12);
    for (Bytes& count : out) count *= 6;
    Side send(out, MPI_INT);
    Side received(in, sixes.get());
    Side expected(in, sixes.get());
    send.fill(4);
    ask_mpi(send, MPI_INT, expected, sixes.get());
    received.poison();
    communicator.alltoallv(send.origin(), send.layout(), MPI_INT, received.origin(),
                           received.layout(), sixes.get(), {name, Mode::dual_buffer, 8, {}});
    ASSERT_EQ(received.memory(), expected.memory()) << name;
  }
}

/// Columns of a row-major matrix: elements that lie between each other's data.
TEST(InterleavedDatatypes, Columns) {
  const int ranks = world_size();
  constexpr int kRows = 5;
  const int width = 2 * ranks;  // two columns for each rank
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(kRows, 1, width, MPI_INT, &column);
  const OwnType type(resized(column, 0, sizeof(int)));
  std::vector<int> matrix(static_cast<std::size_t>(kRows * width));
  std::iota(matrix.begin(), matrix.end(), 10000 * world_rank());
  const Layout layout = Layout::packed(std::vector<int>(static_cast<std::size_t>(ranks), 2));
  const std::vector<int> counts = ints(layout.counts);
  const std::vector<int> places = ints(layout.displacements);
  std::vector<int> expected(matrix.size());
  MPI_Alltoallv(matrix.data(), counts.data(), places.data(), type.get(), expected.data(),
                counts.data(), places.data(), type.get(), MPI_COMM_WORLD);
  Communicator communicator(MPI_COMM_WORLD);
  for (const char* name : {"linear", "two-stage", "four-stage"}) {
    std::vector<int> received(matrix.size());
    communicator.alltoallv(matrix.data(), layout, type.get(), received.data(), layout, type.get(),
                           {name, Mode::dual_buffer, 4, {}});
    ASSERT_EQ(received, expected) << name;
  }
}

}  // namespace
}  // namespace shunt::test
