#include "model/loads.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/traffic.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

void add(Bytes& sum, Bytes bytes) {
  if (__builtin_add_overflow(sum, bytes, &sum)) {
    throw Error(ErrorKind::count, "the load of a rank exceeds 64 bits");
  }
}

}  // namespace

Bytes to_bytes(Bytes count, Bytes element) {
  if (element < 0) {
    throw Error(ErrorKind::argument,
                fmt::format("an element has {} bytes, but must have 0 or more", element));
  }
  Bytes bytes = 0;
  if (__builtin_mul_overflow(count, element, &bytes)) {
    throw Error(ErrorKind::count,
                fmt::format("a block of {} elements of {} bytes exceeds 64 bits", count, element));
  }
  return bytes;
}

TrafficBound Loads::bound() const {
  TrafficBound bound{0, longest_block};
  for (const Bytes load : out) bound.largest_load = std::max(bound.largest_load, load);
  for (const Bytes load : in) bound.largest_load = std::max(bound.largest_load, load);
  return bound;
}

Loads loads_of(const Traffic& traffic, Bytes element) {
  const auto ranks = static_cast<std::size_t>(traffic.ranks());
  Loads loads{std::vector<Bytes>(ranks), std::vector<Bytes>(ranks), 0};
  std::vector<Bytes> row(ranks);
  for (std::size_t source = 0; source < ranks; ++source) {
    traffic.row(static_cast<Rank>(source), row);
    for (std::size_t destination = 0; destination < ranks; ++destination) {
      const Bytes bytes = to_bytes(row[destination], element);
      add(loads.out[source], bytes);
      add(loads.in[destination], bytes);
      loads.longest_block = std::max(loads.longest_block, bytes);
    }
  }
  return loads;
}

}  // namespace shunt
