// The bytes of a derived datatype as runs, found out by following how the type was made.
#pragma once

#include <optional>
#include <vector>

#include <mpi.h>

#include "exchange/runs.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A list of runs in the order of a type map, adjacent ones merged. It stops to take runs, and is
/// then worth nothing, when there are more than `kMost`: a type of so many pieces is better left to
/// MPI_Pack, and may have billions.
class RunList {
 public:
  static constexpr std::size_t kMost = 4096;

  void add(const Run& run);

  /// `count` copies of `runs`, the first at `offset`, each `stride` after the one before.
  void add_copies(const RunList& runs, Bytes count, Bytes offset, Bytes stride);

  [[nodiscard]] bool too_many() const { return too_many_; }
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }

 private:
  std::vector<Run> runs_;
  bool too_many_ = false;
};

/// The runs of one element of `type`, in the order of its type map; nothing where they are too many
/// or the type was made in a way that is not followed here (distributed arrays, large counts).
[[nodiscard]] std::optional<std::vector<Run>> runs_of(MPI_Datatype type);

/// The same for a type whose data lies in `span` bytes from `first` on, found out by packing an
/// element that numbers its bytes. Requires data, and at most kLongestTrial bytes of it and of
/// `span`. Nothing where packing does not just collect the bytes.
[[nodiscard]] std::optional<std::vector<Run>> runs_by_trial(MPI_Datatype type, Bytes size,
                                                            Bytes first, Bytes span);

inline constexpr Bytes kLongestTrial = 4096;

}  // namespace shunt
