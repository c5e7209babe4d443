// What every planned exchange has in common: it is started, driven and waited for.
#pragma once

#include <memory>

#include "exchange/yard_state.hpp"
#include "shunt/counters.hpp"

namespace shunt {

class PlannedExchange : public ActiveRun {
 public:
  explicit PlannedExchange(std::shared_ptr<YardState> yard) : yard_(std::move(yard)) {}
  ~PlannedExchange() override;

  /// Throws Error(argument) if the exchange is under way.
  void expect_idle() const;

  /// Begins the exchange. In blocking mode it is over on return. Throws Error(argument) if it is
  /// under way already.
  void start();

  /// Waits for the end, making progress with all other active runs (YardState::active).
  void wait();

  /// Makes progress with this and all other active runs, without waiting. Returns whether the
  /// exchange is over, or was never started.
  bool test();

  Counters counters;

 protected:
  /// Begins the exchange; false if it is over already.
  virtual bool begin() = 0;

  /// Ends the execution. Called by `advance` when the exchange is over.
  void finish();

  /// Begins `part`, an exchange that this one makes and alone advances.
  [[nodiscard]] static bool begin_of(PlannedExchange& part) { return part.begin(); }

  [[nodiscard]] YardState& yard() const { return *yard_; }
  [[nodiscard]] const std::shared_ptr<YardState>& shared_yard() const { return yard_; }

 private:
  std::shared_ptr<YardState> yard_;
  bool active_ = false;
};

}  // namespace shunt
