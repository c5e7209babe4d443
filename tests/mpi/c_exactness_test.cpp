// The C interface moves what MPI's own collectives move, byte for byte: every form, every make of
// datatype, in place too, gaps and margins included.
#include <algorithm>

#include <gtest/gtest.h>

#include "mpi/c_forms.hpp"
#include "mpi/typed_memory.hpp"

namespace shunt::test {
namespace {

using Maker = OwnType (*)();

struct TypePair {
  const char* name;
  Maker send;
  Maker receive;
};

std::ostream& operator<<(std::ostream& out, const TypePair& pair) { return out << pair.name; }

/// All forms take turns with these, so that each pair of types meets most of them.
constexpr const char* kAlgorithmsInC[] = {"linear", "four-stage", "row-column", "native",
                                          "two-stage"};

template <class Maker>
std::vector<Bytes> counts_from(Maker&& count) {
  std::vector<Bytes> counts;
  for (Rank peer = 0; peer < world_size(); ++peer) counts.push_back(count(world_rank(), peer));
  return counts;
}

/// From 0 to 4 elements.
Bytes some(Rank from, Rank to) { return (7 * from + 3 * to + from * to) % 5; }

/// The same both ways.
Bytes as_many_back(Rank a, Rank b) { return some(std::min(a, b), std::max(a, b)); }

Bytes three(Rank /*from*/, Rank /*to*/) { return 3; }

/// What MPI makes of `send` and of the poison in `received`.
std::vector<std::byte> answer_of_mpi(Side& send, MPI_Datatype send_type, Side received,
                                     MPI_Datatype receive_type) {
  const std::vector<int> counts_out = ints(send.layout().counts);
  const std::vector<int> places_out = ints(send.layout().displacements);
  const std::vector<int> counts_in = ints(received.layout().counts);
  const std::vector<int> places_in = ints(received.layout().displacements);
  MPI_Alltoallv(send.origin(), counts_out.data(), places_out.data(), send_type, received.origin(),
                counts_in.data(), places_in.data(), receive_type, MPI_COMM_WORLD);
  return received.memory();
}

/// Calls `check(form)` for each of `forms`, under one of the algorithms in turn.
template <class Forms, class Check>
void with_each(const Forms& forms, std::size_t first, Check&& check) {
  std::size_t turn = first;
  for (const CForm& form : forms) {
    const char* algorithm = kAlgorithmsInC[turn++ % std::size(kAlgorithmsInC)];
    SCOPED_TRACE(std::string(form.name) + ", " + algorithm);
    const ChosenVariable chosen("SHUNT_ALGORITHM", algorithm);
    ASSERT_NO_FATAL_FAILURE(check(form));
  }
}

class CExactness : public testing::TestWithParam<TypePair> {};

TEST_P(CExactness, OfBlocksOfAnyLength) {
  const OwnType send_type = GetParam().send();
  const OwnType receive_type = GetParam().receive();
  Side send(counts_from(some), send_type.get());
  Side received(counts_from([](Rank mine, Rank peer) { return some(peer, mine); }),
                receive_type.get());
  send.fill(1);
  received.poison();
  const std::vector<std::byte> expected =
      answer_of_mpi(send, send_type.get(), received, receive_type.get());
  with_each(kCForms, 0, [&](const CForm& form) {
    received.poison();
    ASSERT_EQ(form.call(as_argument(send, send_type.get()),
                        as_argument(received, receive_type.get()), MPI_COMM_WORLD),
              MPI_SUCCESS);
    ASSERT_EQ(received.memory(), expected);
  });
}

/// MPI's own answer is asked for from a copy: Open MPI 4.1 is wrong in place for some types.
TEST_P(CExactness, InPlace) {
  const OwnType type = GetParam().receive();
  Side before(counts_from(as_many_back), type.get());
  before.fill(2);
  const std::vector<std::byte> expected = answer_of_mpi(before, type.get(), before, type.get());
  with_each(kCForms, 1, [&](const CForm& form) {
    Side received = before;
    ASSERT_EQ(form.call(CSide::in_place(), as_argument(received, type.get()), MPI_COMM_WORLD),
              MPI_SUCCESS);
    ASSERT_EQ(received.memory(), expected);
  });
}

/// MPI's answer is that of MPI_Alltoallv: MPI_Alltoall of Open MPI 4.1 overruns its own buffers
/// where the two types differ.
TEST_P(CExactness, OfEqualBlocks) {
  const OwnType send_type = GetParam().send();
  const OwnType receive_type = GetParam().receive();
  Layout layout = Layout::packed(counts_from(three));
  Side send(layout, send_type.get());
  send.fill(3);
  Side received(layout, receive_type.get());
  received.poison();
  const std::vector<std::byte> expected =
      answer_of_mpi(send, send_type.get(), received, receive_type.get());
  Side before(layout, receive_type.get());
  before.fill(4);
  const std::vector<std::byte> expected_in_place =
      answer_of_mpi(before, receive_type.get(), before, receive_type.get());
  with_each(kEqualForms, 0, [&](const CForm& form) {
    received.poison();
    ASSERT_EQ(form.call(as_argument(send, send_type.get()),
                        as_argument(received, receive_type.get()), MPI_COMM_WORLD),
              MPI_SUCCESS);
    ASSERT_EQ(received.memory(), expected);
    Side changed = before;
    ASSERT_EQ(
        form.call(CSide::in_place(), as_argument(changed, receive_type.get()), MPI_COMM_WORLD),
        MPI_SUCCESS);
    ASSERT_EQ(changed.memory(), expected_in_place);
  });
}

template <auto type>
OwnType copy_of() {
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  MPI_Type_dup(type(), &copy);
  return OwnType(copy);
}

// Not constants with every MPI.
MPI_Datatype plain_int() { return MPI_INT; }
MPI_Datatype double_int() { return MPI_DOUBLE_INT; }
MPI_Datatype short_int() { return MPI_SHORT_INT; }
MPI_Datatype long_double_int() { return MPI_LONG_DOUBLE_INT; }

OwnType without_data() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(0, MPI_INT, &type);
  return OwnType(type);
}

constexpr TypePair kTypePairs[] = {
    {"Int", copy_of<plain_int>, copy_of<plain_int>},
    {"DoubleInt", copy_of<double_int>, copy_of<double_int>},
    {"ShortInt", copy_of<short_int>, copy_of<short_int>},
    {"LongDoubleInt", copy_of<long_double_int>, copy_of<long_double_int>},
    {"WithoutData", without_data, without_data},
    {"Contiguous", contiguous, contiguous},
    {"Vector", vector_with_holes, vector_with_holes},
    {"NegativeBound", resized_with_negative_bound, resized_with_negative_bound},
    {"Displaced", displaced_before_its_origin, displaced_before_its_origin},
    {"Shifted", shifted, shifted},
    {"Struct", structure, structure},
    {"Permuted", dense_but_permuted, dense_but_permuted},
    {"FarApart", far_apart, far_apart},
    {"ContiguousToFarApart", contiguous, far_apart},
    {"FarApartToStruct", far_apart, structure},
    {"StructToNegativeBound", structure, resized_with_negative_bound},
};

INSTANTIATE_TEST_SUITE_P(Pairs, CExactness, testing::ValuesIn(kTypePairs),
                         [](const auto& pair) { return std::string(pair.param.name); });

/// A type of its own for every block, another one on the other side, sizes that differ.
TEST(CExactnessOfAlltoallw, WithATypeForEachBlock) {
  constexpr Maker kMakers[] = {contiguous, vector_with_holes, structure, far_apart, shifted};
  std::vector<OwnType> types;
  for (const Maker make : kMakers) types.push_back(make());
  const auto ranks = static_cast<std::size_t>(world_size());
  constexpr int kRoom = 40000;  // bytes of a block of at most two elements of any type
  std::vector<int> counts_out;
  std::vector<int> counts_in;
  std::vector<int> places;
  std::vector<MPI_Datatype> types_out;
  std::vector<MPI_Datatype> types_in;
  for (Rank peer = 0; peer < world_size(); ++peer) {
    counts_out.push_back(static_cast<int>(some(world_rank(), peer) % 3));
    counts_in.push_back(static_cast<int>(some(peer, world_rank()) % 3));
    places.push_back(kRoom * (world_size() - 1 - peer));
    const auto k = static_cast<std::size_t>(world_rank() + 2 * peer);
    types_out.push_back(types[k % types.size()].get());
    types_in.push_back(types[(k + 1) % types.size()].get());
  }
  std::vector<std::byte> sent(kRoom * ranks);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    sent[i] = byte_of(world_rank(), 5, static_cast<Bytes>(i));
  }
  std::vector<std::byte> expected(sent.size(), std::byte{0xA5});
  std::vector<std::byte> received = expected;
  MPI_Alltoallw(sent.data(), counts_out.data(), places.data(), types_out.data(), expected.data(),
                counts_in.data(), places.data(), types_in.data(), MPI_COMM_WORLD);
  // The types of empty blocks are not looked at.
  for (std::size_t k = 0; k < ranks; ++k) {
    if (counts_out[k] == 0) types_out[k] = MPI_DATATYPE_NULL;
  }
  ASSERT_EQ(SHUNT_Alltoallw(sent.data(), counts_out.data(), places.data(), types_out.data(),
                            received.data(), counts_in.data(), places.data(), types_in.data(),
                            MPI_COMM_WORLD),
            MPI_SUCCESS);
  ASSERT_EQ(received, expected);
}

