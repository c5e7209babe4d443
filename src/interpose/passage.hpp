// Calls that arrive here and go on to MPI's own function at once. Most of what that costs is what
// it finds in no cache: it touches little, and asks MPI nothing.
#pragma once

#include "bindings/c/arguments.hpp"
#include "exchange/yard_state.hpp"
#include "interpose/warm_up.hpp"

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
    LeftToMpi* const left = left_of(call);
    if (left == nullptr || !left->take()) return;
    left_ = left;
    inside = true;
  }
  ~Passage() {
    if (is_open()) inside = false;
  }
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;

  [[nodiscard]] bool is_open() const { return left_ != nullptr; }

  /// The call is over, and what MPI returned.
  int end(int code) {
    if (code != MPI_SUCCESS) left_->fail();
    return code;
  }

 private:
  [[nodiscard]] static LeftToMpi* left_of(const c::Call& call) noexcept {
    const auto function = static_cast<std::size_t>(call.form);
    if (YardState* const yard = YardState::known_again(call.comm)) {
      return &yard->learned.left[function];
    }
    WarmUp* const warm_up = WarmUp::known_again(call.comm);
    return warm_up == nullptr ? nullptr : &warm_up->left[function];
  }

  LeftToMpi* left_ = nullptr;
};

}  // namespace shunt::interpose
