// Memory for packets that is used again and again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "context/byte_buffer.hpp"

namespace shunt {

/// Memory for one packet.
using Packet = OwnBytes;

/// Packets of one size.
class PacketPool {
 public:
  explicit PacketPool(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {}

  [[nodiscard]] Packet take() {
    if (free_.empty()) return make_bytes(bytes_);
    Packet packet = std::move(free_.back());
    free_.pop_back();
    return packet;
  }

  void give_back(Packet packet) { free_.push_back(std::move(packet)); }

  /// Frees what exceeds `bytes` bytes of unused packets.
  void trim(std::size_t bytes) { free_.resize(std::min(free_.size(), bytes / bytes_)); }

 private:
  std::size_t bytes_;
  std::vector<Packet> free_;
};

}  // namespace shunt
