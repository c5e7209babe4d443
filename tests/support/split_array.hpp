// Arrays in blocks of any lengths on any ranks, of which every element says where it belongs.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "shunt/distributed_array.hpp"
#include "support/dealt_array.hpp"

namespace shunt::test {

/// An array of which a part is redistributed, from it or to it.
struct SplitSide {
  SplitLayout layout;
  std::vector<Index> begin;       ///< of the part, by dimension of the array
  std::vector<std::size_t> axes;  ///< dimension d of the part lies along this one of the array
};

/// A few blocks, some of them empty, of any of `ranks` ranks.
template <class Random>
SplitSide random_split_side(Random& random, Rank ranks, const std::vector<Index>& extents,
                            std::vector<std::size_t> axes) {
  const auto any = [&](Index from, Index to) {
    return std::uniform_int_distribution<Index>(from, to)(random);
  };
  SplitSide side;
  side.begin.resize(extents.size());
  side.layout.splits.resize(extents.size());
  std::size_t blocks = 1;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const std::size_t axis = axes[d];
    side.begin[axis] = any(0, 1) == 0 ? 0 : any(0, 9);
    const Index extent = side.begin[axis] + extents[d] + (any(0, 1) == 0 ? 0 : any(0, 9));
    std::vector<Index>& splits = side.layout.splits[axis];
    splits = {0, extent};
    for (Index more = any(0, 5); more > 0; --more) splits.push_back(any(0, extent));
    std::ranges::sort(splits);
    blocks *= splits.size() - 1;
  }
  for (std::size_t block = 0; block < blocks; ++block) {
    side.layout.owners.push_back(static_cast<Rank>(any(0, ranks - 1)));
  }
  side.layout.order = any(0, 1) == 0 ? Order::row_major : Order::column_major;
  side.axes = std::move(axes);
  return side;
}

/// Calls `visit(begin, extents)` for each block of `rank`, in the order of the layout.
template <class Visit>
void for_each_block(const SplitLayout& layout, Rank rank, Visit&& visit) {
  std::vector<Index> blocks;
  for (const std::vector<Index>& splits : layout.splits) blocks.push_back(std::ssize(splits) - 1);
  std::size_t number = 0;
  for_each_index(blocks, [&](const std::vector<Index>& place) {
    if (layout.owners[number++] != rank) return;
    std::vector<Index> begin;
    std::vector<Index> extents;
    for (std::size_t d = 0; d < place.size(); ++d) {
      const auto block = static_cast<std::size_t>(place[d]);
      begin.push_back(layout.splits[d][block]);
      extents.push_back(layout.splits[d][block + 1] - begin.back());
    }
    visit(begin, extents);
  });
}

/// Poisoned memory for the blocks of `rank`; where `filled`, with the elements of the part, which
/// has these extents. `gap` unused elements after each line.
[[nodiscard]] inline std::vector<DealtPart> parts_of(const SplitSide& side, Rank rank,
                                                     const std::vector<Index>& extents,
                                                     Bytes element, Index gap, bool filled) {
  std::vector<DealtPart> parts;
  for_each_block(side.layout, rank,
                 [&](const std::vector<Index>& begin, const std::vector<Index>& block) {
                   ArrayLayout alone;
                   for (const Index extent : block) {
                     alone.dimensions.push_back({extent, std::max<Index>(extent, 1)});
                   }
                   alone.order = side.layout.order;
                   DealtPart& part = parts.emplace_back(part_of(alone, 0, element, gap));
                   if (!filled) return;
                   for_each_index(block, [&](const std::vector<Index>& local) {
                     std::vector<Index> index(local.size());
                     for (std::size_t d = 0; d < index.size(); ++d) {
                       const std::size_t axis = side.axes[d];
                       index[d] = begin[axis] + local[axis] - side.begin[axis];
                       if (index[d] < 0 || index[d] >= extents[d]) return;
                     }
                     write_value(element_at(part, local, element), index, element);
                   });
                 });
  return parts;
}

template <class T>
[[nodiscard]] SplitArray<T> array_of(const SplitLayout& layout, std::vector<DealtPart>& parts) {
  SplitArray<T> array{layout, {}};
  for (DealtPart& part : parts) {
    array.blocks.push_back({elements<T>(part.memory), part.strides});
  }
  return array;
}

}  // namespace shunt::test
