#include "interpose/next.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include "environment/environment.hpp"
#include "interpose/fast_path.hpp"
#include "interpose/owner.hpp"
#include "interpose/report.hpp"
#include "model/or_nothing.hpp"
#include "model/say.hpp"
#include "mpi_calls/mpi_call.hpp"

namespace shunt::interpose {

namespace {

bool is_foreign(Owner owner) { return owner == Owner::tool || owner == Owner::other; }

/// Whose functions are, asked once for each file: that takes microseconds.
class Owners {
 public:
  [[nodiscard]] Owner of(const void* function) {
    Dl_info info{};
    if (dladdr(function, &info) == 0) return owner_of(function);
    const auto [known, is_new] = known_.try_emplace(info.dli_fbase, Owner::other);
    if (is_new) known->second = owner_of(function);
    return known->second;
  }

 private:
  std::map<const void*, Owner> known_;
};

/// In front of this library, or behind it where this is the first that has the name.
bool is_taken_by_tool(const char* name, Owners& owners) {
  const void* place = dlsym(RTLD_DEFAULT, name);
  if (place != nullptr && owners.of(place) == Owner::shunt) place = dlsym(RTLD_NEXT, name);
  return place != nullptr && is_foreign(owners.of(place));
}

template <class Signature>
NextOf<Signature> find(const char* own_name, const char* name, Owners& owners) {
  void* const behind = dlsym(RTLD_NEXT, name);
  const bool is_tool = behind != nullptr && is_foreign(owners.of(behind));
  return {reinterpret_cast<Signature*>(dlsym(RTLD_NEXT, own_name)),
          is_tool ? reinterpret_cast<Signature*>(behind) : nullptr};
}

std::string file_of(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 ? info.dli_fname : "a tool";
}

/// One address in each library that is loaded.
std::vector<const void*> all_libraries() {
  std::vector<const void*> found;
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* list) {
        const auto* const begin =
            std::find_if(module->dlpi_phdr, module->dlpi_phdr + module->dlpi_phnum,
                         [](const ElfW(Phdr) & part) { return part.p_type == PT_LOAD; });
        if (begin != module->dlpi_phdr + module->dlpi_phnum) {
          static_cast<std::vector<const void*>*>(list)->push_back(
              // The loader says addresses as numbers.
              reinterpret_cast<const void*>(  // NOLINT(performance-no-int-to-ptr)
                  module->dlpi_addr + begin->p_vaddr));
        }
        return 0;
      },
      &found);
  return found;
}

/// Whether the loader finds the name of this file from here.
bool is_reachable(const char* name, const std::string& file) {
  const auto is_in_file = [&](const void* place) {
    return place != nullptr && file_of(place) == file;
  };
  return is_in_file(dlsym(RTLD_DEFAULT, name)) || is_in_file(dlsym(RTLD_NEXT, name));
}

void report_if_unreachable(const void* library) {
  if (owner_of(library) != Owner::tool) return;
  const std::string file = file_of(library);
  for (const char* const name : names_taken_by(library)) {
    if (is_reachable(name, file)) continue;
    return say(fmt::format(
        "{} has {} too, but lies behind MPI or another tool, or was loaded with RTLD_LOCAL: it "
        "sees no call of that name",
        file, name));
  }
}

}  // namespace

Next find_next() {
  Next found;
  Owners owners;
#define SHUNT_FIND(name, ...) \
  found.name = find<decltype(PMPI_##name)>("PMPI_" #name, "MPI_" #name, owners);
#define SHUNT_WIDE_FIND(name, ...) SHUNT_FIND(name##_c)
  SHUNT_EACH_FUNCTION(SHUNT_FIND)
  SHUNT_EACH_PASSED(SHUNT_FIND)
  SHUNT_EACH_WIDE_OF_MPI(SHUNT_WIDE_FIND, SHUNT_WIDE_FIND)
  SHUNT_FIND(Finalize)
  SHUNT_FIND(Intercomm_merge)
#undef SHUNT_WIDE_FIND
#undef SHUNT_FIND
  found.has_tool = std::ranges::any_of(
      names_of_tools(), [&](const char* name) { return is_taken_by_tool(name, owners); });
  return found;
}

bool is_on_its_way(const void* caller) {
  if (inside) return false;
  // A tool may end by a jump to PMPI_X, which then returns to whoever has called the tool.
  const Owner owner = owner_again(caller);
  return owner == Owner::fortran || (next().has_tool && owner != Owner::mpi);
}

void report_bypass(const char* function, const void* tool) noexcept {
  static std::atomic_flag said;
  if (!environment().verbose || !mpi_is_running() || said.test_and_set()) return;
  or_nothing([=] {
    if (world_rank() != 0) return;
    say(
        fmt::format("{} is made by {}, which does not call P{}, so Shunt makes none of its calls; "
                    "preloaded in front of Shunt it passes them on",
                    function, file_of(tool), function));
  });
}

void report_unreachable_tools() {
  for (const void* const library : all_libraries()) report_if_unreachable(library);
}

}  // namespace shunt::interpose
