// Memory of devices, which a processor may be unable to touch: CUDA's, HIP's and Level Zero's.
// Where the program has loaded none of their libraries, the question takes some nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace shunt {

/// Whether the program has loaded a library for devices, so that there may be such memory.
[[nodiscard]] bool has_devices() noexcept;

/// Asks the libraries that were loaded whether `address` is memory of a device: what
/// `is_device_memory` does where it does not know.
[[nodiscard]] bool ask_for_device_memory(const void* address) noexcept;

/// Addresses that were no device's when a thread asked a moment ago, since there were no devices.
class HostAddresses {
 public:
  /// Whether it is one of them. They are forgotten now and then: a library may be loaded later, and
  /// give to a device what was host memory.
  [[nodiscard]] bool has(const void* address) {
    constexpr unsigned kQuestions = 64;
    if (++questions_ % kQuestions == 0) sets_ = {};
    const Set& set = set_of(address);
    return set[0] == address || set[1] == address || set[2] == address || set[3] == address;
  }

  void add(const void* address) { set_of(address)[questions_ % 4] = address; }

 private:
  /// Four addresses, since both buffers of a call may have one set.
  using Set = std::array<const void*, 4>;

  [[nodiscard]] Set& set_of(const void* address) {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    return sets_[(number >> 6 ^ number >> 12 ^ number >> 18) % sets_.size()];
  }

  std::array<Set, 8> sets_{};
  unsigned questions_ = 0;
};
inline thread_local constinit HostAddresses host_addresses;

/// Whether this is memory of a device. The null pointer is none.
[[nodiscard]] inline bool is_device_memory(const void* address) noexcept {
  return address != nullptr && !host_addresses.has(address) && ask_for_device_memory(address);
}

/// Throws Error(buffer): `what` is at `address`, which is memory of a device.
[[noreturn]] void refuse_device_memory(const void* address, std::string_view what);

/// Throws Error(buffer) where the buffer of the `side`, "send" or "receive", is memory of a device.
inline void expect_host_memory(const void* buffer, const char* side) {
  if (is_device_memory(buffer))
    refuse_device_memory(buffer, "the " + std::string(side) + " buffer");
}

}  // namespace shunt
