#include "transport/single_copies.hpp"

#include "transport/pipe.hpp"

namespace shunt {

std::optional<Error> SingleCopies::copy_some() {
  Pulled& pulled = pulled_.front();
  Bytes turn = kLongTurn;
  if (pulled.in_pace) {
    Bytes total = 0;
    for (const Pulled& each : pulled_) total += each.bytes;
    turn = turn_of(pulled.bytes, total);
  }
  const Bytes bytes = std::min(pulled.bytes - pulled.copied, turn);
  try {
    pulled.copy(pulled.copied, bytes);
  } catch (const Error& error) {
    return error;
  }
  pulled.copied += bytes;
  return std::nullopt;
}

}  // namespace shunt
