// What `shunt replay` prints of traces.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/bench/trace_replay.hpp"
#include "lab/traffic/trace_file.hpp"
#include "lab/traffic/trace_use.hpp"
#include "tools/common/table.hpp"

namespace shunt {

/// How traces were replayed.
struct ReplayTerms {
  std::string machine;  ///< simulated; empty: here
  std::string mode;
  int rounds = 0;  ///< here
  bool json = false;
};

/// All calls together of exchanges, or of all-gathers, by contestant.
class ReplayTotals {
 public:
  void add(const std::vector<bench::Result>& results, const MatrixUse& use);

  [[nodiscard]] std::int64_t calls() const { return calls_; }
  [[nodiscard]] double recorded() const { return recorded_; }
  [[nodiscard]] Table table() const;

 private:
  std::vector<bench::Result> contestants_;
  std::vector<double> seconds_;
  std::int64_t calls_ = 0;
  double recorded_ = 0;
};

/// Each trace as soon as it is known, and then all together.
class ReplayReport {
 public:
  explicit ReplayReport(ReplayTerms terms) : terms_(std::move(terms)) {}

  void add(const std::string& path, TraceFile& file, const bench::Replay& replay);
  void finish() const;

  [[nodiscard]] Bytes wrong_bytes() const { return wrong_; }

 private:
  [[nodiscard]] nlohmann::json json() const;

  ReplayTerms terms_;
  nlohmann::json traces_ = nlohmann::json::array();
  ReplayTotals exchanges_;
  ReplayTotals allgathers_;
  Bytes runs_ = 0;
  Bytes wrong_ = 0;
  bool verified_ = true;
};

}  // namespace shunt
