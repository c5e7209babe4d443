#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/array_exchange.hpp"

namespace shunt {

std::unique_ptr<Algorithm> make_linear(Rank ranks, Bytes grain) {
  return std::make_unique<ArrayExchange>("linear", Hierarchy::balanced(ranks, 1), Spread::none,
                                         grain);
}

}  // namespace shunt
