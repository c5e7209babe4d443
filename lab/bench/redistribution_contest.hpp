// Compares redistributions of one array: by hand with MPI, and by Shunt, in turn, all verified.
#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

#include "lab/bench/checked_bytes.hpp"
#include "lab/bench/contest.hpp"
#include "shunt/shunt.hpp"

namespace shunt::bench {

/// An array whose elements know where they belong goes from one layout to another. The first
/// contestant is what a program does without Shunt: it packs elements by lists of indices, which it
/// has made before, calls MPI_Alltoallv, and unpacks by such lists.
class RedistributionContest {
 public:
  /// Layouts of the same extents. `element` bytes are 1, 2, 4, 8, 16 or 32; else throws
  /// Error(argument). Throws Error(count) where a rank has 2^31 elements or more.
  RedistributionContest(MPI_Comm comm, const ArrayLayout& from, const ArrayLayout& to,
                        Bytes element, const ContestOptions& options);
  ~RedistributionContest();
  RedistributionContest(const RedistributionContest&) = delete;
  RedistributionContest& operator=(const RedistributionContest&) = delete;

  /// Runs all contestants in turn.
  [[nodiscard]] std::vector<Result> run() { return contest_.run(); }

  [[nodiscard]] Bytes redistributions() const { return contest_.runs(); }
  [[nodiscard]] Bytes wrong_bytes() const { return contest_.mistakes(); }

 private:
  /// The elements of one side in the order in which they are sent or received.
  struct Lists {
    std::vector<std::size_t> elements;  ///< by number in this rank's part
    std::vector<int> counts;            ///< by rank
    std::vector<int> displacements;
    std::vector<std::byte> packed;
  };

  /// Returns the lists of the elements that this rank has in the layout `mine` and others have in
  /// `others`. Elements to or from a rank are in the order in which they lie in the sender's
  /// memory.
  [[nodiscard]] Lists lists(const ArrayLayout& mine, const ArrayLayout& others, bool sends) const;
  [[nodiscard]] std::vector<std::byte> values(const ArrayLayout& layout) const;
  void redistribute_by_hand();
  template <class Element>
  [[nodiscard]] Forms forms(const ArrayLayout& from, const ArrayLayout& to);
  [[nodiscard]] Forms forms_of_element(const ArrayLayout& from, const ArrayLayout& to);

  MPI_Comm comm_;
  Communicator communicator_;
  Bytes element_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  std::vector<std::byte> from_;
  CheckedBytes to_;
  Lists sends_;
  Lists receives_;
  Contest contest_;
};

}  // namespace shunt::bench
