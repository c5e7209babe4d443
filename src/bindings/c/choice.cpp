#include "bindings/c/choice.hpp"

#include "bindings/c/mpi_faults.hpp"

namespace shunt::c {

[[gnu::hot]] void Choice::begin(Context& context, const Call& call) {
  const Environment& chosen = environment();
  const bool broadcast = is_broadcast(call.form);
  context_ = &context;
  form_ = call.form;
  asked_ = broadcast ? chosen.asked_broadcast : chosen.asked;
  if (asked_ != Asked::automatic) return;
  made_.emplace(context, broadcast ? chosen.broadcast : chosen.options, native_,
                kind_of(call.form).name(), broadcast, static_cast<int>(call.form));
  asks_ = made_->agrees();
  if (!asks_) {
    made_->decide();
  } else if (meets_fault(call, context.ranks(), Remedy::another_way)) {
    made_->avoid_native();
  }
}

void Choice::leave_to_mpi() {
  const Environment& chosen = environment();
  if (!is_native() || chosen.check || chosen.options.memory != 0) return;
  if (made_) {
    made_->leave_to_mpi();
  } else {
    context_->tuning.learned.left[static_cast<std::size_t>(form_)].all = true;
  }
}

}  // namespace shunt::c
