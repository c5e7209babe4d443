#include "lab/bench/redistribution_contest.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "model/array_layout.hpp"
#include "model/hash.hpp"
#include "model/write_anew.hpp"

namespace shunt::bench {

namespace {

/// Who has an element of an array, and where in its part.
class Owners {
 public:
  Owners(const ArrayLayout& layout, Rank ranks) : layout_(layout) {
    for (Rank rank = 0; rank < ranks; ++rank) {
      const auto place = place_of(layout, rank);
      strides_.push_back(place ? dense_strides(local_extents(layout, *place), layout.order)
                               : std::vector<Index>{});
    }
  }

  struct Spot {
    Rank rank;
    Index offset;
  };
  [[nodiscard]] Spot spot(const std::vector<Index>& index) {
    place_.clear();
    for (std::size_t d = 0; d < index.size(); ++d) {
      place_.push_back(layout_.dimensions[d].place_of(index[d]));
    }
    Spot spot{rank_at(layout_, place_), 0};
    const std::vector<Index>& strides = strides_[static_cast<std::size_t>(spot.rank)];
    for (std::size_t d = 0; d < index.size(); ++d) {
      spot.offset += layout_.dimensions[d].local_index(index[d]) * strides[d];
    }
    return spot;
  }

 private:
  const ArrayLayout& layout_;
  std::vector<std::vector<Index>> strides_;  ///< by rank
  Place place_;
};

/// Calls `visit(index, offset)` for all elements of a rank's part, which lie without gaps.
template <class Visit>
void for_each_element(const ArrayLayout& layout, Rank rank, Visit&& visit) {
  const auto place = place_of(layout, rank);
  if (!place) return;
  const std::vector<Index> extents = local_extents(layout, *place);
  if (std::ranges::count(extents, 0) > 0) return;
  const std::vector<Index> strides = dense_strides(extents, layout.order);
  std::vector<Index> local(extents.size(), 0);
  std::vector<Index> index(extents.size());
  for (;;) {
    Index offset = 0;
    for (std::size_t d = 0; d < local.size(); ++d) {
      index[d] = layout.dimensions[d].index_at((*place)[d], local[d]);
      offset += local[d] * strides[d];
    }
    visit(index, offset);
    std::size_t d = local.size();
    while (d > 0 && ++local[d - 1] == extents[d - 1]) local[--d] = 0;
    if (d == 0) return;
  }
}

Index elements_of(const ArrayLayout& layout, Rank rank) {
  const auto place = place_of(layout, rank);
  if (!place) return 0;
  Index elements = 1;
  for (const Index extent : local_extents(layout, *place)) {
    if (__builtin_mul_overflow(elements, extent, &elements) ||
        elements > std::numeric_limits<int>::max()) {
      throw Error(ErrorKind::count,
                  fmt::format("rank {} has more elements than the {} to which MPI_Alltoallv counts",
                              rank, std::numeric_limits<int>::max()));
    }
  }
  return elements;
}

}  // namespace

RedistributionContest::RedistributionContest(MPI_Comm comm, const ArrayLayout& from,
                                             const ArrayLayout& to, Bytes element,
                                             const ContestOptions& options)
    : comm_(comm),
      communicator_(comm),
      element_(element),
      from_(values(from)),
      to_(values(to)),
      sends_(lists(from, to, true)),
      receives_(lists(to, from, false)),
      contest_(comm, options) {
  MPI_Type_contiguous(static_cast<int>(element), MPI_BYTE, &type_);
  MPI_Type_commit(&type_);
  const Contestant by_hand{"by hand",
                           "",
                           "",
                           [this] { redistribute_by_hand(); },
                           [this] {
                             to_.spoil();
                             write_anew(from_);
                           },
                           [this] { return to_.wrong(); }};
  contest_.add(by_hand);
  contest_.add_shunt(forms_of_element(from, to), by_hand);
}

RedistributionContest::~RedistributionContest() { MPI_Type_free(&type_); }

RedistributionContest::Lists RedistributionContest::lists(const ArrayLayout& mine,
                                                          const ArrayLayout& others,
                                                          bool sends) const {
  struct Entry {
    Rank rank;
    Index order;
    std::size_t element;
  };
  const auto ranks = static_cast<std::size_t>(communicator_.ranks());
  Owners owners(others, communicator_.ranks());
  std::vector<Entry> entries;
  for_each_element(mine, communicator_.rank(), [&](const std::vector<Index>& index, Index offset) {
    const Owners::Spot other = owners.spot(index);
    entries.push_back(
        {other.rank, sends ? offset : other.offset, static_cast<std::size_t>(offset)});
  });
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair(e.rank, e.order); });
  Lists made{{}, std::vector<int>(ranks, 0), std::vector<int>(ranks, 0), {}};
  for (const Entry& entry : entries) {
    made.elements.push_back(entry.element);
    ++made.counts[static_cast<std::size_t>(entry.rank)];
  }
  for (std::size_t k = 1; k < ranks; ++k) {
    made.displacements[k] = made.displacements[k - 1] + made.counts[k - 1];
  }
  made.packed.resize(entries.size() * static_cast<std::size_t>(element_));
  return made;
}

