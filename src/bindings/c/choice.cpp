#include "bindings/c/choice.hpp"

namespace shunt::c {

[[gnu::hot]] void Choice::begin(YardState& yard) {
  const Environment& chosen = environment();
  yard_ = &yard;
  asked_ = chosen.asked;
  if (asked_ != Asked::automatic) return;
  made_.emplace(yard, chosen.options, native_);
  asks_ = made_->agrees();
  if (!asks_) made_->decide();
}

void Choice::leave_to_mpi() {
  const Environment& chosen = environment();
  if (!is_native() || chosen.check || chosen.options.memory != 0) return;
  if (made_) {
    made_->leave_to_mpi();
  } else {
    yard_->learned.left(broadcast_).all = true;
  }
}

void Choice::make(YardState& yard, const std::vector<Bytes>& received) {
  const Environment& chosen = environment();
  yard_ = &yard;
  broadcast_ = true;
  asked_ = chosen.asked_broadcast;
  if (asked_ == Asked::automatic) made_.emplace(yard, chosen.broadcast, native_, received);
}

}  // namespace shunt::c
