// Datatypes of every make, and memory for elements of them that shows any wrong byte.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include <mpi.h>

#include "mpi/block_case.hpp"
#include "shunt/shunt.hpp"

namespace shunt::test {

/// A committed datatype that is freed with the object.
class OwnType {
 public:
  explicit OwnType(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
  OwnType(OwnType&& other) noexcept : type_(other.type_) { other.type_ = MPI_DATATYPE_NULL; }
  OwnType& operator=(OwnType&&) = delete;
  ~OwnType() { free(); }

  void free() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }
  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_;
};

/// The type that `make(&type)` makes.
template <class Make>
OwnType made(Make&& make) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  make(&type);
  return OwnType(type);
}

inline MPI_Datatype resized(MPI_Datatype type, MPI_Aint bound, MPI_Aint extent) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(type, bound, extent, &result);
  MPI_Type_free(&type);
  return result;
}

/// All make a type of six ints, so that any may send what any other receives.
inline OwnType contiguous() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(6, MPI_INT, &type);
  return OwnType(type);
}

inline OwnType vector_with_holes() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 2, 3, MPI_INT, &type);
  return OwnType(type);
}

inline OwnType resized_with_negative_bound() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(6, MPI_INT, &type);
  return OwnType(resized(type, -8, 44));
}

/// Data that itself begins before the address given.
inline OwnType displaced_before_its_origin() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int lengths[] = {2, 4};
  const int places[] = {-4, 1};
  MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
  return OwnType(type);
}

/// As long as its data, which begins two ints behind the address given: not to be mistaken for
/// plain bytes.
inline OwnType shifted() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int length = 6;
  const int place = 2;
  MPI_Type_indexed(1, &length, &place, MPI_INT, &type);
  return OwnType(resized(type, 0, 24));
}

/// Blocks that do not ascend: the order of the data is not that of the memory.
inline OwnType indexed_out_of_order() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int lengths[] = {1, 3, 2};
  const int places[] = {5, 0, 8};
  MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
  return OwnType(type);
}

inline OwnType structure() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int lengths[] = {2, 1, 3};
  const MPI_Aint places[] = {4, 0, 20};
  const MPI_Datatype types[] = {MPI_INT, MPI_INT, MPI_INT};
  MPI_Type_create_struct(3, lengths, places, types, &type);
  return OwnType(resized(type, 0, 40));
}

/// Dense, but not in the order of the memory: no plain bytes either.
inline OwnType dense_but_permuted() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int places[] = {3, 1, 5, 0, 4, 2};
  MPI_Type_create_indexed_block(6, 1, places, MPI_INT, &type);
  return OwnType(type);
}

/// So far apart that a type of MPI's own cannot be tried out to learn its bytes; the elements lie
/// between each other's data.
inline OwnType far_apart() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(6, 1, 1500, MPI_INT, &type);
  return OwnType(resized(type, 0, sizeof(int)));
}

inline std::vector<int> ints(const std::vector<Bytes>& values) {
  return {values.begin(), values.end()};
}

/// One side's memory: room before and behind the elements, all of it filled.
class Side {
 public:
  /// Blocks in reverse order, with gaps of whole elements.
  Side(const std::vector<Bytes>& counts, MPI_Datatype type) : Side(reversed(counts), type) {}

  Side(const Layout& layout, MPI_Datatype type) : layout_(layout) {
    Bytes end = 0;
    for (std::size_t k = 0; k < layout.counts.size(); ++k) {
      end = std::max(end, layout.displacements[k] + layout.counts[k]);
    }
    MPI_Aint bound = 0;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(type, &bound, &extent);
    MPI_Aint first = 0;
    MPI_Aint span = 0;
    MPI_Type_get_true_extent(type, &first, &span);
    margin_ = static_cast<std::size_t>(64 + span + std::abs(first));
    memory_.resize(static_cast<std::size_t>((end + 2) * extent) + 2 * margin_);
  }

  void fill(int seed) {
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      memory_[i] = byte_of(world_rank(), seed, static_cast<Bytes>(i));
    }
  }
  void poison() { memory_.assign(memory_.size(), std::byte{0xA5}); }

  [[nodiscard]] std::byte* origin() { return memory_.data() + margin_; }
  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] const std::vector<std::byte>& memory() const { return memory_; }

 private:
  static Layout reversed(const std::vector<Bytes>& counts) {
    Layout layout{counts, counts};
    Bytes end = 1;
    for (std::size_t k = counts.size(); k-- > 0;) {
      layout.displacements[k] = end;
      end += counts[k] + static_cast<Bytes>(k % 2);
    }
    return layout;
  }

  Layout layout_;
  std::size_t margin_ = 0;
  std::vector<std::byte> memory_;
};

}  // namespace shunt::test
