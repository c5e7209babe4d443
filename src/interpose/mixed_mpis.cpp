// Two MPIs in one process, or a launcher that is another's: programs end in a crash then, or as
// many times as one rank alone. It is said before the program begins.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <unistd.h>

#include "bindings/addresses.hpp"

namespace shunt::interpose {

namespace {

enum class Mpi { none, openmpi, mpich };

#ifdef OPEN_MPI
constexpr Mpi kOwn = Mpi::openmpi;
#else
constexpr Mpi kOwn = Mpi::mpich;
#endif

constexpr const char* name_of(Mpi mpi) { return mpi == Mpi::openmpi ? "Open MPI" : "MPICH"; }

/// Whose library this is. Open MPI's has had the number 40 since version 3; 12 is the number that
/// MPICH and those that are compatible with it have agreed on.
Mpi mpi_of(std::string_view file) {
  if (file.starts_with("libmpich.so") || file.starts_with("libmpi.so.12")) return Mpi::mpich;
  if (file.starts_with("libmpi.so.")) return Mpi::openmpi;
  return Mpi::none;
}

/// Which MPIs a file that is loaded asks for itself.
struct Needed {
  bool own = false;
  const char* other = nullptr;  ///< the name of the library

  void add(const link_map& file) {
    const char* names = nullptr;
    for (const ElfW(Dyn)* entry = file.l_ld; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag != DT_STRTAB) continue;
      // Some loaders put the address there, and some leave the place in the file.
      const ElfW(Addr) place = entry->d_un.d_ptr;
      const ElfW(Addr) address = place < file.l_addr ? place + file.l_addr : place;
      names = reinterpret_cast<const char*>(at_address(static_cast<Bytes>(address)));
    }
    if (names == nullptr) return;
    for (const ElfW(Dyn)* entry = file.l_ld; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag != DT_NEEDED) continue;
      const char* const name = names + entry->d_un.d_val;
      const Mpi mpi = mpi_of(name);
      if (mpi == Mpi::none) continue;
      if (mpi == kOwn) {
        own = true;
      } else {
        other = name;
      }
    }
  }
};

/// The MPIs that the loaded files ask for, this library left out.
Needed needed_by_others() {
  Dl_info info{};
  link_map* mine = nullptr;
  Needed needed;
  if (dladdr1(reinterpret_cast<const void*>(&needed_by_others), &info,
              reinterpret_cast<void**>(&mine), RTLD_DL_LINKMAP) == 0) {
    return needed;
  }
  const link_map* file = mine;
  while (file->l_prev != nullptr) file = file->l_prev;
  for (; file != nullptr; file = file->l_next) {
    // The kernel's own has no name, and no file asks for anything there.
    const bool is_kernels = file->l_name != nullptr && std::strstr(file->l_name, "vdso") != nullptr;
    if (file != mine && !is_kernels) needed.add(*file);
  }
  return needed;
}

bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

/// The MPI whose launcher has started this process as one of several ranks.
Mpi launcher() {
  const auto several = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr && std::atoi(value) > 1;
  };
  // A rank of the one may have started ranks of the other.
  if (is_set("MPI_LOCALNRANKS")) return several("PMI_SIZE") ? Mpi::mpich : Mpi::none;
  return several("OMPI_COMM_WORLD_SIZE") ? Mpi::openmpi : Mpi::none;
}

/// Many ranks find the same: one says it.
bool reports() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (const char* const rank = std::getenv(variable)) return std::strcmp(rank, "0") == 0;
  }
  return true;
}

[[gnu::constructor]] void expect_one_mpi() {
  const Needed needed = needed_by_others();
  if (needed.other != nullptr) {
    if (reports()) {
      std::fprintf(
          stderr,
          "shunt: the library that is preloaded was built for %s, and the program is linked "
          "to %s: preload the one that was built for the program's MPI\n",
          name_of(kOwn), needed.other);
    }
    _exit(2);
  }
  const Mpi started_by = needed.own ? launcher() : Mpi::none;
  if (started_by == Mpi::none || started_by == kOwn || !reports()) return;
  std::fprintf(stderr,
               "shunt: the program is linked to %s, and the launcher is that of %s: each process "
               "is a rank by itself\n",
               name_of(kOwn), name_of(started_by));
}

}  // namespace

}  // namespace shunt::interpose
