// Calls that arrive here and go on to MPI's own function at once. Most of what that costs is what
// it finds in no cache: it touches little, and asks MPI nothing.
#pragma once

#include "bindings/c/arguments.hpp"
#include "exchange/yard_state.hpp"

namespace shunt::interpose {

/// Whether this thread is in Shunt's own code: what MPI calls from there is MPI's, or the two might
/// call each other for ever. It is not in MPI's own function, nor in an error handler that hears of
/// a failure: these may exchange as they like, and handlers may never return.
inline thread_local bool inside = false;

/// As long as it lives, this thread is in Shunt's own code.
class Inside {
 public:
  Inside() : outermost_(!inside) { inside = true; }
  ~Inside() {
    if (outermost_) inside = false;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  bool outermost_;
};

/// Open for a call of which it is decided already that it is MPI's own, and of which nobody wants
/// to know.
class Passage {
 public:
  explicit Passage(const c::Call& call) noexcept {
    if (inside) return;
    LeftToMpi* const left = left_of(call);
    if (left != nullptr && left->take()) left_ = left;
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
    KnownCommunicator* const known = KnownCommunicator::find_again(call.comm);
    if (known == nullptr) return nullptr;
    return known->yard != nullptr ? &known->yard->learned.left[function]
                                  : &known->warm_up.left[function];
  }

  LeftToMpi* left_ = nullptr;
};

}  // namespace shunt::interpose
