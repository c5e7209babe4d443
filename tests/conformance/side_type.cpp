#include "conformance/side_type.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace shunt::test {

namespace {

enum Kind {
  contiguous,
  strided,
  shuffled,
  unaligned,
  split,
  padded,
  subarray,
  nested,
  dealt,
  interleaved
};
constexpr int kTilingKinds = interleaved;
constexpr int kKinds = interleaved + 1;

/// More than any count of interleaved elements.
constexpr int kInterleaving = 64;

/// Takes ownership of `inner`.
MPI_Datatype resized(MPI_Datatype inner, MPI_Aint begin, MPI_Aint extent) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(inner, begin, extent, &type);
  MPI_Type_free(&inner);
  return type;
}

/// The atoms in another order than that of memory, with gaps.
MPI_Datatype shuffled_type(const Shape& shape, MPI_Datatype atom) {
  std::vector<int> places(static_cast<std::size_t>(shape.atoms));
  std::iota(places.begin(), places.end(), 0);
  std::ranges::rotate(places, places.begin() + shape.variant % shape.atoms);
  if (shape.variant % 2 == 1) std::ranges::reverse(places);
  for (int& place : places) place *= 1 + shape.variant % 3;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_indexed_block(shape.atoms, 1, places.data(), atom, &type);
  return type;
}

MPI_Datatype unaligned_type(const Shape& shape, MPI_Datatype atom, MPI_Aint extent) {
  std::vector<MPI_Aint> places;
  for (int k = 0; k < shape.atoms; ++k) places.push_back(3 + k * (extent + 1 + shape.variant % 2));
  const std::vector<int> lengths(places.size(), 1);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(shape.atoms, lengths.data(), places.data(), atom, &type);
  return type;
}

/// Two parts, the first of which lies before the element's place.
MPI_Datatype split_type(const Shape& shape, MPI_Datatype atom, MPI_Aint extent) {
  const int first = shape.atoms / 2;
  int lengths[] = {first, shape.atoms - first};
  MPI_Aint places[] = {-(first + 1) * extent, extent};
  MPI_Datatype types[] = {atom, atom};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths, places, types, &type);
  return type;
}

MPI_Datatype subarray_type(const Shape& shape, MPI_Datatype atom) {
  const int sizes[] = {3, shape.atoms + 2};
  const int parts[] = {1, shape.atoms};
  const int starts[] = {1, shape.variant % 3};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_subarray(2, sizes, parts, starts,
                           shape.variant % 2 == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN, atom, &type);
  return type;
}

MPI_Datatype nested_type(const Shape& shape, MPI_Datatype atom) {
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(1, 1, 5, atom, &pair);
  MPI_Type_dup(pair, &copy);
  MPI_Type_vector(shape.atoms, 1, 1 + shape.variant % 4, copy, &type);
  MPI_Type_free(&pair);
  MPI_Type_free(&copy);
  return type;
}

/// What one of six ranks has of a matrix that is dealt out in turn.
MPI_Datatype dealt_type(const Shape& shape, MPI_Datatype atom) {
  const int sizes[] = {2, 3 * shape.atoms};
  const int how[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC};
  const int lengths[] = {MPI_DISTRIBUTE_DFLT_DARG, 1 + shape.variant % 2 * (shape.atoms - 1)};
  const int grid[] = {2, 3};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_darray(6, shape.variant % 6, 2, sizes, how, lengths, grid,
                         shape.variant < 6 ? MPI_ORDER_C : MPI_ORDER_FORTRAN, atom, &type);
  return type;
}

}  // namespace

MPI_Datatype random_atom(Dice& dice) {
  switch (dice.below(8)) {
    case 0:
      return MPI_CHAR;
    case 1:
      return MPI_SHORT;
    case 2:
      return MPI_DOUBLE;
    case 3:
      return MPI_DOUBLE_INT;
    case 4:
      return MPI_SHORT_INT;
    case 5: {
      MPI_Datatype three = MPI_DATATYPE_NULL;
      MPI_Type_contiguous(3, MPI_BYTE, &three);
      MPI_Type_commit(&three);
      return three;
    }
    default:
      return MPI_INT;
  }
}

Shape random_shape(Dice& dice, bool tiles) {
  constexpr int kAtoms[] = {1, 1, 2, 3, 4, 6};
  const int kind = dice.below(tiles ? kTilingKinds : kKinds);
  return {kind, kAtoms[dice.below(6)], dice.below(12)};
}

MPI_Datatype make_type(const Shape& shape, MPI_Datatype atom) {
  MPI_Aint begin = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(atom, &begin, &extent);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  switch (shape.kind) {
    case contiguous:
      MPI_Type_contiguous(shape.atoms, atom, &type);
      break;
    case strided:
      MPI_Type_vector(shape.atoms, 1, 2 + shape.variant % 2, atom, &type);
      break;
    case shuffled:
      type = shuffled_type(shape, atom);
      break;
    case unaligned:
      type = unaligned_type(shape, atom, extent);
      break;
    case split:
      type = split_type(shape, atom, extent);
      break;
    case padded:
      MPI_Type_contiguous(shape.atoms, atom, &type);
      type = resized(type, -extent, (shape.atoms + 1 + shape.variant) * extent);
      break;
    case subarray:
      type = subarray_type(shape, atom);
      break;
    case nested:
      type = nested_type(shape, atom);
      break;
    case dealt:
      type = dealt_type(shape, atom);
      break;
    default:
      MPI_Type_vector(shape.atoms, 1, kInterleaving, atom, &type);
      type = resized(type, 0, extent);
  }
  MPI_Type_commit(&type);
  return type;
}

void free_type(MPI_Datatype& type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = MPI_COMBINER_NAMED;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&type);
}

Reach reach_of(MPI_Datatype type) {
  MPI_Aint begin = 0;
  MPI_Aint length = 0;
  MPI_Aint low = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_true_extent(type, &begin, &length);
  MPI_Type_get_extent(type, &low, &extent);
  return {begin, begin + length, extent};
}

}  // namespace shunt::test