/// Types and displacements of absolute addresses.
TEST(CExactnessFromBottom, OfAddresses) {
  const auto ranks = static_cast<std::size_t>(world_size());
  std::vector<int> sent(2 * ranks, world_rank());
  std::vector<int> received(2 * ranks, -1);
  std::vector<int> expected;
  for (Rank peer = 0; peer < world_size(); ++peer) expected.insert(expected.end(), 2, peer);

  std::vector<OwnType> types;
  std::vector<MPI_Datatype> types_out;
  std::vector<MPI_Datatype> types_in;
  std::vector<MPI_Count> counts(ranks, 1);
  std::vector<MPI_Aint> nowhere(ranks, 0);
  for (std::size_t k = 0; k < ranks; ++k) {
    for (std::vector<int>* memory : {&sent, &received}) {
      MPI_Aint address = 0;
      const int length = 2;
      MPI_Get_address(&(*memory)[2 * k], &address);
      MPI_Datatype type = MPI_DATATYPE_NULL;
      MPI_Type_create_hindexed(1, &length, &address, MPI_INT, &type);
      types.emplace_back(type);
      (memory == &sent ? types_out : types_in).push_back(types.back().get());
    }
  }
  ASSERT_EQ(
      SHUNT_Alltoallw_c(MPI_BOTTOM, counts.data(), nowhere.data(), types_out.data(), MPI_BOTTOM,
                        counts.data(), nowhere.data(), types_in.data(), MPI_COMM_WORLD),
      MPI_SUCCESS);
  EXPECT_EQ(received, expected);

  received.assign(received.size(), -1);
  std::vector<MPI_Count> bytes(ranks, 8);
  std::vector<MPI_Aint> from(ranks);
  std::vector<MPI_Aint> to(ranks);
  for (std::size_t k = 0; k < ranks; ++k) {
    MPI_Get_address(&sent[2 * k], &from[k]);
    MPI_Get_address(&received[2 * k], &to[k]);
  }
  ASSERT_EQ(SHUNT_Alltoallv_c(MPI_BOTTOM, bytes.data(), from.data(), MPI_BYTE, MPI_BOTTOM,
                              bytes.data(), to.data(), MPI_BYTE, MPI_COMM_WORLD),
            MPI_SUCCESS);
  EXPECT_EQ(received, expected);
}

