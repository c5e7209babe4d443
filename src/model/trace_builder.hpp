// From the calls that all ranks have made to the calls of a trace.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/recording.hpp"
#include "model/trace.hpp"

namespace shunt {

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
