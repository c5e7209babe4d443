#include "schedule/place_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "shunt/error.hpp"

namespace shunt {

PlaceGrid::PlaceGrid(const std::vector<Rank>& extents, PlaceOrder order)
    : extents_(extents), strides_(extents.size()) {
  for (std::size_t k = 0; k < extents.size(); ++k) {
    const std::size_t dimension = order == PlaceOrder::column_major ? k : extents.size() - 1 - k;
    strides_[dimension] = places_;
    if (__builtin_mul_overflow(places_, extents[dimension], &places_)) {
      throw Error(ErrorKind::count, fmt::format("a grid of {} has more places than can be counted",
                                                fmt::join(extents, "x")));
    }
  }
}

}  // namespace shunt
