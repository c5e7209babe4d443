// Runs one stage of any algorithm over MPI: posts, waits, posts the next. What is sent and received
// is said by the stage's `StageMessages`.
#pragma once

#include <span>
#include <vector>

#include <mpi.h>

#include "context/context.hpp"
#include "mpi_calls/finished_requests.hpp"
#include "schedule/step.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// A request that is under way; MPI_REQUEST_NULL where there is nothing to send or receive.
struct Posted {
  MPI_Request request = MPI_REQUEST_NULL;
  Bytes bytes = 0;
  /// Whether another packet of the same message follows, or may follow.
  bool continues = false;
};

/// The messages of one stage, asked for step by step. `step` is an index into the steps of the
/// stage. A message may travel as several packets: the next one is posted when one is through.
class StageMessages {
 public:
  virtual ~StageMessages() = default;

  /// Whether the message of `step` may be sent now; asked for each step in order. If not, sets
  /// `turn` to what to wait for, unless that is one of the messages under way.
  [[nodiscard]] virtual bool may_send(std::size_t /*step*/, MPI_Request& /*turn*/) { return true; }

  /// Called when what `turn` waited for has come.
  virtual void turn_came() {}

  virtual Posted post_receive(std::size_t step) = 0;
  virtual Posted post_send(std::size_t step) = 0;

  /// A packet has arrived: handle it and post the next of the same message, if there is one.
  virtual Posted received(std::size_t step, const MPI_Status& status) = 0;

  /// Whether arrivals want to be handled one by one, as they come. Otherwise they may be waited for
  /// together, which costs less.
  [[nodiscard]] virtual bool prompt() const { return false; }

  /// A packet has left, and it was said to continue: post the next one.
  virtual Posted sent(std::size_t step) = 0;
};

/// A barrier that makes progress with all active runs.
void meet(const Context& context);

/// Liu 2002's blocking mode: a barrier, then step by step one message out and one in. `turns` has
/// an element for each step or none; with them, a node exchanges with one other node at a time.
/// `tag` is the exchange's.
void run_blocking(std::size_t steps, StageMessages& stage_messages, const Context& context,
                  std::span<const TokenTurn> turns, int tag);

/// The non-blocking modes: receives are posted before sends, both in the order of the steps, within
/// a window. Neither a full window nor an early peer can block the stage: of all unfinished
/// messages of all ranks, those of the earliest step are always posted on both sides.
class StageRunner {
 public:
  StageRunner() = default;
  StageRunner(const StageRunner&) = delete;
  StageRunner& operator=(const StageRunner&) = delete;
  /// Cancels what an exception has left under way.
  ~StageRunner();

  /// Posts what the window takes. `stage_messages` must outlive the stage. With `leave_sends` the
  /// stage ends when all has arrived, and sends may still be under way then: `take_sends` hands
  /// them over.
  void begin(std::size_t steps, const Window& window, StageMessages& stage_messages,
             bool leave_sends);

  /// Handles what is through, waiting for at least one request if `wait`. True when the stage is
  /// over, or was never begun.
  bool advance(bool wait);

  /// The sends that were left under way, which are the caller's to complete.
  void take_sends(std::vector<MPI_Request>& sends);

 private:
  /// One direction: the slots of the window, and where it stands.
  struct Direction {
    std::size_t first_slot = 0;
    std::size_t next_step = 0;
    int active = 0;
    int continuing = 0;
    Bytes bytes = 0;
    std::vector<std::size_t> free_slots;
  };

  void fill(Direction& direction, bool receives);
  void place(Direction& direction, std::size_t slot, const Posted& posted);
  void complete(std::size_t slot, const MPI_Status& status);
  /// Whether nothing remains to be posted, so that no rank can wait for what this one has yet to
  /// do.
  [[nodiscard]] bool all_posted() const;
  void wait_for_all();
  void handle_some(bool wait);
  [[nodiscard]] bool over() const;

  StageMessages* stage_messages_ = nullptr;
  std::size_t steps_ = 0;
  Window window_;
  bool leave_sends_ = false;
  bool prompt_ = false;
  Direction receives_;
  Direction sends_;
  std::size_t turn_slot_ = 0;
  std::vector<MPI_Request> requests_;  ///< by slot: the receives', the sends', and that of the turn
  std::vector<std::size_t> step_of_;   ///< by slot
  std::vector<Posted> posted_;         ///< by slot
  FinishedRequests finished_;
};

}  // namespace shunt
