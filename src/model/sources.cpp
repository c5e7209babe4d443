#include "model/sources.hpp"

#include <limits>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

SourceTotals totals_of(std::span<const Bytes> lengths) {
  SourceTotals totals;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const Bytes length = lengths[k];
    if (length < 0) {
      throw Error(ErrorKind::count,
                  fmt::format("the block of rank {} has the negative length {}", k, length));
    }
    if (length == 0) continue;
    if (length > std::numeric_limits<Bytes>::max() - totals.bytes) {
      throw Error(ErrorKind::count,
                  fmt::format("the blocks of ranks 0 to {} together exceed 64 bits", k));
    }
    totals.bytes += length;
    ++totals.sources;
    if (length <= totals.longest_length) continue;
    totals.longest = static_cast<Rank>(k);
    totals.longest_length = length;
  }
  return totals;
}

Sources::Sources(std::vector<Bytes> lengths)
    : lengths_(std::move(lengths)), totals_(totals_of(lengths_)) {
  list_.reserve(static_cast<std::size_t>(totals_.sources));
  for (Rank rank = 0; rank < ranks(); ++rank) {
    if (is_source(rank)) list_.push_back(rank);
  }
}

}  // namespace shunt
