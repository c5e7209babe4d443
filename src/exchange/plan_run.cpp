#include "exchange/plan_run.hpp"

#include "exchange/mpi_call.hpp"

namespace shunt {

PlanRun::PlanRun(std::shared_ptr<YardState> yard, const Options& options)
    : PlannedExchange(std::move(yard)), options_(options) {}

bool PlanRun::begin() {
  run_copies(first_copies);
  if (options_.mode == Mode::blocking) {
    run_all_blocking();
    return false;
  }
  begin_stage(0);
  return true;
}

bool PlanRun::advance(bool wait) {
  if (!drained_ && !drain(wait)) return false;
  while (runner_.advance(wait)) {
    runner_.take_sends(left_sends_);
    if (is_last(stage_)) {
      finish();
      return true;
    }
    begin_stage(stage_ + 1);
    if (!drained_ && !drain(wait)) return false;
  }
  return false;
}

void PlanRun::run_all_blocking() {
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    if (stage > 0) run_copies_of(stage - 1);
    ExactCargo& cargo = stages[stage]->cargo;
    run_blocking(cargo.steps().size(), cargo, yard());
  }
  run_copies(stages.back()->own_copies);
}

void PlanRun::begin_stage(std::size_t stage) {
  if (!dual() && stage > 0) run_copies_of(stage - 1);
  stage_ = stage;
  ExactCargo& cargo = stages[stage]->cargo;
  // In dual-buffer mode the sends still under way leave from the buffer that this stage's arrivals
  // are copied to.
  drained_ = false;
  runner_.begin(cargo.steps().size(), options_.window, cargo, dual() && !is_last(stage));
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
  if (dual() || is_last(stage_)) run_copies(stages[stage_]->own_copies);
  return true;
}

void PlanRun::run_copies_of(std::size_t stage) {
  for (const std::vector<Copy>& copies : stages[stage]->copies) run_copies(copies);
  run_copies(stages[stage]->own_copies);
}

void PlanRun::on_arrival(std::size_t stage, std::size_t step) {
  if (dual() || is_last(stage)) run_copies(stages[stage]->copies[step]);
}

}  // namespace shunt