std::vector<std::byte> RedistributionContest::values(const ArrayLayout& layout) const {
  const auto element = static_cast<std::size_t>(element_);
  std::vector<std::byte> bytes(static_cast<std::size_t>(elements_of(layout, communicator_.rank())) *
                               element);
  for_each_element(
      layout, communicator_.rank(), [&](const std::vector<Index>& index, Index offset) {
        std::uint64_t value = 0;
        for (const Index i : index) value = hash(value, static_cast<std::uint64_t>(i));
        std::byte* const at = bytes.data() + static_cast<std::size_t>(offset) * element;
        for (std::size_t k = 0; k < element; k += sizeof value) {
          value = hash(value, k);
          std::memcpy(at + k, &value, std::min(sizeof value, element - k));
        }
      });
  return bytes;
}

void RedistributionContest::redistribute_by_hand() {
  const auto element = static_cast<std::size_t>(element_);
  const auto copy = [element](std::byte* to, const std::byte* from) {
    // The usual length as a constant, which makes a move of it.
    if (element == sizeof(double)) {
      std::memcpy(to, from, sizeof(double));
    } else {
      std::memcpy(to, from, element);
    }
  };
  for (std::size_t k = 0; k < sends_.elements.size(); ++k) {
    copy(sends_.packed.data() + k * element, from_.data() + sends_.elements[k] * element);
  }
  MPI_Alltoallv(sends_.packed.data(), sends_.counts.data(), sends_.displacements.data(), type_,
                receives_.packed.data(), receives_.counts.data(), receives_.displacements.data(),
                type_, comm_);
  std::byte* const to = to_.span().data();
  for (std::size_t k = 0; k < receives_.elements.size(); ++k) {
    copy(to + receives_.elements[k] * element, receives_.packed.data() + k * element);
  }
}

template <class Element>
Forms RedistributionContest::forms(const ArrayLayout& from, const ArrayLayout& to) {
  const auto count = [](std::size_t bytes) { return bytes / sizeof(Element); };
  const DistributedArray<const Element> source{
      from, {reinterpret_cast<const Element*>(from_.data()), count(from_.size())}};
  const DistributedArray<Element> target{
      to, {reinterpret_cast<Element*>(to_.span().data()), count(to_.span().size())}};
  return {[this, source, target](const Options& options) {
            return communicator_.plan_redistribution(source, target, {}, options);
          },
          [this, source, target](const Options& options) {
            return communicator_.redistribute(source, target, {}, options);
          }};
}

Forms RedistributionContest::forms_of_element(const ArrayLayout& from, const ArrayLayout& to) {
  switch (element_) {
    case 1:
      return forms<std::array<std::byte, 1>>(from, to);
    case 2:
      return forms<std::array<std::byte, 2>>(from, to);
    case 4:
      return forms<std::array<std::byte, 4>>(from, to);
    case 8:
      return forms<std::array<std::byte, 8>>(from, to);
    case 16:
      return forms<std::array<std::byte, 16>>(from, to);
    case 32:
      return forms<std::array<std::byte, 32>>(from, to);
    default:
      throw Error(ErrorKind::argument,
                  fmt::format("elements of {} bytes; they have 1, 2, 4, 8, 16 or 32", element_));
  }
}

}  // namespace shunt::bench