/// Columns of a row-major matrix: elements that lie between each other's data on both sides.
TEST(CExactnessOfColumns, InAndOutOfPlace) {
  constexpr int kRows = 5;
  const int ranks = world_size();
  const int width = 2 * ranks;
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(kRows, 1, width, MPI_INT, &column);
  const OwnType type(resized(column, 0, sizeof(int)));
  std::vector<int> matrix(static_cast<std::size_t>(kRows * width));
  std::iota(matrix.begin(), matrix.end(), 10000 * world_rank());
  std::vector<int> expected(matrix.size());
  const std::vector<int> counts(static_cast<std::size_t>(ranks), 2);
  const std::vector<int> places = ints(Layout::packed(counts).displacements);
  MPI_Alltoallv(matrix.data(), counts.data(), places.data(), type.get(), expected.data(),
                counts.data(), places.data(), type.get(), MPI_COMM_WORLD);
  std::vector<int> received(matrix.size());
  ASSERT_EQ(
      SHUNT_Alltoall(matrix.data(), 2, type.get(), received.data(), 2, type.get(), MPI_COMM_WORLD),
      MPI_SUCCESS);
  EXPECT_EQ(received, expected);
  ASSERT_EQ(SHUNT_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, matrix.data(), 2, type.get(),
                           MPI_COMM_WORLD),
            MPI_SUCCESS);
  EXPECT_EQ(matrix, expected);
}

}  // namespace
}  // namespace shunt::test
