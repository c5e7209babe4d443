#include "interpose/owner.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>

#include "bindings/functions.hpp"

namespace shunt::interpose {

namespace {

// The name in C, and in Fortran by mpif.h or `use mpi`, by `use mpi_f08`, and by what these call.
// Functions that are only passed on matter to nobody: whoever takes them finds them.
#define SHUNT_NAMES(name, form, ...) \
  "MPI_" #name, "mpi_" #form "_", "mpi_" #form "_f08_", "mpi_" #form "_f08ts_", "ompi_" #form "_f",
#define SHUNT_WIDE_NAME(name, ...) "MPI_" #name "_c",
#define SHUNT_NO_NAME(...)

constexpr const char* kNames[] = {SHUNT_EACH_FUNCTION(SHUNT_NAMES) SHUNT_EACH_WIDE_OF_MPI(
    SHUNT_WIDE_NAME, SHUNT_NO_NAME) SHUNT_NAMES(Finalize, finalize)};

#undef SHUNT_NO_NAME
#undef SHUNT_WIDE_NAME
#undef SHUNT_NAMES

/// A file that the loader has loaded.
class Module {
 public:
  explicit Module(const void* address) {
    Dl_info info{};
    link_map* map = nullptr;
    if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return;
    base_ = info.dli_fbase;
    handle_ = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    is_program_ = *map->l_name == '\0';
  }
  ~Module() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// Or none.
  [[nodiscard]] bool is_program() const { return handle_ == nullptr || is_program_; }

  [[nodiscard]] bool is(const Module& other) const { return base_ == other.base_; }

  /// By itself: those of the libraries that it needs do not count.
  [[nodiscard]] bool defines(const char* name) const {
    const void* const place = dlsym(handle_, name);
    Dl_info info{};
    return place != nullptr && dladdr(place, &info) != 0 && info.dli_fbase == base_;
  }

 private:
  const void* base_ = nullptr;
  void* handle_ = nullptr;
  bool is_program_ = false;
};

/// Owners that were found before: most addresses come from a handful of places.
struct Known {
  const void* address = nullptr;
  Owner owner = Owner::other;
};
thread_local std::array<Known, 16> known;

}  // namespace

std::span<const char* const> names_of_tools() { return kNames; }

std::vector<const char*> names_taken_by(const void* address) {
  const Module module(address);
  std::vector<const char*> names;
  for (const char* const name : kNames) {
    if (module.defines(name)) names.push_back(name);
  }
  return names;
}

Owner owner_of(const void* address) {
  const Module module(address);
  if (module.is(Module(&kNames))) return Owner::shunt;
  if (module.is_program()) return Owner::other;
  if (module.defines("pmpi_alltoallv_") || module.defines("pmpi_alltoallv_f08_")) {
    return Owner::fortran;
  }
  if (module.defines("PMPI_Alltoallv")) return Owner::mpi;
  const bool takes =
      std::ranges::any_of(kNames, [&](const char* name) { return module.defines(name); });
  return takes ? Owner::tool : Owner::other;
}

Owner owner_again(const void* address) {
  Known& last = known[reinterpret_cast<std::uintptr_t>(address) / 16 % known.size()];
  if (last.address != address) last = {address, owner_of(address)};
  return last.owner;
}

}  // namespace shunt::interpose
