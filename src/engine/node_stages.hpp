// The stages of a one-shot exchange: in each, messages inside the node go through the memory that
// its ranks share, at the same time as the others through MPI.
#pragma once

#include <cstdint>

#include "context/context.hpp"
#include "engine/stage_runner.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// Runs one stage after the other: for each, `tell` and `expect` for its messages, `begin_stage`,
/// `run_stage`.
class NodeStages {
 public:
  /// No stage shares where the node or the options forbid it. Ranks of a node have to make their
  /// exchanges in the same order. `options` outlive this.
  NodeStages(Context& context, const Options& options, int stages);
  NodeStages(const NodeStages&) = delete;
  NodeStages& operator=(const NodeStages&) = delete;
  /// Lets the other ranks of the node go on, also if the exchange did not come to its end.
  ~NodeStages();

  /// Whether the messages of `peer`, which is not this rank, go through shared memory.
  [[nodiscard]] bool shares_with(Rank peer) const {
    return channel_ != nullptr && context_.node().place_of(peer).has_value();
  }

  /// Sets what this rank has for `to`, or that it expects a message from `from` in `step`. For
  /// peers that share memory.
  void tell(Rank to, const std::byte* message, Bytes bytes, Stores stores = Stores::cached) {
    const std::size_t place = context_.node().place_of(to).value();
    if (wants_single_copy(options_, bytes)) {
      channel_->expose(place, message, bytes);
    } else {
      channel_->tell(place, move_from(message, stores), bytes);
    }
  }
  void expect(Rank from, std::size_t step) {
    channel_->expect(context_.node().place_of(from).value(), from, step);
  }

  /// Puts the messages of the stage into shared memory. Called once in each stage.
  void begin_stage();
  /// Takes what comes, and drives `runner`, which carries the other messages, to its end. Then
  /// throws the inbox's fault, if there is one.
  void run_stage(StageRunner& runner, SharedInbox& inbox);

  /// The most payload bytes that a stage had in shared memory at a time.
  [[nodiscard]] Bytes peak() const { return peak_; }

 private:
  Context& context_;
  const Options& options_;
  CallChannel* channel_;  ///< null: nothing is shared
  std::uint64_t next_ = 0;
  std::uint64_t last_ = 0;
  bool ended_ = true;  ///< the stage that was begun last
  Bytes peak_ = 0;
};

}  // namespace shunt
