#include "exchange/node/pipe.hpp"

#include <cstring>

namespace shunt {

MovePiece move_from(const std::byte* message) {
  return [message](std::byte* shared, Bytes place, Bytes bytes) {
    std::memcpy(shared, message + place, static_cast<std::size_t>(bytes));
  };
}

MovePiece move_to(std::byte* message) {
  return [message](const std::byte* shared, Bytes place, Bytes bytes) {
    std::memcpy(message + place, shared, static_cast<std::size_t>(bytes));
  };
}

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
  send.pipe.pass(send.put, end, send.pipe.put(), send.move);
  send.put = end;
  return true;
}

bool Pipes::move(Receive& receive) {
  const auto put = static_cast<Bytes>(receive.pipe.put().load(std::memory_order_acquire));
  if (receive.taken == put) return false;
  receive.pipe.pass(receive.taken, put, receive.pipe.taken(), receive.move);
  receive.taken = put;
  return true;
}

}  // namespace shunt
