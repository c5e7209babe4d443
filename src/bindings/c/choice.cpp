#include "bindings/c/choice.hpp"

namespace shunt::c {

[[gnu::hot]] void Choice::begin(YardState& yard, const Call& call) {
  const Environment& chosen = environment();
  const bool broadcast = is_broadcast(call.form);
  yard_ = &yard;
  call_ = &call;
  asked_ = broadcast ? chosen.asked_broadcast : chosen.asked;
  if (asked_ != Asked::automatic) return;
  made_.emplace(yard, broadcast ? chosen.broadcast : chosen.options, native_, broadcast,
                static_cast<int>(call.form));
  asks_ = made_->agrees();
  if (!asks_) made_->decide();
}

void Choice::leave_to_mpi() {
  const Environment& chosen = environment();
  if (!is_native() || chosen.check || chosen.options.memory != 0) return;
  if (made_) {
    made_->leave_to_mpi();
  } else {
    yard_->learned.left[static_cast<std::size_t>(call_->form)].all = true;
  }
}

}  // namespace shunt::c
