// Where the bytes of one element of a datatype lie, in the order in which MPI packs them.
#pragma once

#include <memory>
#include <vector>

#include "context/runs.hpp"
#include "shunt/types.hpp"

namespace shunt {

class TypeMap;
using TypeMapPointer = std::shared_ptr<const TypeMap>;

/// `count` elements of `of`, the first at `offset`, each `stride` bytes after the one before.
struct TypePart {
  Bytes offset;
  Bytes count;
  Bytes stride;
  TypeMapPointer of;
};

/// Where the data of an element lies: either a list of runs, or, where there are many more runs
/// than numbers in the type's description, parts with a map each. So a type of billions of pieces
/// takes no more memory than its description. Immutable.
class TypeMap {
 public:
  /// A type without data.
  TypeMap() = default;
  /// The runs have data; adjacent ones are merged.
  explicit TypeMap(const std::vector<Run>& runs);

  /// The parts in this order, without those that have no data, wherever these lie. Throws
  /// Error(count) where sizes or offsets exceed 64 bits.
  [[nodiscard]] static TypeMapPointer join(std::vector<TypePart> parts);

  [[nodiscard]] Bytes size() const { return size_; }    ///< bytes of data
  [[nodiscard]] Bytes first() const { return first_; }  ///< where the lowest byte of data lies
  [[nodiscard]] Bytes end() const { return end_; }      ///< behind the highest one

  [[nodiscard]] bool is_one_run() const { return runs_.size() == 1; }
  /// The run that is packed first; requires data.
  [[nodiscard]] const Run& front_run() const { return runs_.front(); }
  /// Where its first packed byte lies; requires data.
  [[nodiscard]] Bytes front() const;

  /// The runs, or the parts: one list is empty, and both are where there is no data.
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  [[nodiscard]] const std::vector<TypePart>& parts() const { return parts_; }
  /// Returns where each run, or each part, begins in the packed element.
  [[nodiscard]] const std::vector<Bytes>& packed_at() const { return packed_at_; }
  /// The length of every run; 0 where runs differ.
  [[nodiscard]] Bytes run_length() const { return run_length_; }

 private:
  explicit TypeMap(std::vector<TypePart> parts);

  std::vector<Run> runs_;
  std::vector<TypePart> parts_;
  std::vector<Bytes> packed_at_;
  Bytes run_length_ = 0;
  Bytes size_ = 0;
  Bytes first_ = 0;
  Bytes end_ = 0;
};

}  // namespace shunt
