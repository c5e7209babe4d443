// How often the calls of a trace moved its matrices, how these look, and where traces lie.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lab/traffic/trace_file.hpp"
#include "model/sources.hpp"

namespace shunt {

/// All calls that moved one matrix.
struct MatrixUse {
  std::int64_t calls = 0;
  double seconds = 0;  ///< as in TraceCall, of all of them
  double fastest = 0;
  std::set<std::string> functions;
};

/// Returns how each of the `matrices` matrices of a trace was used, by matrix.
[[nodiscard]] std::vector<MatrixUse> uses_of(const Trace& head, std::size_t matrices);

/// How the data of a matrix is spread over the pairs of ranks.
struct MatrixShape {
  Bytes bytes = 0;          ///< of all blocks
  Bytes longest_block = 0;  ///< in bytes
  double filled = 0;        ///< share of the pairs of ranks that have data, from 0 to 1
  double imbalance = 1;     ///< the most that a rank sends, or receives, over the mean
};

/// In elements of `element` bytes. Throws Error(count) where sums do not fit into 64 bits.
[[nodiscard]] MatrixShape shape_of(const std::vector<SparseRow>& matrix, Bytes element);

/// Returns the shape of an all-gather: that of its matrix, which has ranks^2 blocks.
[[nodiscard]] MatrixShape shape_of(const Sources& sources);

/// Returns the shape of matrix k, be it that of an exchange or of an all-gather.
[[nodiscard]] MatrixShape shape_of(TraceFile& file, std::size_t k);

/// The blocks of all-gather k, in bytes. Throws as `shape_of` does.
[[nodiscard]] Sources sources_of(TraceFile& file, std::size_t k);

/// The blocks of the all-gather that a specification names (see `open_trace_matrix`), in bytes.
/// Throws as that does, Error(argument) where the matrix is an exchange, and as `sources_of`.
[[nodiscard]] Sources read_trace_sources(std::string_view specification, Rank ranks);

/// The file, or the traces in the folder in the order of their names and numbers. Throws
/// Error(file) where the folder has none.
[[nodiscard]] std::vector<std::string> trace_paths(const std::string& path);

}  // namespace shunt
