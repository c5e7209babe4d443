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
  /// An exchange of blocks on `comm`.
  explicit Passage(MPI_Comm comm) noexcept {
    if (inside) return;
    YardState* const yard = YardState::known_again(comm);
    if (yard != nullptr && yard->learned.exchanges_left.take()) inside = open_ = true;
  }

  /// A broadcast, which is looked at: it has to be of the same sort as the last one.
  explicit Passage(const c::Call& broadcast) noexcept;

  ~Passage() {
    if (open_) inside = false;
  }
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;

  [[nodiscard]] bool is_open() const { return open_; }

 private:
  bool open_ = false;
};

}  // namespace shunt::interpose
