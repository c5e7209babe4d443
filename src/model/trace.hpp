// Traces: the traffic of a program's calls in a file. docs/formats.md describes the format.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/input_file.hpp"
#include "model/traffic.hpp"
#include "model/traffic_sparse.hpp"

namespace shunt {

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
  std::set<std::size_t> broadcasts;  ///< the matrices whose rows have one count for all ranks
  std::vector<TraceCall> calls;
  std::string communicator;       ///< its name; empty where it has none
  std::vector<Rank> world_ranks;  ///< the ranks in MPI_COMM_WORLD, by rank; empty if not known
  bool complete = true;           ///< or the recording ended before the program did

  /// Records one call: keeps the matrix unless an equal one is there, and counts up the last call
  /// if it moved the same one. Compares with every matrix that is kept.
  void record(std::vector<SparseRow> matrix, double seconds);

  friend bool operator==(const Trace&, const Trace&) = default;
};

/// Adds to the calls: to the last of them where that is of the same matrix and function.
void append_call(std::vector<TraceCall>& calls, const TraceCall& call);

/// The code of a row as the file has it; that of a matrix is the codes of its rows in their order.
[[nodiscard]] std::string row_code(const SparseRow& row);

/// The code of a rank's block for all ranks; that of a broadcast is the codes of all ranks' blocks.
[[nodiscard]] std::string block_code(Bytes length);

/// A trace's file, of which matrices are read one by one.
class TraceFile {
 public:
  /// Throws Error(file) where the file cannot be read or is no such trace.
  explicit TraceFile(const std::string& path);

  /// Returns the trace without its matrices.
  [[nodiscard]] const Trace& head() const { return head_; }
  [[nodiscard]] std::size_t matrices() const { return sections_.size(); }

  /// Returns matrix k < matrices(). Throws Error(file) where it is damaged.
  [[nodiscard]] std::vector<SparseRow> matrix(std::size_t k);

  /// Returns, by rank, the length of the block that goes to all, of a matrix that is a broadcast.
  /// Throws Error(file) where it is damaged.
  [[nodiscard]] std::vector<Bytes> blocks(std::size_t k);

 private:
  /// Where a matrix lies in the file.
  struct Section {
    Bytes offset;
    Bytes length;
  };

  InputFile file_;
  Trace head_;
  std::vector<Section> sections_;
};

/// The whole of a file. Throws as TraceFile does.
[[nodiscard]] Trace read_trace(const std::string& path);

/// Writes a trace to a file. Throws Error(argument) where the trace contradicts itself, Error(file)
/// where the file cannot be written.
void write_trace(const std::string& path, const Trace& trace);

/// Writes the trace `head`, which has no matrices, with matrices of these codes. Throws as the
/// function above.
void write_trace(const std::string& path, const Trace& head, std::span<const std::string> codes);

/// The ending of the names of traces.
inline constexpr std::string_view kTraceSuffix = ".shunt";

/// Whether `make_traffic` takes the specification for a trace: "path.shunt" or "path.shunt#k".
[[nodiscard]] bool is_trace_specification(std::string_view specification);

/// A matrix of a trace.
struct TraceMatrix {
  TraceFile file;
  std::size_t number;  ///< from 0
};

/// Opens the matrix that a specification names: matrix k, or 0 if there is no "#k". Reads no
/// matrix. Throws Error(argument) where the trace has other ranks or no such matrix, Error(file) as
/// `read_trace` does.
[[nodiscard]] TraceMatrix open_trace_matrix(std::string_view specification, Rank ranks);

/// Returns the matrix that a specification names as a traffic; reads no other one. Throws as
/// `open_trace_matrix` does.
[[nodiscard]] std::unique_ptr<Traffic> read_trace_traffic(std::string_view specification,
                                                          Rank ranks);

}  // namespace shunt
