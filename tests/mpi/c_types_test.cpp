// What is found out about datatypes: their runs of bytes are those that MPI packs, in that order.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "bindings/block_copy.hpp"
#include "bindings/element_type.hpp"
#include "bindings/typed_side.hpp"
#include "mpi/message_to_oneself.hpp"
#include "mpi/typed_memory.hpp"
#include "support/expect_error.hpp"

namespace shunt::test {
namespace {

using Maker = OwnType (*)();

struct LongType {
  const char* name;
  Maker make;
};

std::ostream& operator<<(std::ostream& out, const LongType& type) { return out << type.name; }

OwnType contiguous_long() {
  return made([](MPI_Datatype* type) { MPI_Type_contiguous(5000, MPI_INT, type); });
}

OwnType vector_long() {
  return made([](MPI_Datatype* type) { MPI_Type_vector(40, 3, 50, MPI_INT, type); });
}

OwnType vector_backwards() {
  return made([](MPI_Datatype* type) { MPI_Type_vector(40, 3, -50, MPI_INT, type); });
}

OwnType hvector_odd() {
  return made([](MPI_Datatype* type) { MPI_Type_create_hvector(40, 3, 333, MPI_SHORT, type); });
}

OwnType indexed_long() {
  return made([](MPI_Datatype* type) {
    const int lengths[] = {4, 0, 1, 700, 2};
    const int places[] = {900, 5, 904, -300, 3000};
    MPI_Type_indexed(5, lengths, places, MPI_INT, type);
  });
}

OwnType hindexed_long() {
  return made([](MPI_Datatype* type) {
    const int lengths[] = {4, 1, 7};
    const MPI_Aint places[] = {9000, 1, 5003};
    MPI_Type_create_hindexed(3, lengths, places, MPI_DOUBLE, type);
  });
}

OwnType indexed_block_long() {
  return made([](MPI_Datatype* type) {
    const int places[] = {2000, 0, 3, 1000};
    MPI_Type_create_indexed_block(4, 3, places, MPI_INT, type);
  });
}

OwnType hindexed_block_long() {
  return made([](MPI_Datatype* type) {
    const MPI_Aint places[] = {7001, 0, 100};
    MPI_Type_create_hindexed_block(3, 5, places, MPI_SHORT, type);
  });
}

/// A type of pairs with a hole each, in a vector, in a structure with another part.
OwnType structure_long() {
  return made([](MPI_Datatype* type) {
    MPI_Datatype pairs = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 2, 100, MPI_SHORT_INT, &pairs);
    const int lengths[] = {2, 3};
    const MPI_Aint places[] = {8000, 24};
    const MPI_Datatype types[] = {pairs, MPI_DOUBLE_INT};
    MPI_Type_create_struct(2, lengths, places, types, type);
    MPI_Type_free(&pairs);
  });
}

OwnType subarray(int order) {
  return made([=](MPI_Datatype* type) {
    const int sizes[] = {6, 20, 30};
    const int part[] = {2, 5, 7};
    const int start[] = {3, 9, 11};
    MPI_Type_create_subarray(3, sizes, part, start, order, MPI_INT, type);
  });
}
OwnType subarray_c() { return subarray(MPI_ORDER_C); }
OwnType subarray_fortran() { return subarray(MPI_ORDER_FORTRAN); }

OwnType resized_copy() {
  return made([](MPI_Datatype* type) {
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    MPI_Datatype shrunk = MPI_DATATYPE_NULL;
    MPI_Type_vector(10, 1, 300, MPI_INT, &inner);
    MPI_Type_create_resized(inner, -4, 8, &shrunk);
    MPI_Type_dup(shrunk, type);
    MPI_Type_free(&inner);
    MPI_Type_free(&shrunk);
  });
}

OwnType too_many_pieces() {
  return made([](MPI_Datatype* type) { MPI_Type_vector(4097, 1, 2, MPI_INT, type); });
}

OwnType as_many_pieces_as_are_followed() {
  return made([](MPI_Datatype* type) { MPI_Type_vector(4096, 1, 2, MPI_INT, type); });
}

OwnType distributed_array() {
  return made([](MPI_Datatype* type) {
    const int sizes[] = {64, 64};
    const int how[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
    const int argument[] = {3, MPI_DISTRIBUTE_DFLT_DARG};
    const int grid[] = {2, 2};
    MPI_Type_create_darray(4, 1, 2, sizes, how, argument, grid, MPI_ORDER_C, MPI_INT, type);
  });
}

constexpr LongType kLongTypes[] = {
    {"Contiguous", contiguous_long},
    {"Vector", vector_long},
    {"VectorBackwards", vector_backwards},
    {"HvectorOdd", hvector_odd},
    {"Indexed", indexed_long},
    {"Hindexed", hindexed_long},
    {"IndexedBlock", indexed_block_long},
    {"HindexedBlock", hindexed_block_long},
    {"Struct", structure_long},
    {"SubarrayC", subarray_c},
    {"SubarrayFortran", subarray_fortran},
    {"ResizedCopy", resized_copy},
    {"MostPieces", as_many_pieces_as_are_followed},
    {"TooManyPieces", too_many_pieces},
    {"DistributedArray", distributed_array},
    {"ShortPermuted", dense_but_permuted},
    {"ShortStruct", structure},
};

/// Two elements of a type, with MPI's own packing of them.
class PackedByMpi : public testing::TestWithParam<LongType> {
 protected:
  static constexpr int kCount = 2;

  PackedByMpi() : type_(GetParam().make()), memory_({kCount}, type_.get()), side_("send", nullptr) {
    memory_.fill(1);
    int size = 0;
    MPI_Type_size(type_.get(), &size);
    packed_.resize(static_cast<std::size_t>(kCount * size));
    pack_by_message(memory_.origin(), kCount, type_.get(), packed_.data(), kCount * size);
  }

  TypedBlock block_in(Side& memory) {
    side_ = TypedSide("send", memory.origin());
    side_.add(side_.use(type_.get()), kCount, 0);
    return side_.blocks()[0];
  }

  /// The poison, with the packed bytes unpacked into it by MPI.
  Side unpacked_by_mpi() {
    Side result = memory_;
    result.poison();
    unpack_by_message(packed_.data(), static_cast<int>(packed_.size()), result.origin(), kCount,
                      type_.get());
    return result;
  }

  OwnType type_;
  Side memory_;
  TypedSide side_;
  std::vector<std::byte> packed_;
};

TEST_P(PackedByMpi, WholeBlocksAreThatToo) {
  const TypedBlock block = block_in(memory_);
  std::vector<std::byte> packed(packed_.size());
  pack_block(block, packed.data());
  EXPECT_EQ(packed, packed_);

  Side unpacked = memory_;
  unpacked.poison();
  unpack_block(block_in(unpacked), packed_.data());
  EXPECT_EQ(unpacked.memory(), unpacked_by_mpi().memory());
}

TEST_P(PackedByMpi, PiecesOfBlocksAreThatToo) {
  const auto total = static_cast<Bytes>(packed_.size());
  for (const Bytes piece : {Bytes{1}, Bytes{3}, Bytes{1000}, total}) {
    if (piece == 1 && total > 1000) continue;  // slow under the sanitizers
    std::vector<std::byte> packed(packed_.size());
    Side unpacked = memory_;
    unpacked.poison();
    const TypedBlock read = block_in(memory_);
    const TypedSide kept = side_;
    const TypedBlock written = block_in(unpacked);
    for (Bytes done = 0; done < total; done += piece) {
      const Bytes length = std::min(piece, total - done);
      pack_part(read, done, length, packed.data() + done);
      unpack_part(written, done, length, packed_.data() + done);
    }
    EXPECT_EQ(packed, packed_) << "pieces of " << piece;
    EXPECT_EQ(unpacked.memory(), unpacked_by_mpi().memory()) << "pieces of " << piece;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, PackedByMpi, testing::ValuesIn(kLongTypes),
                         [](const auto& type) { return std::string(type.param.name); });

TEST(ElementTypes, AreLookedAtOnce) {
  const OwnType type = vector_long();
  const auto first = element_type({type.get(), "send"});
  EXPECT_EQ(element_type({type.get(), "receive"}), first);
  EXPECT_EQ(element_type({MPI_INT, "send"}), element_type({MPI_INT, "send"}));
}

TEST(ElementTypes, MergeWhatLiesTogether) {
  const auto whole = element_type({contiguous_long().get(), "send"});
  EXPECT_EQ(whole->map->runs(), (std::vector<shunt::Run>{{0, 20000}}));
  EXPECT_TRUE(whole->is_contiguous(3));
  const auto pair = element_type({MPI_DOUBLE_INT, "send"});
  EXPECT_EQ(pair->map->runs(), (std::vector<shunt::Run>{{0, 12}}));
  EXPECT_TRUE(pair->is_contiguous(1));
  EXPECT_FALSE(pair->is_contiguous(2));
  // A long array of long arrays is no long list.
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(1 << 20, MPI_INT, &inner);
  const OwnType nested = made([&](MPI_Datatype* type) { MPI_Type_vector(300, 2, 2, inner, type); });
  MPI_Type_free(&inner);
  EXPECT_EQ(element_type({nested.get(), "send"})->map->runs(),
            (std::vector<shunt::Run>{{0, Bytes{600} << 22}}));
}

TEST(ElementTypes, HaveToBeCommitted) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 3, MPI_INT, &type);
  expect_error(ErrorKind::type,
               "the send type is not a datatype that MPI can pack: it must be "
               "committed by MPI_Type_commit",
               [&] {
                 (void)element_type({type, "send"});
               });
  MPI_Type_commit(&type);
  EXPECT_EQ(element_type({type, "send"})->size, 8);
  MPI_Type_free(&type);
}

/// More elements than an int counts: only sizes are reckoned, no memory is touched.
TEST(ElementTypes, MayBeMoreThanAnIntCounts) {
  const OwnType type = vector_with_holes();
  std::byte nothing{};
  TypedSide side("send", &nothing);
  side.add(side.use(type.get()), Bytes{1} << 40, 0);
  EXPECT_EQ(side.bytes()[0], Bytes{24} << 40);
  expect_error(ErrorKind::count, "the bytes of all blocks", [&] {
    side.add(side.use(MPI_BYTE), std::numeric_limits<Bytes>::max() / 2, 0);
    side.add(side.use(MPI_BYTE), std::numeric_limits<Bytes>::max() / 2, 0);
  });
}

}  // namespace
}  // namespace shunt::test
