#include "redistribution/piecewise.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/array_layout.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Of so many indices, on one place.
BlockCyclic undivided(Index extent) { return {extent, std::max(extent, Index{1})}; }

void expect_splits(const std::vector<Index>& splits, std::size_t dimension, std::string_view what) {
  if (splits.size() < 2 || splits.front() != 0) {
    throw Error(ErrorKind::argument,
                fmt::format("{}: the splits of dimension {} begin with 0 and end with its extent",
                            what, dimension));
  }
  const auto back = std::ranges::adjacent_find(splits, std::greater());
  if (back != splits.end()) {
    throw Error(ErrorKind::argument,
                fmt::format("{}: split {} follows {} in dimension {}; splits ascend", what,
                            *std::next(back), *back, dimension));
  }
}

std::size_t number_of(const std::vector<std::vector<Index>>& splits,
                      const std::vector<std::size_t>& place) {
  std::size_t number = 0;
  for (std::size_t d = 0; d < place.size(); ++d) {
    number = number * (splits[d].size() - 1) + place[d];
  }
  return number;
}

/// What lies in one block of either array, along one dimension of the section.
struct Overlap {
  Index begin;
  Index end;
  std::size_t from;
  std::size_t to;
};

/// Where the block begins and ends in the section, of which index 0 is index `begin` of the array.
struct SplitBlocks {
  const std::vector<Index>& splits;
  Index begin;

  [[nodiscard]] std::size_t count() const { return splits.size() - 1; }
  [[nodiscard]] Index begin_of(std::size_t block) const { return splits[block] - begin; }
  [[nodiscard]] Index end_of(std::size_t block) const { return splits[block + 1] - begin; }
};

std::vector<Overlap> overlaps(const SplitBlocks& from, const SplitBlocks& to, Index extent) {
  std::vector<Overlap> found;
  for (std::size_t i = 0, j = 0; i < from.count() && j < to.count();) {
    const Index begin = std::max({from.begin_of(i), to.begin_of(j), Index{0}});
    const Index end = std::min({from.end_of(i), to.end_of(j), extent});
    if (begin < end) found.push_back({begin, end, i, j});
    if (from.end_of(i) < to.end_of(j)) {
      ++i;
    } else {
      ++j;
    }
  }
  return found;
}

/// The array without its cuts, to ask whether the section is one of it.
ArrayLayout uncut(const PiecewiseLayout& layout) {
  if (layout.pieces.size() == 1) return layout.pieces.front();
  ArrayLayout all;
  for (const std::vector<Index>& splits : layout.splits) {
    all.dimensions.push_back(undivided(splits.back()));
  }
  all.ranks = {0};
  return all;
}

bool is_elsewhere(const ArrayLayout& piece, Rank rank) {
  return piece.ranks.size() == 1 && piece.ranks.front() != rank;
}

}  // namespace

PiecewiseLayout one_piece(const ArrayLayout& layout, Rank ranks, std::string_view what) {
  expect_layout(layout, ranks, what);
  PiecewiseLayout whole;
  for (const BlockCyclic& dimension : layout.dimensions) {
    whole.splits.push_back({0, dimension.extent});
  }
  whole.pieces.push_back(layout);
  return whole;
}

PiecewiseLayout pieces_of(const SplitLayout& layout, Rank ranks, std::string_view what) {
  if (layout.splits.empty()) {
    throw Error(ErrorKind::argument, fmt::format("{} has no dimension; it has at least one", what));
  }
  std::vector<std::size_t> blocks;
  std::size_t count = 1;
  for (std::size_t d = 0; d < layout.splits.size(); ++d) {
    expect_splits(layout.splits[d], d, what);
    blocks.push_back(layout.splits[d].size() - 1);
    if (__builtin_mul_overflow(count, blocks.back(), &count)) count = 0;
  }
  if (count != layout.owners.size()) {
    throw Error(ErrorKind::count, fmt::format("{}: there are {} owners of {} blocks", what,
                                              layout.owners.size(), fmt::join(blocks, " x ")));
  }
  for (const Rank owner : layout.owners) {
    if (owner >= 0 && owner < ranks) continue;
    throw Error(ErrorKind::rank,
                fmt::format("{}: rank {} owns a block; ranks are 0 to {}", what, owner, ranks - 1));
  }
  PiecewiseLayout pieces{layout.splits, {}};
  for_each_place(blocks, [&](const std::vector<std::size_t>& place) {
    ArrayLayout& piece = pieces.pieces.emplace_back();
    for (std::size_t d = 0; d < place.size(); ++d) {
      const std::vector<Index>& splits = layout.splits[d];
      piece.dimensions.push_back(undivided(splits[place[d] + 1] - splits[place[d]]));
    }
    piece.ranks = {layout.owners[pieces.pieces.size() - 1]};
    piece.order = layout.order;
  });
  return pieces;
}

std::vector<PieceRedistribution> redistributions_of_pieces(const PiecewiseLayout& from,
                                                           const PiecewiseLayout& to,
                                                           const ArraySection& section, Rank ranks,
                                                           Rank rank) {
  const Redistribution whole(uncut(from), uncut(to), section, ranks);
  const std::vector<Index>& from_begin = whole.from().begin;
  const std::vector<Index>& to_begin = whole.to().begin;
  const std::vector<std::size_t>& to_axes = whole.to().axes;
  std::vector<std::vector<Overlap>> along;
  std::vector<std::size_t> counts;
  for (std::size_t d = 0; d < to_axes.size(); ++d) {
    along.push_back(overlaps({from.splits[d], from_begin[d]},
                             {to.splits[to_axes[d]], to_begin[to_axes[d]]}, whole.extents()[d]));
    counts.push_back(along.back().size());
  }
  std::vector<PieceRedistribution> found;
  for_each_place(counts, [&](const std::vector<std::size_t>& choice) {
    std::vector<std::size_t> from_place(choice.size());
    std::vector<std::size_t> to_place(choice.size());
    for (std::size_t d = 0; d < choice.size(); ++d) {
      from_place[d] = along[d][choice[d]].from;
      to_place[to_axes[d]] = along[d][choice[d]].to;
    }
    const std::size_t from_piece = number_of(from.splits, from_place);
    const std::size_t to_piece = number_of(to.splits, to_place);
    if (is_elsewhere(from.pieces[from_piece], rank) && is_elsewhere(to.pieces[to_piece], rank)) {
      return;
    }
    ArraySection part{{}, from_begin, to_begin, to_axes};
    for (std::size_t d = 0; d < choice.size(); ++d) {
      const Overlap& overlap = along[d][choice[d]];
      const std::size_t axis = to_axes[d];
      part.extents.push_back(overlap.end - overlap.begin);
      part.from_begin[d] += overlap.begin - from.splits[d][overlap.from];
      part.to_begin[axis] += overlap.begin - to.splits[axis][overlap.to];
    }
    found.push_back(
        {from_piece, to_piece, {from.pieces[from_piece], to.pieces[to_piece], part, ranks}});
  });
  return found;
}

}  // namespace shunt
