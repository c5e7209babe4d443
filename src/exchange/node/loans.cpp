#include "exchange/node/loans.hpp"

namespace shunt {

std::optional<Error> Loans::copy(Borrowed& borrowed) {
  const Bytes bytes = std::min(borrowed.bytes - borrowed.copied, borrowed.turn);
  try {
    borrowed.copy(borrowed.copied, bytes);
  } catch (const Error& error) {
    return error;
  }
  borrowed.copied += bytes;
  return std::nullopt;
}

}  // namespace shunt
