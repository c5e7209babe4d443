// Intercepted calls that go on to MPI's own function at once. Most of what that costs are cache
// misses, so it touches little memory, and does not call MPI.
#pragma once

#include "bindings/c/arguments.hpp"
#include "context/context.hpp"

namespace shunt::interpose {

/// Whether this thread is in Shunt's own code. Calls that MPI makes from there go to MPI, or the
/// two might call each other forever. False in MPI's own function and in error handlers, which may
/// make exchanges, and which may never return.
inline thread_local bool inside = false;

/// Sets `inside` during its lifetime.
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

/// The fast path of one call: open where it is decided already that MPI makes the call, and nothing
/// is to be recorded of it.
class FastPath {
 public:
  explicit FastPath(const c::Call& call) noexcept {
    if (inside) return;
    LeftToMpi* const left = left_of(call);
    if (left != nullptr && left->take()) left_ = left;
  }
  FastPath(const FastPath&) = delete;
  FastPath& operator=(const FastPath&) = delete;

  [[nodiscard]] bool is_open() const { return left_ != nullptr; }

  /// Ends the call, for which MPI returned `code`, and returns that.
  int end(int code) {
    if (code != MPI_SUCCESS) left_->fail();
    return code;
  }

 private:
  [[nodiscard]] static LeftToMpi* left_of(const c::Call& call) noexcept {
    const auto function = static_cast<std::size_t>(call.form);
    KnownCommunicator* const known = KnownCommunicator::find_again(call.comm);
    if (known == nullptr) return nullptr;
    return known->context != nullptr ? &known->context->tuning.learned.left[function]
                                     : &known->warm_up.left[function];
  }

  LeftToMpi* left_ = nullptr;
};

}  // namespace shunt::interpose
