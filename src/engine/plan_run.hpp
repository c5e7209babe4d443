// A planned exchange: every length, address and copy is fixed; running it only moves data.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "context/byte_buffer.hpp"
#include "engine/copies.hpp"
#include "engine/exact_messages.hpp"
#include "engine/planned_exchange.hpp"
#include "engine/stage_runner.hpp"
#include "shunt/options.hpp"
#include "transport/node_channel.hpp"

namespace shunt {

/// One stage of a plan.
struct PlanStage {
  PlanStage(MPI_Comm comm, int tag) : stage_messages(comm, tag) {}

  /// Returns the number of steps as the runner counts them; 0 where none has a message that goes
  /// through MPI.
  [[nodiscard]] std::size_t steps_of_mpi() const {
    return turns.empty() && stage_messages.empty() ? 0 : stage_messages.size();
  }

  ExactMessages stage_messages;
  std::vector<TokenTurn> turns;  ///< as in Schedule
  std::vector<Copy> packing;     ///< from the user's memory into the stage's messages
  /// The copies of the message received in each step, to the messages of the next stage or to the
  /// user's memory.
  CopyLists copies;
  /// The copies of the message to oneself.
  std::vector<Copy> own_copies;
};

/// Memory of a plan in addition to the user's. The message to oneself stays in one of two buffers
/// of its own, in turn, which count as part of the send and of the receive buffer. Plans of which
/// never more than one is under way may share their buffers.
struct PlanBuffers {
  PayloadBuffer send[2];
  PayloadBuffer receive;
  PayloadBuffer self[2];

  /// Makes room for stages that send `sent` bytes and receive `received`, and `own` bytes from this
  /// rank to itself.
  void provide(Mode mode, Bytes sent, Bytes received, Bytes own) {
    send[0].provide(sent);
    if (mode == Mode::dual_buffer) send[1].provide(sent);
    receive.provide(received);
    self[0].provide(own);
    self[1].provide(own);
  }

  [[nodiscard]] Bytes capacity() const {
    return send[0].capacity() + send[1].capacity() + receive.capacity() + self[0].capacity() +
           self[1].capacity();
  }
};

class PlanRun : public PlannedExchange {
 public:
  /// `buffers`: what other plans use too; null: buffers of its own.
  PlanRun(std::shared_ptr<Context> context, const Options& options,
          std::shared_ptr<PlanBuffers> buffers = nullptr);
  ~PlanRun() override;

  bool advance(bool wait) override;

  /// The message of `step` of `stage` is here: copies it on unless that has to wait for the stage.
  void on_arrival(std::size_t stage, std::size_t step);

  std::vector<std::unique_ptr<PlanStage>> stages;
  std::shared_ptr<PlanBuffers> buffers;
  std::unique_ptr<NodeChannel> channel;  ///< null: all messages go through MPI

 protected:
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] bool dual() const { return options_.mode == Mode::dual_buffer; }

 private:
  bool begin() override;
  /// Packs what leaves first, if there is room for it.
  bool pack();
  void begin_stage(std::size_t stage);
  /// Handles what has come; true when the stage is over.
  bool advance_stage(bool wait);
  void run_all_blocking();
  void copy(std::span<const Copy> copies) const {
    run_copies(copies, channel != nullptr && channel->odd());
  }
  void run_copies_of(std::size_t stage);
  [[nodiscard]] bool is_last(std::size_t stage) const { return stage + 1 == stages.size(); }
  bool drain(bool wait);

  Options options_;
  StageRunner runner_;
  std::size_t stage_ = 0;
  bool packed_ = true;
  /// Whether the sends that the previous stage left under way are through.
  bool drained_ = true;
  std::vector<MPI_Request> left_sends_;  ///< of the stage before the current one
};

}  // namespace shunt
