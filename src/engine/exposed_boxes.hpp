// Messages of redistributions that lie in the memory of the node: their sender says where its
// arrays are, and the receiver copies the elements from there to where they belong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/box_arrays.hpp"
#include "engine/local_redistribution.hpp"
#include "routing/box_series.hpp"
#include "shunt/types.hpp"
#include "transport/single_copies.hpp"

namespace shunt {

class ExposedBoxes {
 public:
  /// A message as its sender describes it: of each array the memory that it is in, its place there
  /// and its strides.
  using Description = std::vector<std::int64_t>;

  /// `arrays` outlives it.
  ExposedBoxes(Rank rank, Bytes element, const BoxArrays& arrays)
      : rank_(rank), element_(element), arrays_(arrays) {}

  /// A message that goes out, and one that comes in from `peer` in `step`, as parts of these
  /// redistributions. `boxes` stays where it is.
  void add_out(BoxSeries& boxes, const std::vector<LocalRedistribution>& redistributions) {
    keep(boxes, redistributions);
  }
  void add_in(std::size_t step, Rank peer, BoxSeries& boxes,
              const std::vector<LocalRedistribution>& redistributions);

  /// Returns the description of a message that went to `add_out`, if it is to be exposed to the
  /// process `reader`: where all arrays are in memory that this process can read, and there are few
  /// of them. Else empty.
  [[nodiscard]] Description describe(BoxSeries& boxes, std::int64_t reader) const;

  /// Returns how to copy the message of `step`. The copy throws Error(internal) where the sender
  /// described memory that this process does not have.
  [[nodiscard]] SingleCopies::CopyPiece pulled(std::size_t step, const std::byte* description);

 private:
  /// A message that comes in.
  struct Incoming {
    Rank peer;
    BoxSeries* boxes;
    Description description = {};                ///< as it was last time
    BoxSeries theirs = {};                       ///< its boxes as described
    std::vector<const std::byte*> sources = {};  ///< by part
  };

  void keep(BoxSeries& boxes, const std::vector<LocalRedistribution>& redistributions);
  void read(Incoming& message, const std::byte* description) const;
  [[nodiscard]] Box box_of(Rank peer, std::size_t array, std::span<const Bytes> strides) const;
  void copy(Incoming& message, Bytes bytes) const;

  Rank rank_;
  Bytes element_;
  const BoxArrays& arrays_;
  std::map<std::size_t, LocalRedistribution> kept_;  ///< by array
  std::map<std::size_t, Incoming> incoming_;         ///< by step
};

}  // namespace shunt
