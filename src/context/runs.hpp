// Bytes that do not lie in one piece.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <mpi.h>

#include "shunt/types.hpp"

namespace shunt {

/// Consecutive bytes of data.
struct Run {
  Bytes offset;  ///< from the address of the element, or of the buffer
  Bytes length;

  friend bool operator==(const Run&, const Run&) = default;
};

/// Appends a run; one that begins where the last one ends becomes part of that.
void append_run(std::vector<Run>& runs, const Run& run);

/// An MPI datatype for pieces in this order, so that MPI gathers them while it sends and scatters
/// them while it receives; an element's address is that of the first piece. Without pieces there is
/// no datatype.
class RunsType {
 public:
  RunsType() = default;
  explicit RunsType(std::span<const Run> pieces);
  ~RunsType();
  RunsType(RunsType&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  RunsType& operator=(RunsType&& other) noexcept {
    std::swap(type_, other.type_);
    return *this;
  }

  /// MPI_DATATYPE_NULL if there is none.
  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace shunt
