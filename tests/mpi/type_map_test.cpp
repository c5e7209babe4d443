// Datatypes of every make, followed to their bytes: these are the bytes that MPI itself sends and
// receives, whatever else the program has. MPI_Pack is no witness: MPICH's loses bytes.
#include "bindings/type_map.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bindings/block_copy.hpp"
#include "mpi/big_memory.hpp"
#include "mpi/typed_memory.hpp"

namespace shunt::test {
namespace {

/// What one rank shows on its own.
class TypeMaps : public testing::Test {
 protected:
  void SetUp() override {
    if (world_size() > 3) GTEST_SKIP() << "fewer ranks show as much";
  }
};

/// Some elements of a type with memory around them, where MPI and Shunt put the same bytes.
class Elements {
 public:
  Elements(MPI_Datatype type, int count) : type_(type), count_(count), side_("send", nullptr) {
    const std::shared_ptr<const ElementType> element = element_type({type, "send"});
    const Bytes last = (count - 1) * element->extent;
    const Bytes low = std::min(Bytes{0}, last) + element->first;
    const Bytes high = std::max(Bytes{0}, last) + element->first + element->span;
    memory_.resize(static_cast<std::size_t>(high - low + 2 * kMargin));
    origin_ = kMargin - low;
    packed_.resize(static_cast<std::size_t>(count * element->size));
  }

  void fill() {
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      memory_[i] = byte_of(1, 2, static_cast<Bytes>(i));
    }
    for (std::size_t i = 0; i < packed_.size(); ++i) {
      packed_[i] = byte_of(3, 4, static_cast<Bytes>(i));
    }
  }

