#include "context/device_memory.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include "shunt/error.hpp"

namespace shunt {

namespace {

template <class Signature>
Signature* function(void* symbol) {
  return reinterpret_cast<Signature*>(symbol);
}

std::vector<std::string> loaded_files() {
  std::vector<std::string> files;
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* result) {
        static_cast<std::vector<std::string>*>(result)->emplace_back(module->dlpi_name);
        return 0;
      },
      &files);
  return files;
}

/// CUDA's runtime loads the driver's library for itself alone, so that only who asks that library
/// finds it.
void* find_symbol(const char* name) {
  if (void* const symbol = dlsym(RTLD_DEFAULT, name)) return symbol;
  for (const std::string& file : loaded_files()) {
    void* const library = dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    void* const symbol = dlsym(library, name);
    dlclose(library);
    if (symbol != nullptr) return symbol;
  }
  return nullptr;
}

/// Managed memory counts as a device's: it is there for whoever touches it, but that moves it.
bool is_cuda(void* query, const void* address) {
  constexpr int kMemoryType = 2;  // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
  constexpr unsigned kHost = 1;   // CU_MEMORYTYPE_HOST
  unsigned type = kHost;
  const int error = function<int(void*, int, unsigned long long)>(query)(
      &type, kMemoryType, reinterpret_cast<unsigned long long>(address));
  return error == 0 && type != kHost;
}

/// The numbers of the types changed from ROCm 5 to 6. In both, what the host can touch has an
/// address there.
bool is_hip(void* query, const void* address) {
  struct Attributes {
    int type;
    int device;
    void* device_pointer;
    void* host_pointer;
    std::byte later[112];
  };
  Attributes found{};
  const int error = function<int(Attributes*, const void*)>(query)(&found, address);
  return error == 0 && found.host_pointer == nullptr &&
         (found.device_pointer != nullptr || found.type != 0);
}

/// A driver knows the memory of all its contexts, but wants to hear of one. Null where the program
/// has not begun to use the library.
void* make_level_zero_context() {
  struct Description {
    int structure = 0xd;  // ZE_STRUCTURE_TYPE_CONTEXT_DESC
    const void* next = nullptr;
    std::uint32_t flags = 0;
  };
  void* const get_driver = find_symbol("zeDriverGet");
  void* const create = find_symbol("zeContextCreate");
  std::uint32_t drivers = 1;
  void* driver = nullptr;
  void* context = nullptr;
  if (get_driver == nullptr || create == nullptr) return nullptr;
  if (function<int(std::uint32_t*, void**)>(get_driver)(&drivers, &driver) != 0) return nullptr;
  const Description description;
  (void)function<int(void*, const Description*, void**)>(create)(driver, &description, &context);
  return context;
}

/// That of the library that is loaded now; null where it is not in use.
std::atomic<void*> level_zero_context;

/// Level Zero's loader comes with libraries that only look for devices, such as hwloc, and fails in
/// queries until the program has begun to use it. Then it loads the drivers' libraries, so that
/// this is asked again.
bool uses_level_zero() {
  level_zero_context = make_level_zero_context();
  return level_zero_context != nullptr;
}

bool is_level_zero(void* query, const void* address) {
  struct Properties {
    int structure = 0x17;  // ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES
    void* next = nullptr;
    int type = 0;
    std::uint64_t id = 0;
    std::uint64_t page_size = 0;
  };
  constexpr int kDevice = 2;  // ZE_MEMORY_TYPE_DEVICE
  Properties found;
  const int error = function<int(void*, const void*, Properties*, void**)>(query)(
      level_zero_context, address, &found, nullptr);
  return error == 0 && found.type == kDevice;
}

struct Kind {
  const char* name;
  const char* query;
  bool (*is_in_use)();
  bool (*is_its)(void* query, const void* address);
};
constexpr bool always() { return true; }
constexpr std::array<Kind, 3> kKinds{
    {{"CUDA", "cuPointerGetAttribute", always, is_cuda},
     {"HIP", "hipPointerGetAttributes", always, is_hip},
     {"Level Zero", "zeMemGetAllocProperties", uses_level_zero, is_level_zero}}};

/// How often libraries were loaded and unloaded.
struct LibraryLoads {
  unsigned long long added = 0;
  unsigned long long removed = 0;

  static LibraryLoads now() {
    LibraryLoads loads;
    dl_iterate_phdr(
        [](dl_phdr_info* module, std::size_t, void* result) {
          *static_cast<LibraryLoads*>(result) = {module->dlpi_adds, module->dlpi_subs};
          return 1;
        },
        &loads);
    return loads;
  }

  bool operator==(const LibraryLoads&) const = default;
};

/// The libraries for devices that are loaded now.
class Devices {
 public:
  /// Looks again where libraries were loaded or unloaded.
  static Devices& now() {
    static Devices devices;
    devices.look();
    return devices;
  }

  [[nodiscard]] bool any() const { return any_.load(std::memory_order_acquire); }

  /// The name of the kind whose memory this is, or null.
  [[nodiscard]] const char* kind_of(const void* address) const {
    for (std::size_t k = 0; k < kKinds.size(); ++k) {
      void* const query = queries_[k].load(std::memory_order_relaxed);
      if (query != nullptr && kKinds[k].is_its(query, address)) return kKinds[k].name;
    }
    return nullptr;
  }

 private:
  void look() {
    const std::lock_guard lock(mutex_);
    const LibraryLoads loads = LibraryLoads::now();
    if (loads == seen_) return;
    bool any = false;
    try {
      for (std::size_t k = 0; k < kKinds.size(); ++k) {
        void* const query = find_symbol(kKinds[k].query);
        queries_[k] = query != nullptr && kKinds[k].is_in_use() ? query : nullptr;
        any = any || queries_[k] != nullptr;
      }
    } catch (const std::bad_alloc&) {
      return;  // the next question looks again
    }
    seen_ = loads;
    any_.store(any, std::memory_order_release);
  }

  std::mutex mutex_;
  LibraryLoads seen_;
  std::array<std::atomic<void*>, kKinds.size()> queries_{};
  std::atomic<bool> any_ = false;
};

}  // namespace

bool has_devices() noexcept { return Devices::now().any(); }

bool ask_for_device_memory(const void* address) noexcept {
  const Devices& devices = Devices::now();
  if (devices.any()) return devices.kind_of(address) != nullptr;
  host_addresses.add(address);
  return false;
}

void refuse_device_memory(const void* address, std::string_view what) {
  const char* const kind = Devices::now().kind_of(address);
  throw Error(ErrorKind::buffer,
              fmt::format("{} at {} is memory of a device ({}); Shunt moves memory of the host",
                          what, address, kind != nullptr ? kind : "unknown"));
}

}  // namespace shunt
