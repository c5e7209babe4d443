// When the ranks of a communicator ask each other whether a buffer is memory of a device.
#pragma once

namespace shunt {

class Progress;

/// Most programs have no devices, and their ranks ask each other only now and then. Where any rank
/// had loaded a library for devices when they last did, they ask before each call.
class DeviceWatch {
 public:
  /// Whether any rank says that a buffer of this call is a device's, as far as they ask each other:
  /// all get the same answer. Collective; all ranks make the same calls of it.
  [[nodiscard]] bool any_says(const Progress& progress, bool is_mine);

 private:
  long calls_ = 0;
  long next_ = 1;  ///< the call before which they ask for libraries
  bool has_devices_ = false;
};

}  // namespace shunt
