#include "algorithms/allgather/lines.hpp"

#include <algorithm>
#include <numeric>

namespace shunt {

RankLists ranks_by_node(const Machine& machine) {
  RankLists nodes;
  for (Rank node = 0; node < machine.nodes(); ++node) {
    const auto members = machine.ranks_of(node);
    nodes.emplace_back(members.begin(), members.end());
  }
  return nodes;
}

Lines::Lines(Rank ranks, const RankLists& lines)
    : begin_(index_of(ranks), kNoRank), size_(index_of(ranks)), place_(index_of(ranks)) {
  order_.reserve(index_of(ranks));
  for (const std::vector<Rank>& line : lines) add(line);
  for (Rank rank = 0; rank < ranks; ++rank) {
    if (begin_[index_of(rank)] == kNoRank) add({rank});
  }
  sizes_ = size_;
  std::ranges::sort(sizes_);
  sizes_.erase(std::ranges::unique(sizes_).begin(), sizes_.end());
}

void Lines::add(const std::vector<Rank>& line) {
  const auto begin = static_cast<Rank>(order_.size());
  for (const Rank rank : line) {
    begin_[index_of(rank)] = begin;
    size_[index_of(rank)] = static_cast<Rank>(line.size());
    place_[index_of(rank)] = static_cast<Rank>(order_.size()) - begin;
    order_.push_back(rank);
  }
}

Lines Lines::row_major(Rank ranks) {
  std::vector<Rank> line(index_of(ranks));
  std::iota(line.begin(), line.end(), 0);
  return {ranks, {line}};
}

}  // namespace shunt
