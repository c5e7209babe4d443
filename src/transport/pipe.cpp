#include "transport/pipe.hpp"

#include <algorithm>

#include "routing/move_bytes.hpp"
#include "routing/streaming_copy.hpp"

namespace shunt {

namespace {

/// Bytes that all messages of one direction move in their turns.
constexpr Bytes kTurns = Bytes{256} << 10;
constexpr Bytes kLeastTurn = 4096;

void write(Stores stores, std::byte* to, const std::byte* from, Bytes bytes) {
  if (stores == Stores::cached) {
    move_bytes(to, from, bytes);
    return;
  }
  streaming_copy(to, from, static_cast<std::size_t>(bytes));
  streaming_done();
}

}  // namespace

Bytes turn_of(Bytes bytes, Bytes total) {
  const auto turn = static_cast<Bytes>(static_cast<double>(kTurns) * static_cast<double>(bytes) /
                                       static_cast<double>(total));
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

template <class Messages>
bool Pipes::move_all(Messages& messages) {
  Bytes total = 0;
  for (const auto& message : messages) total += message.bytes;
  bool moved = false;
  // In the order of the schedule, in which every rank begins with another one.
  for (auto& message : messages) moved |= move(message, turn_of(message.bytes, total));
  return moved;
}

bool Pipes::move() {
  const bool sent = move_all(sends_);
  const bool received = move_all(receives_);
  std::erase_if(sends_, [](const Send& send) { return send.put == send.bytes; });
  return sent || received;
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
