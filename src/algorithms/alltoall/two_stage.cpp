#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/array_exchange.hpp"

namespace shunt {

std::unique_ptr<Algorithm> make_two_stage(Rank ranks, Bytes grain) {
  return std::make_unique<ArrayExchange>("two-stage", Hierarchy::balanced(ranks, 1), Spread::evenly,
                                         grain);
}

}  // namespace shunt
