#include "algorithms/allgather/array_groups.hpp"
#include "algorithms/allgather/move_phase.hpp"

namespace shunt {

namespace {

constexpr PatternNames kHalvingNames{"recursive-halving", "halving-by-source", "halving-by-shape"};
constexpr PatternNames kRepositionNames{"reposition", "reposition-by-source",
                                        "reposition-by-shape"};

/// The phases with the permutation, or without it.
Phases phases_of(ArrayPattern pattern, const Extents& array, const Sources& sources,
                 bool repositions) {
  const ArrayGroup group = ArrayGroup::whole(array);
  std::vector<Rank> places(sources.list().begin(), sources.list().end());
  if (repositions) places = ideal_places(pattern, group, sources.count());
  std::vector<bool> holds(sources.lengths().size(), false);
  for (const Rank place : places) holds[static_cast<std::size_t>(place)] = true;
  Phases phases;
  if (repositions) {
    phases.push_back(
        std::make_unique<MovePhase>(move_to(sources, places), "reposition the sources"));
  }
  append_spreading(pattern, {group}, holds, phases);
  return phases;
}

}  // namespace

std::unique_ptr<Allgather> make_halving(ArrayPattern pattern, const Extents& array,
                                        Sources sources) {
  Phases phases = phases_of(pattern, array, sources, false);
  return std::make_unique<PhasedAllgather>(pattern_name(kHalvingNames, pattern, array),
                                           std::move(sources), std::move(phases));
}

std::unique_ptr<Allgather> make_reposition(ArrayPattern pattern, const Extents& array,
                                           Sources sources) {
  Phases phases = phases_of(pattern, array, sources, true);
  return std::make_unique<PhasedAllgather>(pattern_name(kRepositionNames, pattern, array),
                                           std::move(sources), std::move(phases));
}

std::unique_ptr<Allgather> make_reposition_if_it_pays(ArrayPattern pattern, const Extents& array,
                                                      const Sources& sources,
                                                      const LinkCost& cost) {
  std::string name = pattern_name(kRepositionNames, pattern, array);
  name += name.find(':') == std::string::npos ? ":if-it-pays" : ",if-it-pays";
  const bool pays = make_reposition(pattern, array, sources)->predict(cost) <
                    make_halving(pattern, array, sources)->predict(cost);
  return std::make_unique<PhasedAllgather>(std::move(name), sources,
                                           phases_of(pattern, array, sources, pays));
}

}  // namespace shunt
