// Reads traces, and writes whole ones.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lab/traffic/traffic.hpp"
#include "model/input_file.hpp"
#include "model/trace.hpp"

namespace shunt {

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

  /// Returns, by rank, the length of the block that goes to all, of a matrix that is an all-gather.
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

/// Records one call: keeps the matrix unless an equal one is there, and counts up the last call if
/// it moved the same one. Compares with every matrix that is kept.
void record(Trace& trace, std::vector<SparseRow> matrix, double seconds);

/// Writes a trace with its matrices to a file. Throws Error(argument) where the trace contradicts
/// itself, Error(file) where the file cannot be written.
void write_trace(const std::string& path, const Trace& trace);

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
