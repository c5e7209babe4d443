#include "exchange/node/loans.hpp"

namespace shunt {

namespace {

/// After so many bytes a rank looks at what else it has to do. Pieces of a quarter of that took 3 %
/// longer, longer ones no less.
constexpr Bytes kPiece = Bytes{1} << 20;

}  // namespace

std::optional<Error> Loans::copy(const Processes& processes, Borrowed& borrowed) {
  const Bytes bytes = std::min(borrowed.bytes, kPiece);
  try {
    processes.read(borrowed.place, borrowed.from, borrowed.to, bytes);
  } catch (const Error& error) {
    return error;
  }
  borrowed.from += bytes;
  borrowed.to += bytes;
  borrowed.bytes -= bytes;
  return std::nullopt;
}

}  // namespace shunt
