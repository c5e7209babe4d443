#include "transport/loans.hpp"

#include "transport/pipe.hpp"

namespace shunt {

std::optional<Error> Loans::copy_some() {
  Borrowed& borrowed = borrowed_.front();
  Bytes turn = kLongTurn;
  if (borrowed.in_pace) {
    Bytes total = 0;
    for (const Borrowed& each : borrowed_) total += each.bytes;
    turn = turn_of(borrowed.bytes, total);
  }
  const Bytes bytes = std::min(borrowed.bytes - borrowed.copied, turn);
  try {
    borrowed.copy(borrowed.copied, bytes);
  } catch (const Error& error) {
    return error;
  }
  borrowed.copied += bytes;
  return std::nullopt;
}

}  // namespace shunt
