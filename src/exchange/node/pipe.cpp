#include "exchange/node/pipe.hpp"

#include <algorithm>
#include <cstring>

#include "routing/streaming_copy.hpp"

namespace shunt {

namespace {

/// Bytes that all messages of one direction move in their turns.
constexpr Bytes kTurns = Bytes{256} << 10;
constexpr Bytes kLeastTurn = 4096;

void write(Stores stores, std::byte* to, const std::byte* from, Bytes bytes) {
  const auto length = static_cast<std::size_t>(bytes);
  if (stores == Stores::cached) {
    std::memcpy(to, from, length);
    return;
  }
  streaming_copy(to, from, length);
  streaming_done();
}

}  // namespace

Bytes turn_of_each(std::size_t messages) {
  const Bytes turn = kTurns / std::max(static_cast<Bytes>(messages), Bytes{1});
  return std::max(turn / Region::kLine * Region::kLine, kLeastTurn);
}

MovePiece move_from(const std::byte* message, Stores stores) {
  return [=](std::byte* shared, Bytes place, Bytes bytes) {
    write(stores, shared, message + place, bytes);
  };
}

MovePiece move_to(std::byte* message, Stores stores) {
  return [=](const std::byte* shared, Bytes place, Bytes bytes) {
    write(stores, message + place, shared, bytes);
  };
}

bool Pipes::move() {
  bool moved = false;
  // In the order of the schedule, in which every rank begins with another one.
  const Bytes out = turn_of_each(sends_.size());
  for (Send& send : sends_) moved |= move(send, out);
  const Bytes in = turn_of_each(receives_.size());
  for (Receive& receive : receives_) moved |= move(receive, in);
  std::erase_if(sends_, [](const Send& send) { return send.put == send.bytes; });
  return moved;
}

bool Pipes::move(Send& send, Bytes turn) {
  const auto taken = static_cast<Bytes>(send.pipe.taken().load(std::memory_order_acquire));
  const Bytes end = std::min({send.bytes, taken + send.pipe.ring(), send.put + turn});
  if (send.put == end) {
    if (send.gone->load(std::memory_order_acquire) < send.number) return false;
    send.put = send.bytes;
    return true;
  }
  send.pipe.pass(send.put, end, send.pipe.put(), send.move);
  send.put = end;
  return true;
}

bool Pipes::move(Receive& receive, Bytes turn) {
  const auto put = static_cast<Bytes>(receive.pipe.put().load(std::memory_order_acquire));
  if (receive.taken == put) return false;
  const Bytes end = std::min(put, receive.taken + turn);
  receive.pipe.pass(receive.taken, end, receive.pipe.taken(), receive.move);
  receive.taken = end;
  return true;
}

}  // namespace shunt
