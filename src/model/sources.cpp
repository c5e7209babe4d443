#include "model/sources.hpp"

#include <limits>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

Sources::Sources(std::vector<Bytes> lengths) : lengths_(std::move(lengths)) {
  for (Rank rank = 0; rank < ranks(); ++rank) {
    const Bytes block = length(rank);
    if (block < 0) {
      throw Error(ErrorKind::count,
                  fmt::format("the block of rank {} has the negative length {}", rank, block));
    }
    if (block == 0) continue;
    if (block > std::numeric_limits<Bytes>::max() - total_) {
      throw Error(ErrorKind::count,
                  fmt::format("the blocks of ranks 0 to {} together exceed 64 bits", rank));
    }
    total_ += block;
    list_.push_back(rank);
    if (longest_ == kNoRank || block > length(longest_)) longest_ = rank;
  }
}

Sources Sources::equal(Rank ranks, std::span<const Rank> sources, Bytes length) {
  std::vector<Bytes> lengths(static_cast<std::size_t>(ranks), 0);
  for (const Rank source : sources) {
    if (source < 0 || source >= ranks) {
      throw Error(ErrorKind::rank,
                  fmt::format("source {} is not a rank between 0 and {}", source, ranks - 1));
    }
    lengths[static_cast<std::size_t>(source)] = length;
  }
  return Sources(std::move(lengths));
}

}  // namespace shunt
