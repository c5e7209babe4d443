#include "lab/traffic/traffic_sparse.hpp"

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

std::vector<SparseRow> sparse_rows(const Traffic& traffic) {
  std::vector<SparseRow> rows;
  for (Rank source = 0; source < traffic.ranks(); ++source) {
    rows.push_back(traffic.sparse_row(source));
  }
  return rows;
}

}  // namespace shunt
