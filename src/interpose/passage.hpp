// Calls that arrive here and go on to MPI's own function at once. Most of what that costs is what
// it finds in no cache: it touches little, and asks MPI nothing.
#pragma once

#include "bindings/c/arguments.hpp"
#include "exchange/yard_state.hpp"

namespace shunt::interpose {

/// Whether this thread is in a call of ours: what MPI or an error handler calls there is MPI's, or
/// the two might call each other for ever.
inline thread_local bool inside = false;

/// Open for a call of which it is decided already that it is MPI's own, and of which nobody wants
/// to know.
class Passage {
 public:
  explicit Passage(const c::Call& call) noexcept {
    if (inside) return;
    YardState* const yard = YardState::known_again(call.comm);
    if (yard == nullptr) return;
    LeftToMpi& left = yard->learned.left(is_broadcast(call.form));
    if (is_broadcast(call.form) && !left.all && !is_like_last(call, *yard)) return;
    if (left.take()) inside = open_ = true;
  }
  ~Passage() {
    if (open_) inside = false;
  }
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;

  [[nodiscard]] bool is_open() const { return open_; }

 private:
  /// Whether a broadcast has the traffic of those that are left to MPI, as far as that is known
  /// without a word to MPI.
  [[nodiscard]] static bool is_like_last(const c::Call& broadcast, const YardState& yard) noexcept;

  bool open_ = false;
};

}  // namespace shunt::interpose
