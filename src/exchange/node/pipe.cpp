#include "exchange/node/pipe.hpp"

namespace shunt {

bool Pipes::move() {
  bool moved = false;
  // In the order of the schedule, in which every rank begins with another one.
  for (Send& send : sends_) moved |= move(send);
  for (Receive& receive : receives_) moved |= move(receive);
  std::erase_if(sends_, [](const Send& send) { return send.put == send.bytes; });
  return moved;
}

bool Pipes::move(Send& send) {
  const auto taken = static_cast<Bytes>(send.pipe.taken().load(std::memory_order_acquire));
  const Bytes end = std::min(send.bytes, taken + send.pipe.ring());
  if (send.put == end) {
    if (send.gone->load(std::memory_order_acquire) < send.number) return false;
    send.put = send.bytes;
    return true;
  }
  send.pipe.pass(send.put, end, send.pipe.put(),
                 [&send](std::byte* piece, Bytes place, std::size_t bytes) {
                   std::memcpy(piece, send.message + place, bytes);
                 });
  send.put = end;
  return true;
}

bool Pipes::move(Receive& receive) {
  const auto put = static_cast<Bytes>(receive.pipe.put().load(std::memory_order_acquire));
  if (receive.taken == put) return false;
  receive.pipe.pass(receive.taken, put, receive.pipe.taken(),
                    [&receive](const std::byte* piece, Bytes place, std::size_t bytes) {
                      std::memcpy(receive.message + place, piece, bytes);
                    });
  receive.taken = put;
  return true;
}

}  // namespace shunt
