// Blocks to try exchanges with.
#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "exchange/blocks.hpp"

namespace shunt {

/// Blocks of given lengths in memory of their own, one after the other.
class ScratchBlocks {
 public:
  ScratchBlocks(const std::vector<Bytes>& sent, const std::vector<Bytes>& received)
      : sent_(static_cast<std::size_t>(total_bytes(sent))),
        received_(static_cast<std::size_t>(total_bytes(received))),
        send_{sent_.data(), sent, packed(sent)},
        receive_{received_.data(), received, packed(received)} {}
  ScratchBlocks(const ScratchBlocks&) = delete;
  ScratchBlocks& operator=(const ScratchBlocks&) = delete;

  [[nodiscard]] std::span<std::byte> sent() { return sent_; }
  [[nodiscard]] const SendBlocks& send() const { return send_; }
  [[nodiscard]] const ReceiveBlocks& receive() const { return receive_; }

 private:
  static std::vector<Bytes> packed(const std::vector<Bytes>& bytes) {
    std::vector<Bytes> offsets(bytes.size());
    std::exclusive_scan(bytes.begin(), bytes.end(), offsets.begin(), Bytes{0});
    return offsets;
  }

  std::vector<std::byte> sent_;
  std::vector<std::byte> received_;
  SendBlocks send_;
  ReceiveBlocks receive_;
};

}  // namespace shunt
