// The arguments of a collective of the C interface, from what the caller gave to checked blocks.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <mpi.h>

#include "bindings/functions.hpp"
#include "bindings/typed_side.hpp"
#include "collective/collective.hpp"
#include "learning/learned_calls.hpp"

namespace shunt::c {

/// An array of ints, of MPI_Counts or of MPI_Aints, or one value for all elements of an array. Does
/// not own them.
class Integers {
 public:
  [[nodiscard]] static Integers none() { return array<std::int32_t>(nullptr); }
  template <std::signed_integral T>
  [[nodiscard]] static Integers array(const T* values) {
    return {values, sizeof(T), sizeof(T)};
  }
  template <std::signed_integral T>
  [[nodiscard]] static Integers every(const T& value) {
    return {&value, sizeof(T), 0};
  }

  [[nodiscard]] bool is_null() const { return data_ == nullptr; }

  [[nodiscard]] Bytes operator[](std::size_t i) const {
    const auto* place = static_cast<const std::byte*>(data_) + i * stride_;
    if (width_ == sizeof(std::int32_t)) return read<std::int32_t>(place);
    return read<std::int64_t>(place);
  }

  /// Sets `bytes` to the bytes of number i of elements of `size` bytes; returns false where that is
  /// negative or exceeds 64 bits.
  [[nodiscard]] bool bytes(std::size_t i, Bytes size, Bytes& bytes) const {
    const Bytes count = (*this)[i];
    return count >= 0 && !__builtin_mul_overflow(count, size, &bytes);
  }

 private:
  Integers(const void* data, std::size_t width, std::size_t stride)
      : data_(data), width_(width), stride_(stride) {}

  /// Reads a T by memcpy: MPI_Count and MPI_Aint may be other 64-bit types than std::int64_t.
  template <class T>
  [[nodiscard]] static Bytes read(const std::byte* place) {
    T value;
    std::memcpy(&value, place, sizeof(T));
    return value;
  }

  const void* data_;
  std::size_t width_;
  std::size_t stride_;
};

/// The functions of MPI that are made, whatever their counts are.
enum class Form {
#define SHUNT_FORM(name, form, ...) form,
  SHUNT_EACH_FUNCTION(SHUNT_FORM)
#undef SHUNT_FORM
      end
};
static_assert(static_cast<std::size_t>(Form::end) <= LearnedCalls::kFunctions);

/// The kind of collective that a function is. Valid for as long as the program.
[[nodiscard]] const Collective& kind_of(Form form);

/// Whether a rank has one block for all ranks, instead of one for each.
[[nodiscard]] constexpr bool is_allgather(Form form) {
#define SHUNT_KIND(name, form, kind, ...) std::string_view(#kind) == "allgatherv",
  constexpr bool kGathersAll[] = {SHUNT_EACH_FUNCTION(SHUNT_KIND)};
#undef SHUNT_KIND
  return kGathersAll[static_cast<std::size_t>(form)];
}

/// How a side says what its blocks are.
enum class Shape {
  none,    ///< no block for any rank, since this one is not the root
  single,  ///< one count: one block, for all ranks or for one, or from one
  equal,   ///< one count: as many elements for each rank, one block after the other
  blocks,  ///< a count and a displacement in elements for each rank
  typed    ///< and a datatype for each; displacements are in bytes
};

/// What the caller gives for the send or the receive buffer.
struct SideArguments {
  Shape shape = Shape::none;
  const void* buffer = nullptr;
  Integers counts = Integers::none();  ///< the first alone, unless there is one for each rank
  Integers displacements = Integers::none();  ///< none unless there is one for each rank
  MPI_Datatype type = MPI_DATATYPE_NULL;      ///< unless `typed`
  const MPI_Datatype* types = nullptr;        ///< where `typed`
  Rank peer = kAllRanks;                      ///< where `single`: whose block it is

  static constexpr Rank kAllRanks = std::numeric_limits<Rank>::min();

  /// Whether there is a block for rank `k`, maybe of no elements.
  [[nodiscard]] bool has_block(std::size_t k) const {
    return shape != Shape::none && (peer == kAllRanks || std::cmp_equal(peer, k));
  }

  /// Returns the datatype of block `k`.
  [[nodiscard]] MPI_Datatype type_of(std::size_t k) const {
    return shape == Shape::typed ? types[k] : type;
  }
};

inline constexpr int kNoRoot = std::numeric_limits<int>::min();

struct Call {
  const char* function;
  Form form;
  SideArguments send;
  SideArguments receive;
  MPI_Comm comm;
  int root;  ///< or kNoRoot

  [[nodiscard]] bool has_root() const { return root != kNoRoot; }
};

/// The call without what counts at the root alone, and may be anything at all elsewhere.
[[nodiscard]] Call significant_part(const Call& call, bool is_root);

/// Bytes of each of the `peers` blocks of a side: none in place. Requires that its arguments are
/// right, and that what does not count on this rank was left out.
[[nodiscard]] std::vector<Bytes> bytes_by_peer(const SideArguments& side, std::size_t peers);

/// Returns the bytes that this rank sends to each of `peers` ranks: in place as many as it
/// receives, in an all-gather those of its own block.
[[nodiscard]] std::vector<Bytes> sent_bytes(const Call& call, std::size_t peers);

struct Arguments {
  /// None: the exchange is in place. An all-gather has one block for all ranks here.
  std::optional<TypedSide> send;
  TypedSide receive;
  bool allgather;
  Rank rank;  ///< of the caller
  /// What is wrong, if anything is: thrown once this rank has taken part, since the others wait for
  /// it. Blocks that cannot be used were left out.
  std::exception_ptr fault;
  bool overlap = false;  ///< whether the fault is that send and receive blocks overlap

  /// Bytes that go to each rank.
  [[nodiscard]] std::vector<Bytes> sent() const;
};

/// Reads and checks the arguments of a call. Local. Faults are Errors of the kinds that
/// include/shunt/shunt.h lists. Where a buffer's arguments cannot be read, all blocks are empty.
[[nodiscard]] Arguments read_arguments(const Call& call, Rank rank, Rank ranks);

}  // namespace shunt::c
