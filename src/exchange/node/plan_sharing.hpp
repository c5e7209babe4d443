// The messages of a plan that go through the memory of the node: the sender packs them there, and
// the receiver copies them on from there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "exchange/node/node.hpp"
#include "exchange/plan_draft.hpp"
#include "exchange/yard_state.hpp"

namespace shunt {

class PlanSharing {
 public:
  /// Where a message lies in even executions, and how much further in odd ones.
  struct Place {
    std::byte* at = nullptr;
    Bytes shift = 0;
  };

  /// A message that comes through shared memory.
  struct Arrival {
    Place place;
    Word* ready;
    std::size_t step;
    Rank from;
    Bytes length;
    Bytes expected;
  };

  /// Collective. Shares the short messages between ranks of one node, as far as there is room.
  PlanSharing(std::shared_ptr<YardState> yard, const Schedule& schedule, const PlanDraft& draft);
  ~PlanSharing();
  PlanSharing(const PlanSharing&) = delete;
  PlanSharing& operator=(const PlanSharing&) = delete;

  /// Where the `index`-th outgoing message of `stage` is to be packed; nothing if MPI carries it.
  [[nodiscard]] std::optional<Place> packed_at(std::size_t stage, std::size_t index) const;
  [[nodiscard]] const std::vector<Arrival>& arrivals(std::size_t stage) const {
    return arrivals_[stage];
  }
  /// Payload bytes packed in one execution.
  [[nodiscard]] Bytes packed() const { return packed_; }

  /// Begins the next execution.
  void begin() { ++execution_; }
  [[nodiscard]] bool odd() const { return execution_ % 2 == 1; }
  /// Whether all receivers have taken what was packed where this execution packs.
  [[nodiscard]] bool has_room() const;
  /// All messages of `stage` are packed; from now on those to this rank are looked for.
  void begin_stage(std::size_t stage);
  /// Calls `handle(step)` for every message of the stage that has come and has not been handled;
  /// true if none is missing. Throws Error(truncated) for one of another length than expected.
  template <class Handle>
  bool take(Handle&& handle) {
    std::erase_if(pending_, [&](const Arrival* arrival) {
      if (arrival->ready->load(std::memory_order_acquire) < execution_) return false;
      expect_length(*arrival);
      handle(arrival->step);
      return true;
    });
    return pending_.empty();
  }
  /// All messages of this execution have been copied on.
  void finish() const;

 private:
  void choose(const PlanDraft& draft);
  void describe(const PlanDraft& draft);
  void look_around(const Schedule& schedule, const PlanDraft& draft);
  static void expect_length(const Arrival& arrival);

  std::shared_ptr<YardState> yard_;
  Node& node_;
  std::vector<std::vector<Bytes>> offsets_;  ///< by stage and outgoing message; negative: by MPI
  Bytes packed_ = 0;
  std::optional<Node::Placed> own_;
  std::vector<std::size_t> receivers_;          ///< places, ascending: who takes from here
  std::vector<Word*> taken_;                    ///< of this rank, in the regions that it takes from
  std::vector<std::vector<Arrival>> arrivals_;  ///< by stage
  std::vector<const Arrival*> pending_;
  std::uint64_t execution_ = 0;
};

}  // namespace shunt
