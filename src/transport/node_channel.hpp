// What carries a planned exchange inside the node while MPI carries the rest: shared memory, in one
// form or another.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "shunt/error.hpp"

namespace shunt {

/// Follows the executions of one plan: `begin`, then for each stage `begin_stage` and `advance`
/// until that is true, then `finish`.
class NodeChannel {
 public:
  NodeChannel() = default;
  NodeChannel(const NodeChannel&) = delete;
  NodeChannel& operator=(const NodeChannel&) = delete;
  virtual ~NodeChannel() = default;

  /// Begins the next execution.
  virtual void begin() = 0;
  /// Whether what is packed for the first stage lies in the second of two places.
  [[nodiscard]] virtual bool odd() const { return false; }
  /// Whether the first stage may be packed.
  [[nodiscard]] virtual bool has_room() { return true; }

  virtual void begin_stage(std::size_t stage) = 0;
  /// Moves what can be moved now, and calls `handle(step)` for messages that are there to be copied
  /// on; true if nothing of the stage is missing.
  virtual bool advance(const std::function<void(std::size_t)>& handle) = 0;
  /// Whether the last call of `advance` found anything to do.
  [[nodiscard]] virtual bool moved() const = 0;

  virtual void finish() = 0;
  /// Throws Error(truncated) if a message had another length than this rank expected. Called when
  /// the execution is over.
  void expect_agreement() {
    if (disagreement_) throw *std::exchange(disagreement_, std::nullopt);
  }

 protected:
  std::optional<Error> disagreement_;  ///< of a message, if any is wrong
};

}  // namespace shunt
