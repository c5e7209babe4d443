// What is moved: how many elements each rank has for each other rank.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/loads.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// One non-empty block of a row.
struct SparseCount {
  Rank destination;
  Bytes count;

  friend bool operator==(const SparseCount&, const SparseCount&) = default;
};

/// The non-empty blocks of one rank, destinations ascending.
using SparseRow = std::vector<SparseCount>;

/// A matrix of counts M[i][j] >= 0, in elements from rank i to rank j. It exists only as the rows
/// and columns that somebody asks for; no P x P table is kept unless a file brought one.
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

/// Sizes that the generators share. A background above the maximum counts as the maximum.
struct TrafficShape {
  Rank ranks = 1;
  Bytes maximum = 1024;    ///< M_max: elements of the longest block
  Bytes background = 1;    ///< elements of a block that the pattern leaves small
  std::uint64_t seed = 1;  ///< the same seed gives the same traffic on every rank and machine
};

/// Row and column sums and the longest block, in bytes of elements of `element` bytes.
/// Costs ranks() calls of `row`, and memory for one row. Throws Error(count) where a sum does not
/// fit into 64 bits.
[[nodiscard]] Loads loads_of(const Traffic& traffic, Bytes element);

/// One generator, as the command lists it.
struct TrafficPattern {
  std::string_view name;       ///< "zipf"
  std::string_view parameter;  ///< "exponent (1)", or empty
  std::string_view summary;

  /// Makes the traffic; an empty parameter stands for the default.
  std::unique_ptr<Traffic> (*make)(std::string_view parameter, const TrafficShape& shape);
};

[[nodiscard]] std::span<const TrafficPattern> traffic_patterns();

/// A traffic from its specification: a pattern's name with its parameter after a colon
/// ("neighbours:3"), or the path of a file: Matrix Market (.mtx), or a Shunt trace (.shunt; with
/// "#k" after it, the trace's matrix k instead of its first). A trace must have `shape.ranks`
/// ranks. Throws Error(argument) where the specification is not understood, Error(file) for bad
/// files.
[[nodiscard]] std::unique_ptr<Traffic> make_traffic(std::string_view specification,
                                                    const TrafficShape& shape);

}  // namespace shunt
