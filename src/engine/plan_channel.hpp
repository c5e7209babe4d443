// The messages of a plan that go through the memory of the node: the sender packs short ones there,
// and the receiver copies them on from there. Long ones pass through pipes, from the user's memory
// to the user's; or they are exposed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "context/context.hpp"
#include "engine/plan_draft.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "schedule/step.hpp"
#include "transport/node.hpp"
#include "transport/node_channel.hpp"
#include "transport/pipe.hpp"
#include "transport/single_copies.hpp"

namespace shunt {

class PlanChannel final : public NodeChannel {
 public:
  /// Where a message lies in even executions, and how much further in odd ones.
  struct Place {
    std::byte* at = nullptr;
    Bytes shift = 0;
  };

  /// A message that comes through shared memory.
  struct Arrival {
    Place place;
    Bytes ring;  ///< as in SharedMessage
    Word* ready;
    std::size_t step;
    Rank from;
    Bytes length;
    Bytes expected;
    std::size_t sender;                   ///< its place
    const MessageDescriptor* descriptor;  ///< its own, for this rank
    Word* taken;                          ///< of this rank, in the sender's region
    SharedLanding landing = {};  ///< where it belongs, if it does not lie in shared memory whole

    [[nodiscard]] bool lies_whole() const { return ring == 0; }
  };

  /// Collective. Shares the messages between ranks of one node, as far as there is room; if there
  /// are several stages, the short ones alone. Of no use unless `is_shared`. The options are the
  /// plan's.
  PlanChannel(std::shared_ptr<Context> context, const std::vector<std::vector<Step>>& steps,
              const PlanDraft& draft, const Options& options);
  ~PlanChannel() override;

  /// Whether all ranks of the node have a region; else MPI carries everything.
  [[nodiscard]] bool is_shared() const { return own_.has_value(); }

  /// Where the `index`-th outgoing message of `stage` is to be packed; nothing if it is not.
  [[nodiscard]] std::optional<Place> packed_at(std::size_t stage, std::size_t index) const;
  /// Whether that message passes through a pipe, or is exposed. Then `send_from` has to say where
  /// it lies.
  [[nodiscard]] bool leaves_from_its_place(std::size_t stage, std::size_t index) const {
    return messages_[stage][index].ring != 0;
  }
  void send_from(std::size_t index, const std::byte* message, Stores stores);

  /// Returns the arrivals of a stage. The caller sets the landing of those that do not lie in
  /// shared memory whole.
  [[nodiscard]] std::vector<Arrival>& arrivals(std::size_t stage) { return arrivals_[stage]; }
  /// Payload bytes in shared memory at a time.
  [[nodiscard]] Bytes payload() const { return payload_; }

  void begin() override { ++execution_; }
  [[nodiscard]] bool odd() const override { return execution_ % 2 == 1; }
  /// Whether all receivers are done with what was packed where this execution packs.
  [[nodiscard]] bool has_room() override;
  /// Publishes the messages of `stage`, which are packed, and begins to look for those to this
  /// rank.
  void begin_stage(std::size_t stage) override;
  bool advance(const std::function<void(std::size_t)>& handle) override;
  [[nodiscard]] bool moved() const override { return moved_; }
  /// Ends the execution: all its messages have been copied on.
  void finish() override { own_->region.done().store(execution_, std::memory_order_release); }

 private:
  /// A message that leaves from where it lies.
  struct Leaving {
    std::size_t index;           ///< among the outgoing messages of the only stage
    std::size_t receiver;        ///< its place
    const Word* done = nullptr;  ///< of the receiver
    MovePiece move = {};         ///< through a pipe
  };

  /// What every execution looks at of an arrival: little, since between two of them it is lost to
  /// the caches.
  struct Awaited {
    const Word* ready;
    Place place;
    std::uint32_t step;
    std::uint32_t sender;
    const Arrival* arrival;  ///< null: it lies there whole, and is as long as was expected
  };
  struct Receiver {
    std::size_t place;
    const Word* done;  ///< in its region
  };

  void choose(const PlanDraft& draft, const Options& options);
  /// Single copies, pipes and whole messages for a plan of one stage; false if there is no room for
  /// all.
  bool choose_places(const StageDraft& stage, const Options& options);
  void choose_short(const PlanDraft& draft);
  [[nodiscard]] bool is_candidate(const Outgoing& message) const;
  void describe(const PlanDraft& draft);
  /// All ranks of the node have a region, at these places.
  void look_around(const std::vector<std::vector<Step>>& steps, const PlanDraft& draft,
                   const std::vector<Bytes>& regions);
  void begin_to_send(const Leaving& leaving);
  void begin_to_take(const Arrival& arrival);
  /// Finds those that are ready among the pending.
  void find_ready();
  void take(const Arrival& arrival);
  /// What is piped or exposed has not to be copied on: it comes into the user's memory.
  bool move_long();
  [[nodiscard]] Pipe pipe_of(const Place& place, Bytes ring) const {
    return {place.at + (odd() ? place.shift : 0), ring};
  }

  std::shared_ptr<Context> context_;
  Node& node_;
  /// The place of each outgoing message, by stage; with a negative offset MPI carries it.
  std::vector<std::vector<SharedMessage>> messages_;
  std::vector<Leaving> leaving_;  ///< in the order of the schedule
  Bytes half_ = 0;
  Bytes payload_ = 0;
  std::optional<Node::Placed> own_;
  std::vector<Receiver> receivers_;             ///< the ranks that take from here
  std::vector<std::uint64_t> seen_done_;        ///< by place: last execution it is known done with
  std::vector<std::size_t> peers_;              ///< places, ascending: receivers and senders
  std::vector<Word*> taken_;                    ///< of this rank, in the regions of the peers
  std::vector<std::vector<Arrival>> arrivals_;  ///< by stage
  std::vector<std::vector<Awaited>> awaited_;   ///< by stage
  std::vector<const Awaited*> pending_;
  std::vector<const Awaited*> ready_;
  Pipes pipes_;
  SingleCopies single_copies_;
  bool moved_ = false;
  std::uint64_t execution_ = 0;
};

}  // namespace shunt
