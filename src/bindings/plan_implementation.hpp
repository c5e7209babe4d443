// A planned exchange with the user's typed blocks on either side of it.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "bindings/block_calls.hpp"
#include "bindings/trace/traced_call.hpp"
#include "bindings/typed_blocks.hpp"
#include "shunt/plan.hpp"

namespace shunt {

class Plan::Implementation {
 public:
  Implementation(std::shared_ptr<YardState> yard, PlannedBlocks planned)
      : yard_(std::move(yard)), planned_(std::move(planned)) {}
  /// `planned` exchanges these.
  Implementation(std::shared_ptr<YardState> yard, std::unique_ptr<TypedBlocks> send,
                 std::unique_ptr<TypedBlocks> receive, PlannedBlocks planned)
      : Implementation(std::move(yard), std::move(planned)) {
    send_ = std::move(send);
    receive_ = std::move(receive);
  }

  void start();
  void wait();
  [[nodiscard]] bool test();

  [[nodiscard]] const Counters& counters() const { return planned_.exchange->counters; }
  [[nodiscard]] std::string explain() const;

  TracedPlan trace;  ///< for those who own the plan; records nothing unless they set it

 private:
  void unpack();

  std::shared_ptr<YardState> yard_;
  std::unique_ptr<TypedBlocks> send_;  ///< null: the buffers are used as they are
  std::unique_ptr<TypedBlocks> receive_;
  PlannedBlocks planned_;
  bool pending_ = false;  ///< started, and what arrived is not unpacked yet
};

}  // namespace shunt
