// What every planned exchange has in common: it is started, driven and waited for.
#pragma once

#include <exception>
#include <memory>

#include "context/context.hpp"
#include "shunt/counters.hpp"

namespace shunt {

class PlannedExchange : public ActiveRun {
 public:
  explicit PlannedExchange(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  ~PlannedExchange() override;

  /// Throws Error(argument) if the exchange is under way, or has failed before its end.
  void expect_idle() const;

  /// Begins the exchange. In blocking mode it is over on return. Throws Error(argument) if it is
  /// under way already.
  void start();

  /// Waits for the end, making progress with all other active runs (Context::active). Throws what
  /// went wrong with this one, also while others waited; the exchange is over then.
  void wait();

  /// Makes progress with this and all other active runs, without waiting. Returns whether the
  /// exchange is over, or was never started. Throws as `wait` does.
  bool test();

  void progress() noexcept final { make_progress(false); }

  Counters counters;

 protected:
  /// Begins the exchange; false if it is over already.
  virtual bool begin() = 0;

  /// Ends the execution. Called by `advance` when the exchange is over.
  void finish();

  /// Begins `part`, an exchange that this one makes and alone advances.
  [[nodiscard]] static bool begin_of(PlannedExchange& part) {
    part.active_ = part.begin();
    return part.active_;
  }

  /// Whether such a part has begun, and has not ended: also one that has failed before its end.
  [[nodiscard]] static bool is_under_way(const PlannedExchange& part) { return part.active_; }

  [[nodiscard]] Context& context() const { return *context_; }

 private:
  void make_progress(bool wait) noexcept;
  void rethrow_failure();

  std::shared_ptr<Context> context_;
  bool active_ = false;
  bool is_broken_ = false;      ///< messages of it may be anywhere
  std::exception_ptr failure_;  ///< what nobody was told yet
};

}  // namespace shunt
