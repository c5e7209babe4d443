#include "lab/bench/source_blocks.hpp"

#include <utility>

namespace shunt::bench {

SourceBlocks::SourceBlocks(const Sources& sources, Rank rank, std::byte* folded)
    : layout_(Layout::packed(sources.lengths())) {
  if (folded == nullptr) {
    fill(static_cast<std::size_t>(rank));
  } else {
    send_ = {folded, static_cast<std::size_t>(sources.length(rank))};
    receive_ = {folded + send_.size(), static_cast<std::size_t>(sources.total())};
  }
}

void SourceBlocks::fill(std::size_t rank) {
  std::vector<std::byte> expected;
  for (std::size_t k = 0; k < layout_.counts.size(); ++k) {
    const auto source = static_cast<Rank>(k);
    // A block goes to all ranks alike.
    for (Bytes i = 0; i < layout_.counts[k]; ++i) expected.push_back(byte_of(source, source, i));
  }
  const auto* const own = expected.data() + layout_.displacements[rank];
  sent_.assign(own, own + layout_.counts[rank]);
  received_ = CheckedBytes(std::move(expected));
  send_ = sent_;
  receive_ = received_.span();
}

}  // namespace shunt::bench
