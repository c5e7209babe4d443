// The records that have reached their destination, received straight into place where that is
// possible.
#pragma once

#include <cstddef>
#include <vector>

#include "shunt/records.hpp"

namespace shunt {

/// Packets are received into slots of the output itself. A packet that comes short leaves a hole,
/// which is closed in the end with records from the back: their order is free. While receives are
/// under way the output cannot move, so what exceeds its first room goes to a second buffer.
class RecordOutput {
 public:
  /// `alignment`: of the records.
  explicit RecordOutput(std::size_t alignment) : main_(alignment) {}

  /// Makes room for about `bytes` bytes.
  void reserve(std::size_t bytes) {
    main_.reserve(bytes);
    room_ = bytes;
  }

  /// Room for one packet of `bytes` bytes, or null if there is none left.
  [[nodiscard]] std::byte* take_slot(std::size_t bytes) {
    return main_.size() + bytes <= room_ ? main_.extend(bytes) : nullptr;
  }

  /// Notes that only `used` bytes of a slot of `bytes` bytes were used.
  void came_short(const std::byte* slot, std::size_t used, std::size_t bytes);

  /// Copies records that were received elsewhere.
  void append(const std::byte* records, std::size_t bytes);

  /// All records without holes. No receive may be under way.
  [[nodiscard]] RawBuffer finish();

 private:
  struct Hole {
    std::size_t begin;
    std::size_t end;
  };

  void close_holes();

  RawBuffer main_;
  std::size_t room_ = 0;
  RawBuffer overflow_;
  std::vector<Hole> holes_;
};

}  // namespace shunt
