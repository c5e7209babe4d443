// What one rank keeps of the calls that it makes on one communicator, and what becomes of all
// ranks' rows: the matrices of a trace, and its calls.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/trace.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Identifies a matrix, or the row of one rank. The key of a matrix is the sum of its rows' keys,
/// so that ranks can find out by a reduction which calls moved equal matrices, without exchanging
/// rows. Different matrices have the same key once in 2^128.
using MatrixKey = std::array<std::uint64_t, 2>;

/// What a rank's row says: the lengths of its blocks for all ranks, or of the one that goes to all.
enum class RowKind : std::uint8_t { exchange, allgather };

[[nodiscard]] MatrixKey key_of_row(Rank rank, std::string_view code,
                                   RowKind kind = RowKind::exchange);

/// Memory that all recordings of a rank share, in bytes.
class RecordingMemory {
 public:
  explicit RecordingMemory(Bytes bytes) : left_(bytes) {}

  /// Takes `bytes` bytes. Returns false, and takes none, where fewer are left.
  [[nodiscard]] bool take(Bytes bytes);

 private:
  Bytes left_;
};

class Recording {
 public:
  /// What a call was made with.
  struct Row {
    std::string function;
    std::string code;
    RowKind kind;
  };

  /// `memory` outlives it.
  explicit Recording(RecordingMemory& memory) : memory_(memory) {}

  /// Keeps a function and a row that it was called with, equal ones once, and returns their number.
  /// Returns nothing once the memory is used up.
  [[nodiscard]] std::optional<std::uint32_t> keep(std::string_view function, std::string_view code,
                                                  RowKind kind = RowKind::exchange);

  /// Begins the next call, with what `keep` returned, and returns its number. Without a row the
  /// call is only counted; then, and once the memory is used up, the recording has ended.
  std::optional<std::size_t> begin(std::optional<std::uint32_t> row);

  /// Adds `seconds` to the time that the call has taken.
  void spend(std::size_t call, double seconds);

  /// Notes that the call has failed and moved nothing.
  void fail(std::size_t call);

  [[nodiscard]] std::size_t calls() const { return calls_.size(); }
  [[nodiscard]] bool complete() const { return !ended_; }

  [[nodiscard]] const Row& row(std::size_t call) const { return rows_[calls_[call].row]; }

  /// 0 for a call that failed.
  [[nodiscard]] float seconds(std::size_t call) const;
  [[nodiscard]] bool failed(std::size_t call) const { return calls_[call].seconds < 0; }

 private:
  struct Call {
    std::uint32_t row;
    float seconds;  ///< negative: failed
  };

  RecordingMemory& memory_;
  std::unordered_map<std::string, std::uint32_t> known_;  ///< by function, kind and code
  std::vector<Row> rows_;
  std::deque<Call> calls_;  ///< which grows without a copy of all
  bool ended_ = false;
};

/// Makes the calls of a trace from the calls that all ranks have made.
class TraceBuilder {
 public:
  /// The most runs of calls; with more a trace would be too long to read. Later calls are added to
  /// the first run of the same matrix and function: sums stay right, the order is lost from there
  /// on.
  static constexpr std::size_t kMostRuns = 50'000;

  explicit TraceBuilder(std::size_t most_runs = kMostRuns) : most_runs_(most_runs) {}

  /// Adds the next call: the sum of the keys of all ranks' rows, and seconds.
  void add(const MatrixKey& matrix, std::string_view function, double slowest, double fastest);

  /// Leaves out the next call, which failed on some rank.
  void skip() { ++number_; }

  /// Returns, by matrix, the number of the call that moved it first, from 0.
  [[nodiscard]] const std::vector<std::int64_t>& first_calls() const { return first_calls_; }

  [[nodiscard]] const std::vector<TraceCall>& calls() const { return calls_; }

  /// Keeps the first `matrices` matrices: the calls end before the first call of another one.
  void cut(std::size_t matrices);

 private:
  std::size_t most_runs_;
  std::int64_t number_ = 0;
  std::map<MatrixKey, std::size_t> known_;
  std::vector<std::int64_t> first_calls_;
  std::vector<TraceCall> calls_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> first_runs_;
};

}  // namespace shunt
