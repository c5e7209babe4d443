#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/array_exchange.hpp"
#include "shunt/error.hpp"

namespace shunt {

std::unique_ptr<Algorithm> make_row_column(Rank ranks, Bytes grain) {
  return std::make_unique<ArrayExchange>("row-column", Hierarchy::balanced(ranks, 2), Spread::none,
                                         grain);
}

std::unique_ptr<Algorithm> make_row_column_square(Rank ranks, Bytes grain) {
  const NodeArray array = NodeArray::balanced(ranks, 2);
  if (array.columns() * array.columns() != ranks) {
    throw Error(ErrorKind::argument,
                fmt::format("row-column-square runs on a perfect square of ranks, not on {}; "
                            "row-column runs on any number",
                            ranks));
  }
  return std::make_unique<ArrayExchange>("row-column-square", Hierarchy::balanced(ranks, 2),
                                         Spread::none, grain);
}

}  // namespace shunt
