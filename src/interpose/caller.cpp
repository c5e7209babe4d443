#include "interpose/caller.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unwind.h>

namespace shunt::interpose {

namespace {

struct Range {
  std::uintptr_t begin;
  std::uintptr_t end;
};

int add_if_mpi(dl_phdr_info* module, std::size_t /*size*/, void* ranges) {
  const std::string_view path = module->dlpi_name;
  const std::string_view file = path.substr(path.find_last_of('/') + 1);
  if (!file.starts_with("libmpi")) return 0;
  for (std::size_t k = 0; k < module->dlpi_phnum; ++k) {
    const ElfW(Phdr)& part = module->dlpi_phdr[k];
    if (part.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = module->dlpi_addr + part.p_vaddr;
    static_cast<std::vector<Range>*>(ranges)->push_back({begin, begin + part.p_memsz});
  }
  return 0;
}

bool is_in_mpi(const void* address) {
  static const std::vector<Range> kRanges = [] {
    std::vector<Range> found;
    dl_iterate_phdr(add_if_mpi, &found);
    return found;
  }();
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  return std::ranges::any_of(
      kRanges, [=](const Range& range) { return range.begin <= place && place < range.end; });
}

bool is_in_this_library(const void* address) {
  static constexpr char kHere = 0;
  static const void* const kBase = [] {
    Dl_info info{};
    return dladdr(&kHere, &info) != 0 ? info.dli_fbase : nullptr;
  }();
  Dl_info info{};
  return dladdr(address, &info) != 0 && info.dli_fbase == kBase;
}

/// What has been seen of the stack, from the innermost call on.
struct Stack {
  bool has_left = false;  ///< this library
  bool comes_back = false;
};

_Unwind_Reason_Code look(_Unwind_Context* context, void* stack) {
  auto& seen = *static_cast<Stack*>(stack);
  const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
  if (!is_in_this_library(reinterpret_cast<const void*>(address))) {
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

const void* caller_outside_mpi(const void* caller) {
  if (!is_in_mpi(caller)) return caller;
  constexpr int kDeepest = 32;
  void* stack[kDeepest];
  void** const end = stack + backtrace(stack, kDeepest);
  void** const outside = std::find_if_not(std::find(stack, end, caller), end, is_in_mpi);
  return outside == end ? caller : *outside;
}

}  // namespace shunt::interpose
