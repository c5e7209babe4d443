#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/array_exchange.hpp"
#include "shunt/error.hpp"

namespace shunt {

std::unique_ptr<Algorithm> make_a3(Rank ranks, Bytes grain) {
  return std::make_unique<ArrayExchange>("a3", Hierarchy::balanced(ranks, 2), Spread::none, grain);
}

std::unique_ptr<Algorithm> make_a3_square(Rank ranks, Bytes grain) {
  const NodeArray array = NodeArray::balanced(ranks, 2);
  if (array.columns() * array.columns() != ranks) {
    throw Error(ErrorKind::argument,
                fmt::format("a3-square runs on a perfect square of ranks, not on {}; a3 runs on "
                            "any number",
                            ranks));
  }
  return std::make_unique<ArrayExchange>("a3-square", Hierarchy::balanced(ranks, 2), Spread::none,
                                         grain);
}

}  // namespace shunt
