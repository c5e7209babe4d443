#include "model/traffic_sparse.hpp"

#include <algorithm>
#include <utility>

namespace shunt {

SparseTraffic::SparseTraffic(std::string name, std::vector<SparseRow> rows)
    : name_(std::move(name)), rows_(std::move(rows)) {}

Bytes SparseTraffic::count(Rank source, Rank destination) const {
  const SparseRow& row = rows_[static_cast<std::size_t>(source)];
  const auto found = std::ranges::lower_bound(row, destination, {}, &SparseCount::destination);
  return found != row.end() && found->destination == destination ? found->count : 0;
}

void SparseTraffic::row(Rank source, std::span<Bytes> counts) const {
  std::ranges::fill(counts, 0);
  for (const SparseCount& block : rows_[static_cast<std::size_t>(source)]) {
    counts[static_cast<std::size_t>(block.destination)] = block.count;
  }
}

SparseRow sparse_row(const Traffic& traffic, Rank source) {
  std::vector<Bytes> counts(static_cast<std::size_t>(traffic.ranks()));
  traffic.row(source, counts);
  SparseRow row;
  for (Rank destination = 0; destination < traffic.ranks(); ++destination) {
    const Bytes count = counts[static_cast<std::size_t>(destination)];
    if (count != 0) row.push_back({destination, count});
  }
  return row;
}

std::vector<SparseRow> sparse_rows(const Traffic& traffic) {
  std::vector<SparseRow> rows;
  for (Rank source = 0; source < traffic.ranks(); ++source) {
    rows.push_back(sparse_row(traffic, source));
  }
  return rows;
}

}  // namespace shunt
