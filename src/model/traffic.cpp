#include "model/traffic.hpp"

namespace shunt {

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

}  // namespace shunt
