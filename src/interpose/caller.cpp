#include "interpose/caller.hpp"

#include <algorithm>
#include <cstddef>

#include <execinfo.h>
#include <unwind.h>

#include "bindings/addresses.hpp"
#include "interpose/owner.hpp"

namespace shunt::interpose {

namespace {

bool is_between(const void* address) { return owner_again(address) != Owner::other; }

/// What has been seen of the stack, from the innermost call on.
struct Stack {
  bool has_left = false;  ///< this library
  bool comes_back = false;
};

_Unwind_Reason_Code look(_Unwind_Context* context, void* stack) {
  auto& seen = *static_cast<Stack*>(stack);
  const std::byte* const address = at_address(static_cast<Bytes>(_Unwind_GetIP(context)));
  if (owner_again(address) != Owner::shunt) {
    seen.has_left = true;
  } else {
    seen.comes_back = seen.has_left;
  }
  return seen.comes_back ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

}  // namespace

bool is_called_from_here() {
  Stack stack;
  _Unwind_Backtrace(look, &stack);
  return stack.comes_back;
}

const void* caller_in_program(const void* caller) {
  if (!is_between(caller)) return caller;
  constexpr int kDeepest = 32;
  void* stack[kDeepest];
  void** const end = stack + backtrace(stack, kDeepest);
  void** const outside = std::find_if_not(std::find(stack, end, caller), end, is_between);
  return outside == end ? caller : *outside;
}

}  // namespace shunt::interpose
