// Blocks to try exchanges with.
#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "context/blocks.hpp"
#include "context/byte_buffer.hpp"

namespace shunt {

/// Blocks of given lengths in memory of their own, one after the other.
class ScratchBlocks {
 public:
  ScratchBlocks(const std::vector<Bytes>& sent, const std::vector<Bytes>& received)
      : sent_(make_zeros(static_cast<std::size_t>(total_bytes(sent)))),
        received_(make_zeros(static_cast<std::size_t>(total_bytes(received)))),
        send_{sent_.get(), sent, packed(sent)},
        receive_{received_.get(), received, packed(received)} {}
  ScratchBlocks(const ScratchBlocks&) = delete;
  ScratchBlocks& operator=(const ScratchBlocks&) = delete;

  [[nodiscard]] std::span<std::byte> sent() {
    return {sent_.get(), static_cast<std::size_t>(total_bytes(send_.bytes))};
  }
  [[nodiscard]] const SendBlocks& send() const { return send_; }
  [[nodiscard]] const ReceiveBlocks& receive() const { return receive_; }

 private:
  static std::vector<Bytes> packed(const std::vector<Bytes>& bytes) {
    std::vector<Bytes> offsets(bytes.size());
    std::exclusive_scan(bytes.begin(), bytes.end(), offsets.begin(), Bytes{0});
    return offsets;
  }

  OwnBytes sent_;
  OwnBytes received_;
  SendBlocks send_;
  ReceiveBlocks receive_;
};

}  // namespace shunt
