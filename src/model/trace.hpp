// Traces: the traffic of a program's calls in a file. docs/formats.md describes the format.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// What readers and writers of traces have to agree on.
namespace trace_format {
inline constexpr std::string_view kName = "shunt-trace";
inline constexpr std::int64_t kVersion = 1;           ///< of a trace without all-gathers
inline constexpr std::int64_t kAllgatherVersion = 2;  ///< of a trace that has all-gathers
inline constexpr std::size_t kLongestHeader = std::size_t{16} << 20;
}  // namespace trace_format

/// One non-empty block of a row.
struct SparseCount {
  Rank destination;
  Bytes count;

  friend bool operator==(const SparseCount&, const SparseCount&) = default;
};

/// The non-empty blocks of one rank, destinations ascending.
using SparseRow = std::vector<SparseCount>;

/// Calls in a row that moved one matrix by one function.
struct TraceCall {
  std::size_t matrix = 0;    ///< its place in Trace::matrices
  std::int64_t repeats = 1;  ///< how often it was called
  double seconds = 0;        ///< of the slowest rank of each, added up; 0 where not measured
  double fastest = 0;    ///< seconds of the fastest rank of each, added up; 0 where not measured
  std::string function;  ///< the function called; empty where it is not known

  friend bool operator==(const TraceCall&, const TraceCall&) = default;
};

/// What a program moved on one communicator: different matrices, and the calls that moved them.
struct Trace {
  Rank ranks = 1;
  Bytes element_bytes = 1;  ///< bytes of an element that the matrices count
  std::vector<std::vector<SparseRow>> matrices;
  std::set<std::size_t> allgathers;  ///< the matrices whose rows have one count for all ranks
  std::vector<TraceCall> calls;
  std::string communicator;       ///< its name; empty where it has none
  std::vector<Rank> world_ranks;  ///< the ranks in MPI_COMM_WORLD, by rank; empty if not known
  bool complete = true;           ///< or the recording ended before the program did

  friend bool operator==(const Trace&, const Trace&) = default;
};

/// Adds to the calls: to the last of them where that is of the same matrix and function.
void append_call(std::vector<TraceCall>& calls, const TraceCall& call);

/// The code of a row as the file has it; that of a matrix is the codes of its rows in their order.
[[nodiscard]] std::string row_code(const SparseRow& row);

/// The code of a rank's block for all ranks; that of an all-gather is the codes of all ranks'
/// blocks.
[[nodiscard]] std::string block_code(Bytes length);

/// Writes the trace `head`, the matrices of which have these codes, to a file. Throws
/// Error(argument) where the trace contradicts itself, Error(file) where the file cannot be
/// written.
void write_trace(const std::string& path, const Trace& head, std::span<const std::string> codes);

/// The ending of the names of traces.
inline constexpr std::string_view kTraceSuffix = ".shunt";

}  // namespace shunt
