#include "engine/plan_run.hpp"

#include "mpi_calls/mpi_call.hpp"

namespace shunt {

PlanRun::PlanRun(std::shared_ptr<Context> context, const Options& options,
                 std::shared_ptr<PlanBuffers> shared_buffers)
    : PlannedExchange(std::move(context)),
      buffers(shared_buffers != nullptr ? std::move(shared_buffers)
                                        : std::make_shared<PlanBuffers>()),
      options_(options) {}

PlanRun::~PlanRun() { abandon(left_sends_); }

bool PlanRun::begin() {
  if (options_.mode == Mode::blocking) {
    run_all_blocking();
    return false;
  }
  if (channel) channel->begin();
  packed_ = pack();
  return true;
}

bool PlanRun::pack() {
  if (channel && !channel->has_room()) return false;
  begin_stage(0);
  return true;
}

bool PlanRun::advance(bool wait) {
  if (!packed_) {
    packed_ = pack();
    if (!packed_ && wait) context().progress.poll();
    if (!packed_) return false;
  }
  if (!drained_ && !drain(wait)) return false;
  while (advance_stage(wait)) {
    runner_.take_sends(left_sends_);
    if (is_last(stage_)) {
      if (channel) channel->finish();
      finish();
      if (channel) channel->expect_agreement();
      return true;
    }
    begin_stage(stage_ + 1);
    if (!drained_ && !drain(wait)) return false;
  }
  return false;
}

bool PlanRun::advance_stage(bool wait) {
  if (!channel) return runner_.advance(wait);
  const bool all_shared = channel->advance([this](std::size_t step) { on_arrival(stage_, step); });
  const bool all_through = runner_.advance(wait && all_shared);
  if (wait && !all_shared && !channel->moved()) context().progress.poll();
  return all_shared && all_through;
}

void PlanRun::run_all_blocking() {
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    if (stage > 0) run_copies_of(stage - 1);
    PlanStage& planned = *stages[stage];
    copy(planned.packing);
    run_blocking(planned.stage_messages.steps().size(), planned.stage_messages, context(),
                 planned.turns, planned.stage_messages.tag());
  }
  copy(stages.back()->own_copies);
}

void PlanRun::begin_stage(std::size_t stage) {
  if (!dual() && stage > 0) run_copies_of(stage - 1);
  copy(stages[stage]->packing);
  stage_ = stage;
  // In dual-buffer mode the sends still under way leave from the buffer that this stage's arrivals
  // are copied to.
  drained_ = false;
  runner_.begin(stages[stage]->steps_of_mpi(), options_.window, stages[stage]->stage_messages,
                dual() && !is_last(stage));
  if (channel) channel->begin_stage(stage);
}

bool PlanRun::drain(bool wait) {
  if (!left_sends_.empty()) {
    const auto count = static_cast<int>(left_sends_.size());
    int through = 1;
    if (wait) {
      check_mpi(MPI_Waitall(count, left_sends_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    } else {
      check_mpi(MPI_Testall(count, left_sends_.data(), &through, MPI_STATUSES_IGNORE),
                "MPI_Testall");
    }
    if (through == 0) return false;
    left_sends_.clear();
  }
  drained_ = true;
  if (dual() || is_last(stage_)) copy(stages[stage_]->own_copies);
  return true;
}

void PlanRun::run_copies_of(std::size_t stage) {
  copy(stages[stage]->copies.all());
  copy(stages[stage]->own_copies);
}

void PlanRun::on_arrival(std::size_t stage, std::size_t step) {
  if (dual() || is_last(stage)) copy(stages[stage]->copies[step]);
}

}  // namespace shunt
