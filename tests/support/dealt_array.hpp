// Arrays that are dealt out over ranks, of which every element says where it belongs, and
// redistributions of them as an oracle computes them: element by element, by who owns it.
#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "redistribution/redistribution.hpp"

namespace shunt::test {

/// The part of one rank of an array, with gaps between its lines.
struct DealtPart {
  std::vector<Index> strides;  ///< in elements
  std::vector<std::byte> memory;
};

/// A byte that nobody wrote.
inline constexpr Bytes kPoison = 0xa5;

[[nodiscard]] inline std::vector<Bytes> in_bytes(const std::vector<Index>& strides, Bytes element) {
  std::vector<Bytes> bytes;
  for (const Index stride : strides) bytes.push_back(stride * element);
  return bytes;
}

/// Poisoned memory for what `rank` has of an array; `gap` unused elements after each line.
[[nodiscard]] inline DealtPart part_of(const ArrayLayout& layout, Rank rank, Bytes element,
                                       Index gap) {
  const auto place = place_of(layout, rank);
  DealtPart part;
  std::vector<Index> extents(layout.dimensions.size(), 0);
  if (place) extents = local_extents(layout, *place);
  std::vector<Index> padded = extents;
  (layout.order == Order::column_major ? padded.front() : padded.back()) += gap;
  part.strides = dense_strides(padded, layout.order);
  Index elements = 1;
  for (const Index extent : padded) elements *= extent;
  part.memory.assign(static_cast<std::size_t>(elements * element), std::byte{kPoison});
  return part;
}

/// Calls `visit(index)` for all indices of a box of these extents.
template <class Visit>
void for_each_index(const std::vector<Index>& extents, Visit&& visit) {
  for (const Index extent : extents) {
    if (extent == 0) return;
  }
  std::vector<Index> index(extents.size(), 0);
  for (;;) {
    visit(index);
    std::size_t d = index.size();
    while (d > 0 && ++index[d - 1] == extents[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

/// Where the element `index` of an array lies: whose it is, and which of its elements.
struct Spot {
  Rank rank;
  std::vector<Index> local;
};

[[nodiscard]] inline Spot spot_of(const ArrayLayout& layout, const std::vector<Index>& index) {
  Place place(index.size());
  std::vector<Index> local(index.size());
  for (std::size_t d = 0; d < index.size(); ++d) {
    place[d] = layout.dimensions[d].place_of(index[d]);
    local[d] = layout.dimensions[d].local_index(index[d]);
  }
  return {rank_at(layout, place), local};
}

[[nodiscard]] inline std::byte* element_at(DealtPart& part, const std::vector<Index>& local,
                                           Bytes element) {
  Index offset = 0;
  for (std::size_t d = 0; d < local.size(); ++d) offset += local[d] * part.strides[d];
  return part.memory.data() + offset * element;
}

/// Bytes that no other element has, for arrays of fewer than 2^32 elements.
inline void write_value(std::byte* at, const std::vector<Index>& index, Bytes element) {
  std::uint64_t hash = 1469598103934665603U;
  for (const Index i : index) hash = (hash ^ static_cast<std::uint64_t>(i + 1)) * 1099511628211U;
  for (Bytes k = 0; k < element; ++k) {
    if (k % 8 == 0) hash = hash * 6364136223846793005U + 1442695040888963407U;
    at[k] = static_cast<std::byte>(hash >> (8 * (k % 8)));
  }
}

/// Memory as elements of one type.
template <class T>
std::span<T> elements(std::vector<std::byte>& memory) {
  return {reinterpret_cast<T*>(memory.data()), memory.size() / sizeof(T)};
}

/// A redistribution with what it is about.
struct RedistributionCase {
  ArraySide from;
  ArraySide to;
  std::vector<Index> extents;
  Bytes element;
  Index from_gap;
  Index to_gap;
};

/// A grid over some of `ranks` ranks, in any order, of dimensions that hold `extent` indices from
/// `begin` on.
template <class Random>
ArraySide random_side(Random& random, Rank ranks, const std::vector<Index>& extents,
                      std::vector<std::size_t> axes) {
  const auto any = [&](Index from, Index to) {
    return std::uniform_int_distribution<Index>(from, to)(random);
  };
  ArraySide side;
  side.begin.resize(extents.size());
  side.layout.dimensions.resize(extents.size());
  Rank places = 1;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const std::size_t axis = axes[d];
    side.begin[axis] = any(0, 1) == 0 ? 0 : any(0, 9);
    const Rank most = ranks / places;
    BlockCyclic& dimension = side.layout.dimensions[axis];
    dimension.extent = side.begin[axis] + extents[d] + (any(0, 1) == 0 ? 0 : any(0, 9));
    dimension.places = static_cast<Rank>(any(1, most));
    dimension.block =
        any(0, 3) == 0
            ? std::max<Index>((dimension.extent + dimension.places - 1) / dimension.places, 1)
            : any(1, any(1, 9));
    dimension.first = static_cast<Rank>(any(0, dimension.places - 1));
    places *= dimension.places;
  }
  if (any(0, 2) > 0) {
    std::vector<Rank> all(static_cast<std::size_t>(ranks));
    for (Rank rank = 0; rank < ranks; ++rank) all[static_cast<std::size_t>(rank)] = rank;
    std::shuffle(all.begin(), all.end(), random);
    side.layout.ranks.assign(all.begin(), all.begin() + places);
  }
  side.layout.order = any(0, 1) == 0 ? Order::row_major : Order::column_major;
  side.axes = std::move(axes);
  return side;
}

template <class Random>
RedistributionCase random_case(Random& random, Rank ranks) {
  const auto any = [&](Index from, Index to) {
    return std::uniform_int_distribution<Index>(from, to)(random);
  };
  const auto dimensions = static_cast<std::size_t>(any(1, 3));
  const Index longest[] = {200, 30, 10};
  RedistributionCase made;
  std::vector<std::size_t> axes;
  for (std::size_t d = 0; d < dimensions; ++d) {
    made.extents.push_back(any(0, 19) == 0 ? 0 : any(1, longest[dimensions - 1]));
    axes.push_back(d);
  }
  made.from = random_side(random, ranks, made.extents, axes);
  if (any(0, 2) == 0) std::shuffle(axes.begin(), axes.end(), random);
  made.to = random_side(random, ranks, made.extents, axes);
  const Bytes elements[] = {1, 2, 4, 8, 12, 16, 24};
  made.element = elements[any(0, 6)];
  made.from_gap = any(0, 2);
  made.to_gap = any(0, 2);
  return made;
}

/// Index of the element of a side's array that is at `index` of the part.
[[nodiscard]] inline std::vector<Index> in_array(const ArraySide& side,
                                                 const std::vector<Index>& index) {
  std::vector<Index> in(index.size());
  for (std::size_t d = 0; d < index.size(); ++d) {
    in[side.axes[d]] = side.begin[side.axes[d]] + index[d];
  }
  return in;
}

/// A side's part of `rank`, its elements in place; poison elsewhere.
[[nodiscard]] inline DealtPart filled_part(const RedistributionCase& made, const ArraySide& side,
                                           Index gap, Rank rank) {
  DealtPart part = part_of(side.layout, rank, made.element, gap);
  for_each_index(made.extents, [&](const std::vector<Index>& index) {
    const Spot spot = spot_of(side.layout, in_array(side, index));
    if (spot.rank != rank) return;
    write_value(element_at(part, spot.local, made.element), index, made.element);
  });
  return part;
}

/// What `rank` has before.
[[nodiscard]] inline DealtPart sent_part(const RedistributionCase& made, Rank rank) {
  return filled_part(made, made.from, made.from_gap, rank);
}

/// What it has afterwards.
[[nodiscard]] inline DealtPart expected_part(const RedistributionCase& made, Rank rank) {
  return filled_part(made, made.to, made.to_gap, rank);
}

}  // namespace shunt::test
