#include "shunt/relabelling.hpp"

#include <cstddef>
#include <vector>

#include "redistribution/redistribution.hpp"
#include "schedule/assignment.hpp"

namespace shunt {

namespace {

/// How many elements go from rank to rank, as `to` has its ranks: a row for each that receives.
Weights elements_moved(const Redistribution& redistribution) {
  const Rank ranks = redistribution.ranks();
  const std::vector<Bytes> any_strides(redistribution.from().layout.dimensions.size(), 1);
  Weights elements(static_cast<std::size_t>(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) {
    for (const BoxMessage& message : redistribution.sends(rank, any_strides, 1)) {
      elements.at({message.peer, rank}) = message.box.bytes();
    }
  }
  return elements;
}

/// So that it is better to keep a rank than to change it for nothing.
Weights keeping_ranks(const Weights& elements) {
  const std::size_t ranks = elements.size();
  Weights weights(ranks);
  for (std::size_t to = 0; to < ranks; ++to) {
    for (std::size_t from = 0; from < ranks; ++from) {
      const Edge edge{static_cast<Rank>(to), static_cast<Rank>(from)};
      weights.at(edge) =
          elements.at(to, from) * static_cast<Weight>(ranks + 1) + (to == from ? 1 : 0);
    }
  }
  return weights;
}

}  // namespace

Relabelling relabel(const ArrayLayout& from, const ArrayLayout& to, Rank ranks,
                    const ArraySection& section) {
  const Weights elements = elements_moved(Redistribution(from, to, section, ranks));
  const std::vector<std::size_t> chosen = heaviest_assignment(keeping_ranks(elements));
  Relabelling made{to, 0, 0};
  made.layout.ranks.clear();
  for (Rank number = 0; number < grid_places(to); ++number) {
    const Rank given = to.ranks.empty() ? number : to.ranks[static_cast<std::size_t>(number)];
    made.layout.ranks.push_back(static_cast<Rank>(chosen[static_cast<std::size_t>(given)]));
  }
  for (std::size_t receiver = 0; receiver < elements.size(); ++receiver) {
    for (std::size_t sender = 0; sender < elements.size(); ++sender) {
      const auto moved = static_cast<Index>(elements.at(receiver, sender));
      if (sender != receiver) made.moved_as_given += moved;
      if (sender != chosen[receiver]) made.moved += moved;
    }
  }
  return made;
}

}  // namespace shunt
