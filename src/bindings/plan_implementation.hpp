// A planned exchange, and how the user's elements get into it and out of it.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "collective/problem.hpp"
#include "shunt/plan.hpp"
#include "trace/traced_call.hpp"

namespace shunt {

class Plan::Implementation {
 public:
  Implementation(std::shared_ptr<Context> context, PlannedCollective planned)
      : context_(std::move(context)), planned_(std::move(planned)) {}

  void start();
  void wait();
  [[nodiscard]] bool test();

  [[nodiscard]] const Counters& counters() const { return planned_.exchange->counters; }
  [[nodiscard]] std::string explain() const;

  TracedPlan trace;  ///< for owners of the plan; records nothing unless they set it

 private:
  void unpack();
  [[nodiscard]] std::string explain_memory() const;

  std::shared_ptr<Context> context_;
  PlannedCollective planned_;
  bool pending_ = false;  ///< started, and what arrived is not unpacked yet
};

}  // namespace shunt
