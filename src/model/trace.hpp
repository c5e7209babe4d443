// Traces: the traffic of a program's calls in a file. docs/formats.md describes the format.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/traffic.hpp"
#include "model/traffic_sparse.hpp"

namespace shunt {

/// Calls in a row that moved the same matrix.
struct TraceCall {
  std::size_t matrix = 0;    ///< its place in Trace::matrices
  std::int64_t repeats = 1;  ///< how often it was called
  double seconds = 0;        ///< time spent in all of them; 0 where it was not measured

  friend bool operator==(const TraceCall&, const TraceCall&) = default;
};

/// What a program moved on one communicator: different matrices, and the calls that moved them.
struct Trace {
  Rank ranks = 1;
  Bytes element_bytes = 1;  ///< bytes of an element that the matrices count
  std::vector<std::vector<SparseRow>> matrices;
  std::vector<TraceCall> calls;

  /// Records one call: keeps the matrix unless an equal one is there, and counts up the last call
  /// if it moved the same one. Compares with every matrix that is kept.
  void record(std::vector<SparseRow> matrix, double seconds);

  friend bool operator==(const Trace&, const Trace&) = default;
};

/// Throws Error(file) where the file cannot be read or is no such trace.
[[nodiscard]] Trace read_trace(const std::string& path);

/// Throws Error(argument) where the trace contradicts itself, Error(file) where the file cannot be
/// written.
void write_trace(const std::string& path, const Trace& trace);

/// Whether `make_traffic` takes the specification for a trace: "path.shunt" or "path.shunt#k".
[[nodiscard]] bool is_trace_specification(std::string_view specification);

/// Matrix k of a trace (0 if there is no "#k"); reads no other matrix. Throws Error(argument) where
/// the trace has other ranks or no such matrix, Error(file) as `read_trace` does.
[[nodiscard]] std::unique_ptr<Traffic> read_trace_traffic(std::string_view specification,
                                                          Rank ranks);

}  // namespace shunt
