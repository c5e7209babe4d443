#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/array_exchange.hpp"

namespace shunt {

std::unique_ptr<Algorithm> make_a1(Rank ranks, Bytes grain) {
  return std::make_unique<ArrayExchange>("a1", Hierarchy::balanced(ranks, 1), Spread::none, grain);
}

}  // namespace shunt
