#include "bindings/distributed_type.hpp"

#include <algorithm>
#include <utility>

#include <mpi.h>

#include "bindings/checked.hpp"

namespace shunt {

namespace {

constexpr const char* kArrayPlace = "the bytes of an array in a datatype";

/// What a part has of one axis: blocks of `length` indices, the first at `start`, each `step` after
/// the one before, up to the end of the axis.
struct AxisShare {
  Bytes size;
  Bytes start;
  Bytes length;
  Bytes step;
};

/// The indices of the share, each with what `inner` has, `stride` bytes from one to the next.
TypeMapPointer along(const AxisShare& share, const TypeMapPointer& inner, Bytes stride) {
  if (share.start >= share.size || share.length == 0) return std::make_shared<const TypeMap>();
  const Bytes begin = times(share.start, stride, kArrayPlace);
  const Bytes left = share.size - share.start;
  const Bytes whole = (left - 1) / share.step;  // blocks before the last one
  if (whole == 0) return TypeMap::join({{begin, std::min(share.length, left), stride, inner}});
  const Bytes step = times(share.step, stride, kArrayPlace);
  const Bytes rest = std::min(share.length, left - whole * share.step);
  return TypeMap::join({{begin, whole, step, TypeMap::join({{0, share.length, stride, inner}})},
                        {begin + whole * step, rest, stride, inner}});
}

/// The product of shares of all axes, the first one slowest unless the order is Fortran's.
TypeMapPointer product(std::vector<AxisShare> axes, Bytes order, TypeMapPointer element,
                       Bytes extent) {
  if (order != MPI_ORDER_FORTRAN) std::ranges::reverse(axes);
  Bytes stride = extent;
  for (const AxisShare& axis : axes) {
    element = along(axis, element, stride);
    stride = times(axis.size, stride, kArrayPlace);
  }
  return element;
}

/// The length of the blocks in which `ranks` ranks have an axis of `size` indices.
Bytes block_length(Bytes how, Bytes argument, Bytes size, Bytes ranks) {
  if (how == MPI_DISTRIBUTE_NONE) return size;
  if (argument != MPI_DISTRIBUTE_DFLT_DARG) return argument;
  return how == MPI_DISTRIBUTE_CYCLIC ? 1 : (size + ranks - 1) / ranks;
}

}  // namespace

TypeMapPointer subarray(const TypeMapPointer& element, Bytes extent,
                        const std::vector<Bytes>& numbers) {
  const auto dimensions = static_cast<std::size_t>(numbers[0]);
  const Bytes* const sizes = &numbers[1];
  const Bytes* const lengths = sizes + dimensions;
  const Bytes* const starts = lengths + dimensions;
  std::vector<AxisShare> axes;
  for (std::size_t k = 0; k < dimensions; ++k) {
    axes.push_back({sizes[k], starts[k], lengths[k], sizes[k]});
  }
  return product(std::move(axes), starts[dimensions], element, extent);
}

TypeMapPointer distributed_array(const TypeMapPointer& element, Bytes extent,
                                 const std::vector<Bytes>& numbers) {
  const auto dimensions = static_cast<std::size_t>(numbers[2]);
  const Bytes* const sizes = &numbers[3];
  const Bytes* const how = sizes + dimensions;
  const Bytes* const arguments = how + dimensions;
  const Bytes* const grid = arguments + dimensions;
  // The last coordinate of a rank varies the fastest, whatever the order of the array.
  std::vector<AxisShare> axes(dimensions);
  Bytes rank = numbers[1];
  for (std::size_t k = dimensions; k-- > 0;) {
    const Bytes length = block_length(how[k], arguments[k], sizes[k], grid[k]);
    axes[k] = {sizes[k], rank % grid[k] * length, length, grid[k] * length};
    rank /= grid[k];
  }
  return product(std::move(axes), grid[dimensions], element, extent);
}

}  // namespace shunt
