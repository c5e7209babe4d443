// Buffers of one-shot exchanges, kept from call to call.
#pragma once

#include <cstddef>
#include <map>

#include "context/blocks.hpp"
#include "context/byte_buffer.hpp"
#include "context/packet_pool.hpp"
#include "shunt/types.hpp"

namespace shunt {

struct Scratch {
  ByteBuffer send[2];
  ByteBuffer self[2];
  ByteBuffer heads[2];
  ByteBuffer staged;
  SendBlocks send_blocks;  ///< as the last call left them, and the next needs room for
  ReceiveBlocks receive_blocks;
  IntBlocks native_sides[2];                  ///< sent and received by the last native call
  std::map<std::size_t, PacketPool> packets;  ///< by bytes of a packet

  /// Returns the bytes that are kept for exchanges of blocks.
  [[nodiscard]] Bytes capacity() const {
    Bytes bytes = staged.capacity();
    for (const auto* pair : {&send, &self, &heads})
      bytes += (*pair)[0].capacity() + (*pair)[1].capacity();
    return bytes;
  }

  /// Frees these.
  void release() {
    staged.release();
    for (auto* pair : {&send, &self, &heads}) {
      (*pair)[0].release();
      (*pair)[1].release();
    }
  }
};

}  // namespace shunt
