// An MPI_Alltoall for MPI's own function, whose elements have no gaps.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "bindings/c/arguments.hpp"
#include "bindings/c/mpi_faults.hpp"
#include "bindings/typed_side.hpp"

namespace shunt::interpose {

/// Whether MPI's own MPI_Alltoall is known to misplace elements on some number of ranks.
[[nodiscard]] inline bool may_misplace() {
  static const bool kKnown =
      c::has_fault(c::Form::alltoall, std::numeric_limits<Rank>::max(), c::Remedy::packed_copies);
  return kKnown;
}

/// A call with packed copies of what a rank sends and receives, which are bytes to MPI. Other ranks
/// get the data that they get without, so each rank may use one or not.
class PackedCall {
 public:
  /// Returns the packed form of `call`, an MPI_Alltoall; nothing unless MPI's own function is known
  /// to misplace its elements, and there is memory for the copies. Local.
  [[nodiscard]] static std::optional<PackedCall> of(const c::Call& call) noexcept;

  /// Returns the call with the copies instead of the buffers. Refers to this object.
  [[nodiscard]] c::Call call() const;

  /// Brings what was received to the program's buffer.
  void unpack() const;

 private:
  PackedCall(const c::Call& call, Rank ranks);

  /// All blocks of a buffer, which lie one after the other.
  struct Side {
    Side(const c::SideArguments& given, Rank ranks);

    [[nodiscard]] c::SideArguments arguments() const;

    std::shared_ptr<const ElementType> element;
    TypedBlock all;
    Bytes block_bytes;
    std::vector<std::byte> packed;
  };

  c::Call call_;
  Side send_;
  Side receive_;
};

}  // namespace shunt::interpose
