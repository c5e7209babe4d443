// What is moved: how many elements each rank has for each other rank.
#pragma once

#include <span>
#include <string>

#include "model/loads.hpp"
#include "model/trace.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A matrix of counts M[i][j] >= 0, in elements from rank i to rank j. Only the rows and columns
/// that are asked for exist; no P x P table is kept unless a file brought one.
class Traffic {
 public:
  virtual ~Traffic() = default;

  [[nodiscard]] virtual Rank ranks() const = 0;

  /// The specification under which `make_traffic` makes this value again ("zipf:1.2").
  [[nodiscard]] virtual std::string name() const = 0;

  [[nodiscard]] virtual Bytes count(Rank source, Rank destination) const = 0;

  /// Writes M[source][0..ranks()) to `counts`.
  virtual void row(Rank source, std::span<Bytes> counts) const;

  /// Writes M[0..ranks())[destination] to `counts`.
  virtual void column(Rank destination, std::span<Bytes> counts) const;

  /// Row `source` without its empty blocks. Costs O(ranks()), unless the traffic is kept so.
  [[nodiscard]] virtual SparseRow sparse_row(Rank source) const;
};

/// The length of a block. Throws Error(argument) for an element of negative length, Error(count)
/// where the length does not fit into 64 bits.
[[nodiscard]] Bytes to_bytes(Bytes count, Bytes element);

/// Row and column sums and the longest block, in bytes of elements of `element` bytes.
/// Costs ranks() calls of `row`, and memory for one row. Throws Error(count) where a sum does not
/// fit into 64 bits.
[[nodiscard]] Loads loads_of(const Traffic& traffic, Bytes element);

}  // namespace shunt