  [[nodiscard]] std::vector<std::byte> sent_by_mpi() {
    std::vector<std::byte> result(packed_.size());
    MPI_Sendrecv(origin(), count_, type_, 0, 0, result.data(), bytes(), MPI_BYTE, 0, 0,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return result;
  }

  [[nodiscard]] std::vector<std::byte> received_by_mpi() {
    const std::vector<std::byte> before = memory_;
    MPI_Sendrecv(packed_.data(), bytes(), MPI_BYTE, 0, 0, origin(), count_, type_, 0, 0,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return std::exchange(memory_, before);
  }

  /// In pieces of so many bytes.
  [[nodiscard]] std::vector<std::byte> packed(Bytes piece) {
    std::vector<std::byte> result(packed_.size());
    const TypedBlock from = block();
    for (Bytes done = 0; done < bytes(); done += piece) {
      pack_part(from, done, std::min(piece, bytes() - done), result.data() + done);
    }
    return result;
  }

  [[nodiscard]] std::vector<std::byte> unpacked(Bytes piece) {
    const std::vector<std::byte> before = memory_;
    const TypedBlock to = block();
    for (Bytes done = 0; done < bytes(); done += piece) {
      unpack_part(to, done, std::min(piece, bytes() - done), packed_.data() + done);
    }
    return std::exchange(memory_, before);
  }

  [[nodiscard]] int bytes() const { return static_cast<int>(packed_.size()); }

 private:
  static constexpr Bytes kMargin = 64;

  [[nodiscard]] std::byte* origin() { return memory_.data() + origin_; }

  TypedBlock block() {
    side_ = TypedSide("send", origin());
    side_.add(side_.use(type_), count_, 0);
    return side_.blocks()[0];
  }

  MPI_Datatype type_;
  int count_;
  TypedSide side_;
  Bytes origin_ = 0;
  std::vector<std::byte> memory_;
  std::vector<std::byte> packed_;
};

/// MPI sends and receives the same bytes.
void expect_same_bytes(MPI_Datatype type, int count) {
  Elements elements(type, count);
  elements.fill();
  const std::vector<std::byte> sent = elements.sent_by_mpi();
  const std::vector<std::byte> received = elements.received_by_mpi();
  for (const Bytes piece : {Bytes{elements.bytes()}, Bytes{elements.bytes() / 3 + 1}}) {
    EXPECT_TRUE(elements.packed(piece) == sent) << "pieces of " << piece;
    EXPECT_TRUE(elements.unpacked(piece) == received) << "pieces of " << piece;
  }
}

void expect_as_mpi(MPI_Datatype type, int count = 2) {
  MPI_Count first = 0;
  MPI_Count span = 0;
  MPI_Type_get_true_extent_x(type, &first, &span);
  const std::shared_ptr<const ElementType> element = element_type({type, "send"});
  if (element->size == 0) return;
  EXPECT_EQ(element->first, first);
  EXPECT_EQ(element->span, span);
  expect_same_bytes(type, count);
}

/// But those of long doubles, of which MPICH does not copy the padding.
TEST_F(TypeMaps, OfTypesThatMpiDefines) {
  for (const MPI_Datatype type :
       {MPI_BYTE, MPI_CHAR, MPI_SHORT, MPI_INT, MPI_LONG, MPI_FLOAT, MPI_DOUBLE, MPI_WCHAR,
        MPI_C_BOOL, MPI_INT64_T, MPI_AINT, MPI_COUNT, MPI_C_DOUBLE_COMPLEX, MPI_PACKED, MPI_2INT,
        MPI_SHORT_INT, MPI_FLOAT_INT, MPI_LONG_INT, MPI_DOUBLE_INT}) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    MPI_Type_get_name(type, name, &length);
    SCOPED_TRACE(name);
    expect_as_mpi(type, 3);
    expect_as_mpi(made([=](MPI_Datatype* in) { MPI_Type_vector(3, 2, 4, type, in); }).get());
  }
  MPI_Datatype real = MPI_DATATYPE_NULL;
  MPI_Type_create_f90_real(6, 30, &real);
  expect_as_mpi(real, 3);
  expect_as_mpi(made([=](MPI_Datatype* in) { MPI_Type_vector(5000, 1, 2, real, in); }).get());
}

/// A rank's part of an array of `atom`s in any distribution.
void expect_distributed(MPI_Datatype atom, int order, const int (&how)[2],
                        const int (&arguments)[2], const int (&grid)[2]) {
  const int sizes[] = {67, 90};
  for (int rank = 0; rank < grid[0] * grid[1]; ++rank) {
    SCOPED_TRACE(testing::Message() << "order " << order << ", rank " << rank << ", how " << how[0]
                                    << ' ' << how[1] << ", grid " << grid[0] << ' ' << grid[1]);
    expect_as_mpi(made([&](MPI_Datatype* in) {
                    MPI_Type_create_darray(grid[0] * grid[1], rank, 2, sizes, how, arguments, grid,
                                           order, atom, in);
                  }).get());
  }
}

TEST_F(TypeMaps, OfDistributedArrays) {
  constexpr int kNone = MPI_DISTRIBUTE_NONE;
  constexpr int kBlock = MPI_DISTRIBUTE_BLOCK;
  constexpr int kCyclic = MPI_DISTRIBUTE_CYCLIC;
  constexpr int kDefault = MPI_DISTRIBUTE_DFLT_DARG;
  const OwnType gaps = vector_with_holes();
  for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN}) {
    for (const MPI_Datatype atom : {MPI_INT, gaps.get()}) {
      expect_distributed(atom, order, {kCyclic, kBlock}, {kDefault, kDefault}, {2, 3});
      expect_distributed(atom, order, {kCyclic, kCyclic}, {3, 4}, {3, 2});
      expect_distributed(atom, order, {kBlock, kCyclic}, {40, 7}, {3, 1});
      expect_distributed(atom, order, {kNone, kCyclic}, {kDefault, 2}, {1, 3});
      expect_distributed(atom, order, {kBlock, kNone}, {kDefault, kDefault}, {2, 1});
    }
  }
}

/// More pieces than are listed, in several dimensions.
TEST_F(TypeMaps, OfArraysInManyPieces) {
  const int sizes[] = {30, 40, 50};
  const int part[] = {20, 30, 11};
  const int start[] = {7, 3, 12};
  for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN}) {
    for (const MPI_Datatype atom : {MPI_INT, MPI_SHORT_INT}) {
      expect_as_mpi(made([&](MPI_Datatype* in) {
                      MPI_Type_create_subarray(3, sizes, part, start, order, atom, in);
                    }).get());
    }
  }
}

/// Pieces of irregular lengths at irregular places, and copies of them in each other.
OwnType irregular(int pieces, MPI_Datatype atom) {
  return made([=](MPI_Datatype* in) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    MPI_Aint bound = 0;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(atom, &bound, &extent);
    MPI_Aint place = 3;
    for (int k = 0; k < pieces; ++k) {
      lengths.push_back(k % 4);
      places.push_back(place);
      place += k % 4 * extent + k % 3;
    }
    std::ranges::rotate(places, places.begin() + 4);
    std::ranges::rotate(lengths, lengths.begin() + 4);
    MPI_Type_create_hindexed(pieces, lengths.data(), places.data(), atom, in);
  });
}

