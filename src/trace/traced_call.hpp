// Exchanges that are recorded while they are made.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "trace/communicator_trace.hpp"

namespace shunt {

/// Measures the seconds since its construction.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Records a call, from its construction until `done`, or until its destruction, which means that
/// the call has failed.
class TracedCall {
 public:
  /// Records nothing if `trace` is null.
  explicit TracedCall(std::shared_ptr<CommunicatorTrace> trace) : trace_(std::move(trace)) {}
  ~TracedCall() {
    if (trace_ != nullptr) end("", {}, RowKind::exchange, false);
  }
  TracedCall(const TracedCall&) = delete;
  TracedCall& operator=(const TracedCall&) = delete;

  [[nodiscard]] bool is_recorded() const { return trace_ != nullptr; }

  /// Ends the call, by its function and what this rank has sent, as `CommunicatorTrace::keep` takes
  /// it.
  void done(const char* function, const std::vector<Bytes>& sent,
            RowKind kind = RowKind::exchange) noexcept {
    if (trace_ != nullptr) end(function, sent, kind, true);
  }

 private:
  void end(const char* function, const std::vector<Bytes>& sent, RowKind kind, bool good) noexcept {
    const double seconds = watch_.seconds();
    const auto call = trace_->begin(trace_->keep(function, sent, kind));
    if (call && good) trace_->spend(*call, seconds);
    if (call && !good) trace_->fail(*call);
    trace_.reset();
  }

  std::shared_ptr<CommunicatorTrace> trace_;
  Stopwatch watch_;
};

/// A planned exchange: each start is a call, which takes the time that is spent inside `start` and
/// `go_on`, and none of what the program does in between.
class TracedPlan {
 public:
  /// Records nothing.
  TracedPlan() = default;

  /// Collective if the environment asks for traces.
  TracedPlan(const Context& context, const char* function, const std::vector<Bytes>& sent,
             RowKind kind = RowKind::exchange) {
    if (!is_traced()) return;
    trace_ = CommunicatorTrace::of(context);
    if (trace_ != nullptr) row_ = trace_->keep(function, sent, kind);
  }

  template <class Step>
  void start(Step&& step) {
    if (trace_ != nullptr) call_ = trace_->begin(row_);
    go_on(std::forward<Step>(step));
  }

  template <class Step>
  auto go_on(Step&& step) {
    if (!call_) return std::forward<Step>(step)();
    try {
      const Part part(*this);
      return std::forward<Step>(step)();
    } catch (...) {
      trace_->fail(*call_);
      throw;
    }
  }

 private:
  /// Adds its lifetime to the time of the call.
  class Part {
   public:
    explicit Part(const TracedPlan& plan) : plan_(plan) {}
    ~Part() { plan_.trace_->spend(*plan_.call_, watch_.seconds()); }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    const TracedPlan& plan_;
    Stopwatch watch_;
  };

  std::shared_ptr<CommunicatorTrace> trace_;
  std::optional<std::uint32_t> row_;
  std::optional<std::size_t> call_;  ///< the last that was started
};

}  // namespace shunt
