#include "engine/stage_runner.hpp"

#include <algorithm>
#include <array>

#include "engine/token_passing.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

namespace {

/// One message out and one in.
void run_step(std::size_t step, StageMessages& stage_messages, const Context& context) {
  Posted in = stage_messages.post_receive(step);
  Posted out = stage_messages.post_send(step);
  context.progress.advance_to_end([&](bool wait) {
    if (in.request == MPI_REQUEST_NULL && out.request == MPI_REQUEST_NULL) return true;
    std::array<MPI_Request, 2> requests{in.request, out.request};
    int finished = 0;
    int through = 1;
    MPI_Status status;
    if (wait) {
      check_mpi(MPI_Waitany(2, requests.data(), &finished, &status), "MPI_Waitany");
    } else {
      check_mpi(MPI_Testany(2, requests.data(), &finished, &through, &status), "MPI_Testany");
    }
    if (through == 0) return false;
    if (finished == 0) {
      in = stage_messages.received(step, status);
    } else {
      out = out.continues ? stage_messages.sent(step) : Posted{};
    }
    return in.request == MPI_REQUEST_NULL && out.request == MPI_REQUEST_NULL;
  });
}

}  // namespace

void meet(const Context& context) {
  if constexpr (kSimulated) {
    // SMPI's non-blocking barrier takes as many start-ups as there are ranks.
    check_mpi(MPI_Barrier(context.comm()), "MPI_Barrier");
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(context.comm(), &request), "MPI_Ibarrier");
  context.progress.complete(request);
}

void run_blocking(std::size_t steps, StageMessages& stage_messages, const Context& context,
                  std::span<const TokenTurn> turns, int tag) {
  meet(context);
  // The token that was handed on last. Where MPI keeps it until it is taken, so do we: its taker
  // may first need a later step of ours. It is taken when it is our turn again.
  MPI_Request passed = MPI_REQUEST_NULL;
  for (std::size_t step = 0; step < steps; ++step) {
    const TokenTurn turn = turns.empty() ? TokenTurn{} : turns[step];
    if (turn.after != kNoRank && turn.after != context.rank()) {
      MPI_Request taken = take_token(turn.after, context.comm(), tag);
      context.progress.complete(taken);
    }
    run_step(step, stage_messages, context);
    if (turn.then == kNoRank || turn.then == context.rank()) continue;
    context.progress.complete(passed);
    passed = pass_token(turn.then, context.comm(), tag);
  }
  context.progress.complete(passed);
}

StageRunner::~StageRunner() { abandon(requests_); }

void StageRunner::begin(std::size_t steps, const Window& window, StageMessages& stage_messages,
                        bool leave_sends) {
  stage_messages_ = &stage_messages;
  steps_ = steps;
  window_ = window;
  leave_sends_ = leave_sends;
  prompt_ = stage_messages.prompt();
  if (steps == 0) {
    requests_.clear();
    receives_ = {};
    sends_ = {};
    return;
  }
  const std::size_t slots = std::min(steps, static_cast<std::size_t>(std::max(window.messages, 1)));
  turn_slot_ = 2 * slots;
  requests_.assign(turn_slot_ + 1, MPI_REQUEST_NULL);
  step_of_.assign(turn_slot_, 0);
  posted_.assign(turn_slot_, {});
  for (Direction* direction : {&receives_, &sends_}) {
    direction->first_slot = direction == &receives_ ? 0 : slots;
    direction->next_step = 0;
    direction->active = 0;
    direction->continuing = 0;
    direction->bytes = 0;
    direction->free_slots.clear();
    for (std::size_t slot = slots; slot > 0; --slot) {
      direction->free_slots.push_back(direction->first_slot + slot - 1);
    }
  }
  fill(receives_, true);
  fill(sends_, false);
}

void StageRunner::fill(Direction& direction, bool receives) {
  while (direction.next_step < steps_ && !direction.free_slots.empty() &&
         (direction.active == 0 || direction.bytes < window_.bytes)) {
    const std::size_t step = direction.next_step;
    if (!receives && !stage_messages_->may_send(step, requests_[turn_slot_])) return;
    ++direction.next_step;
    const Posted posted =
        receives ? stage_messages_->post_receive(step) : stage_messages_->post_send(step);
    if (posted.request == MPI_REQUEST_NULL) continue;
    const std::size_t slot = direction.free_slots.back();
    direction.free_slots.pop_back();
    step_of_[slot] = step;
    ++direction.active;
    place(direction, slot, posted);
  }
}

void StageRunner::place(Direction& direction, std::size_t slot, const Posted& posted) {
  requests_[slot] = posted.request;
  posted_[slot] = posted;
  direction.bytes += posted.bytes;
  if (posted.continues) ++direction.continuing;
}

void StageRunner::complete(std::size_t slot, const MPI_Status& status) {
  if (slot == turn_slot_) {
    requests_[slot] = MPI_REQUEST_NULL;
    stage_messages_->turn_came();
    return;
  }
  const bool receives = slot < sends_.first_slot;
  Direction& direction = receives ? receives_ : sends_;
  const Posted done = posted_[slot];
  requests_[slot] = MPI_REQUEST_NULL;
  direction.bytes -= done.bytes;
  if (done.continues) --direction.continuing;
  Posted next;
  if (receives) {
    next = stage_messages_->received(step_of_[slot], status);
  } else if (done.continues) {
    next = stage_messages_->sent(step_of_[slot]);
  }
  if (next.request != MPI_REQUEST_NULL) {
    place(direction, slot, next);
  } else {
    --direction.active;
    direction.free_slots.push_back(slot);
  }
}

bool StageRunner::advance(bool wait) {
  if (over()) return true;
  if (wait && !prompt_ && all_posted()) {
    wait_for_all();
  } else {
    handle_some(wait);
  }
  fill(receives_, true);
  fill(sends_, false);
  return over();
}

bool StageRunner::all_posted() const {
  return receives_.next_step == steps_ && sends_.next_step == steps_ && receives_.continuing == 0 &&
         sends_.continuing == 0;
}

void StageRunner::wait_for_all() {
  // One by one: Open MPI 4.1 under MPI_THREAD_MULTIPLE never returns from MPI_Waitall when one of
  // several messages is too long for its receive.
  const std::size_t slots =
      leave_sends_ && receives_.active > 0 ? sends_.first_slot : requests_.size();
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (requests_[slot] == MPI_REQUEST_NULL) continue;
    MPI_Status status;
    check_mpi(MPI_Wait(&requests_[slot], &status), "MPI_Wait");
    complete(slot, status);
  }
}

void StageRunner::handle_some(bool wait) {
  finished_.find(requests_, wait);
  for (std::size_t k = 0; k < finished_.size(); ++k) {
    complete(finished_.index(k), finished_.status(k));
  }
}

bool StageRunner::over() const {
  if (receives_.active > 0 || receives_.next_step < steps_ || sends_.next_step < steps_) {
    return false;
  }
  return sends_.active == 0 || (leave_sends_ && sends_.continuing == 0);
}

void StageRunner::take_sends(std::vector<MPI_Request>& sends) {
  for (std::size_t slot = sends_.first_slot; slot < requests_.size(); ++slot) {
    if (requests_[slot] == MPI_REQUEST_NULL) continue;
    sends.push_back(requests_[slot]);
    requests_[slot] = MPI_REQUEST_NULL;
  }
}

}  // namespace shunt