TEST_F(TypeMaps, OfManyIrregularPieces) {
  const OwnType pieces = irregular(9001, MPI_SHORT);
  expect_as_mpi(pieces.get());
  expect_as_mpi(irregular(12, pieces.get()).get());
  const OwnType gaps = structure();
  expect_as_mpi(irregular(5000, gaps.get()).get());
}

/// Each type is made of the one before, in another way.
TEST_F(TypeMaps, OfTypesNestedInEachOther) {
  std::vector<OwnType> types;
  types.push_back(vector_with_holes());
  for (int depth = 0; depth < 40; ++depth) {
    const MPI_Datatype inner = types.back().get();
    types.push_back(made([=](MPI_Datatype* in) {
      const int lengths[] = {1, 0, 1};
      const MPI_Aint places[] = {64 << depth % 4, MPI_Aint{1} << 60, 0};
      const MPI_Datatype parts[] = {MPI_INT, inner, inner};
      switch (depth % 5) {
        case 0:
          return MPI_Type_create_struct(3, lengths, places, parts, in);
        case 1:
          return MPI_Type_dup(inner, in);
        case 2:
          return MPI_Type_create_resized(inner, -8, 1000, in);
        case 3:
          return MPI_Type_contiguous(depth < 20 ? 3 : 1, inner, in);
        default:
          return MPI_Type_vector(depth < 20 ? 2 : 1, 1, 3, inner, in);
      }
    }));
    expect_as_mpi(types.back().get());
  }
}

/// Extents that are negative or too small; data that are sent twice.
TEST_F(TypeMaps, OfElementsInEachOthersWay) {
  const OwnType backwards =
      made([](MPI_Datatype* in) { MPI_Type_create_resized(MPI_INT, 8, -16, in); });
  expect_as_mpi(backwards.get(), 5);
  expect_as_mpi(
      made([&](MPI_Datatype* in) { MPI_Type_vector(3000, 2, 5, backwards.get(), in); }).get());
  const OwnType twice = made([](MPI_Datatype* in) {
    const int places[] = {0, 3, 0, 3};
    MPI_Type_create_indexed_block(4, 2, places, MPI_INT, in);
  });
  Elements sent(twice.get(), 3);
  sent.fill();
  EXPECT_EQ(sent.packed(sent.bytes()), sent.sent_by_mpi());
}

/// Parts without data may be anywhere and of any extent.
TEST_F(TypeMaps, OfPartsWithoutData) {
  constexpr MPI_Aint kFar = MPI_Aint{1} << 61;
  const OwnType nothing = made([](MPI_Datatype* in) { MPI_Type_contiguous(0, MPI_INT, in); });
  const OwnType huge =
      made([&](MPI_Datatype* in) { MPI_Type_create_resized(nothing.get(), 0, kFar, in); });
  EXPECT_EQ(element_type({huge.get(), "send"})->size, 0);
  EXPECT_EQ(element_type({made([](MPI_Datatype* in) {
                            MPI_Type_create_struct(0, nullptr, nullptr, nullptr, in);
                          }).get(),
                          "send"})
                ->size,
            0);
  const int lengths[] = {0, 1, 7};
  const MPI_Aint places[] = {kFar, 16, -kFar};
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, huge.get()};
  // For MPICH the bounds are those of parts without data, too.
  expect_same_bytes(
      made([&](MPI_Datatype* in) { MPI_Type_create_struct(3, lengths, places, types, in); }).get(),
      1);
  std::byte anywhere{};
  TypedSide side("send", &anywhere);
  side.add_at(side.use(huge.get()), 1000, 1000);
  EXPECT_EQ(side.bytes(), std::vector<Bytes>{0});
}

