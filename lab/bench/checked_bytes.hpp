// Received bytes that are known before, so that a wrong one is seen.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "shunt/types.hpp"

namespace shunt::bench {

/// A byte that depends on where it comes from, where it goes and its place.
[[nodiscard]] std::byte byte_of(Rank source, Rank destination, Bytes place);

class CheckedBytes {
 public:
  CheckedBytes() = default;
  explicit CheckedBytes(std::vector<std::byte> expected)
      : expected_(std::move(expected)), received_(expected_.size()) {}

  /// Where they are received.
  [[nodiscard]] std::span<std::byte> span() { return received_; }

  /// Overwrites what was received.
  void spoil();

  /// Received bytes that are not as they should be.
  [[nodiscard]] Bytes wrong() const;

 private:
  std::vector<std::byte> expected_;
  std::vector<std::byte> received_;
};

}  // namespace shunt::bench
