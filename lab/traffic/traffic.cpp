#include "lab/traffic/traffic.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

namespace {

void add_load(Bytes& sum, Bytes bytes) {
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

void Traffic::row(Rank source, std::span<Bytes> counts) const {
  for (Rank destination = 0; destination < ranks(); ++destination) {
    counts[static_cast<std::size_t>(destination)] = count(source, destination);
  }
}

void Traffic::column(Rank destination, std::span<Bytes> counts) const {
  for (Rank source = 0; source < ranks(); ++source) {
    counts[static_cast<std::size_t>(source)] = count(source, destination);
  }
}

SparseRow Traffic::sparse_row(Rank source) const {
  std::vector<Bytes> counts(static_cast<std::size_t>(ranks()));
  row(source, counts);
  SparseRow blocks;
  for (Rank destination = 0; destination < ranks(); ++destination) {
    const Bytes count = counts[static_cast<std::size_t>(destination)];
    if (count != 0) blocks.push_back({destination, count});
  }
  return blocks;
}

Loads loads_of(const Traffic& traffic, Bytes element) {
  const auto ranks = static_cast<std::size_t>(traffic.ranks());
  Loads loads{std::vector<Bytes>(ranks), std::vector<Bytes>(ranks), 0};
  std::vector<Bytes> row(ranks);
  for (std::size_t source = 0; source < ranks; ++source) {
    traffic.row(static_cast<Rank>(source), row);
    for (std::size_t destination = 0; destination < ranks; ++destination) {
      const Bytes bytes = to_bytes(row[destination], element);
      add_load(loads.out[source], bytes);
      add_load(loads.in[destination], bytes);
      loads.longest_block = std::max(loads.longest_block, bytes);
    }
  }
  return loads;
}

}  // namespace shunt