/// Elements of more than 2 GiB in more pieces than are listed: any part of one can be had.
TEST_F(TypeMaps, OfElementsLongerThanAnIntCounts) {
  constexpr Bytes kPiece = Bytes{1} << 20;
  constexpr int kPieces = 5000;
  const OwnType piece = made([](MPI_Datatype* in) { MPI_Type_contiguous(kPiece, MPI_BYTE, in); });
  const OwnType type =
      made([&](MPI_Datatype* in) { MPI_Type_vector(kPieces, 1, 2, piece.get(), in); });
  LazyMemory memory((2 * kPieces - 1) * kPiece, Pages::small);
  TypedSide side("send", memory.bytes().data());
  side.add(side.use(type.get()), 1, 0);
  EXPECT_EQ(side.bytes()[0], kPieces * kPiece);
  // The last bytes of the last piece but one, and the first of the last.
  std::byte* const before = &memory.bytes()[static_cast<std::size_t>((2 * kPieces - 3) * kPiece)];
  before[-1] = std::byte{7};
  before[kPiece] = std::byte{8};
  std::byte part[] = {std::byte{0}, std::byte{0}};
  pack_part(side.blocks()[0], (kPieces - 1) * kPiece - 1, 2, part);
  EXPECT_EQ(part[0], std::byte{7});
  EXPECT_EQ(part[1], std::byte{8});
}

#if MPI_VERSION >= 4
/// The constructors that take large counts have other envelopes.
TEST_F(TypeMaps, OfTypesMadeWithLargeCounts) {
  const MPI_Count lengths[] = {2, 0, 1};
  const MPI_Count places[] = {40, 9, 100};
  const MPI_Count sizes[] = {7, 9000};
  const MPI_Count part[] = {3, 5000};
  const MPI_Count start[] = {2, 100};
  const int how[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
  const int arguments[] = {2, MPI_DISTRIBUTE_DFLT_DARG};
  const int grid[] = {2, 2};
  const OwnType gaps = vector_with_holes();
  const MPI_Datatype types[] = {MPI_INT, MPI_INT, gaps.get()};
  const MPI_Datatype t = gaps.get();
  expect_as_mpi(made([&](MPI_Datatype* in) { MPI_Type_contiguous_c(3, t, in); }).get());
  expect_as_mpi(made([&](MPI_Datatype* in) { MPI_Type_vector_c(2, 3, 5, t, in); }).get());
  expect_as_mpi(
      made([&](MPI_Datatype* in) { MPI_Type_create_hvector_c(5000, 3, 99, t, in); }).get());
  expect_as_mpi(
      made([&](MPI_Datatype* in) { MPI_Type_indexed_c(3, lengths, places, t, in); }).get());
  expect_as_mpi(
      made([&](MPI_Datatype* in) { MPI_Type_create_hindexed_c(3, lengths, places, t, in); }).get());
  expect_as_mpi(
      made([&](MPI_Datatype* in) { MPI_Type_create_indexed_block_c(3, 2, places, t, in); }).get());
  expect_as_mpi(made([&](MPI_Datatype* in) {
                  MPI_Type_create_hindexed_block_c(3, 1, places, MPI_SHORT, in);
                }).get());
  expect_as_mpi(made([&](MPI_Datatype* in) {
                  MPI_Type_create_struct_c(3, lengths, places, types, in);
                }).get());
  expect_as_mpi(made([&](MPI_Datatype* in) { MPI_Type_create_resized_c(t, -4, 99, in); }).get());
  for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN}) {
    expect_as_mpi(made([&](MPI_Datatype* in) {
                    MPI_Type_create_subarray_c(2, sizes, part, start, order, MPI_INT, in);
                  }).get());
    expect_as_mpi(made([&](MPI_Datatype* in) {
                    MPI_Type_create_darray_c(4, 1, 2, sizes, how, arguments, grid, order, MPI_INT,
                                             in);
                  }).get());
  }
}
#endif

/// MPICH 4.0 loses bytes in MPI_Pack of dense types once 515 types are alive.
TEST_F(TypeMaps, OfAThousandTypesAlive) {
  std::vector<OwnType> types;
  for (int k = 0; k < 1000; ++k) {
    types.push_back(k % 2 == 0
                        ? made([](MPI_Datatype* in) { MPI_Type_contiguous(3, MPI_BYTE, in); })
                        : vector_with_holes());
    const MPI_Datatype type = types.back().get();
    Elements elements(type, 9);
    elements.fill();
    ASSERT_EQ(elements.packed(elements.bytes()), elements.sent_by_mpi()) << "type " << k;
    ASSERT_EQ(elements.unpacked(elements.bytes()), elements.received_by_mpi()) << "type " << k;
  }
}

}  // namespace
}  // namespace shunt::test
