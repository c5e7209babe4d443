#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/array_exchange.hpp"

namespace shunt {

namespace {

std::unique_ptr<Algorithm> balanced(const char* family, Rank ranks, int levels, Spread spread,
                                    Bytes grain) {
  return std::make_unique<ArrayExchange>(fmt::format("{}:{}", family, levels),
                                         Hierarchy::balanced(ranks, levels), spread, grain);
}

std::unique_ptr<Algorithm> with_columns(const char* family, Rank ranks,
                                        const std::vector<Rank>& columns, Spread spread,
                                        Bytes grain) {
  return std::make_unique<ArrayExchange>(
      fmt::format("{}:{}{}", family, fmt::join(columns, "x"), columns.size() == 1 ? "x" : ""),
      Hierarchy::with_columns(ranks, columns), spread, grain);
}

}  // namespace

std::unique_ptr<Algorithm> make_stages(Rank ranks, int levels, Bytes grain) {
  return balanced("stages", ranks, levels, Spread::evenly, grain);
}

std::unique_ptr<Algorithm> make_stages(Rank ranks, const std::vector<Rank>& columns, Bytes grain) {
  return with_columns("stages", ranks, columns, Spread::evenly, grain);
}

std::unique_ptr<Algorithm> make_grid(Rank ranks, int levels, Bytes grain) {
  return balanced("grid", ranks, levels, Spread::none, grain);
}

std::unique_ptr<Algorithm> make_grid(Rank ranks, const std::vector<Rank>& columns, Bytes grain) {
  return with_columns("grid", ranks, columns, Spread::none, grain);
}

}  // namespace shunt
