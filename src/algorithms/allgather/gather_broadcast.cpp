#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/halving_phase.hpp"
#include "algorithms/allgather/move_phase.hpp"
#include "algorithms/allgather/phased.hpp"

namespace shunt {

std::unique_ptr<Allgather> make_gather_broadcast(Sources sources) {
  std::vector<Rank> target(sources.lengths().size(), kNoRank);
  for (const Rank source : sources.list()) target[static_cast<std::size_t>(source)] = 0;
  Phases phases;
  phases.push_back(std::make_unique<MovePhase>(std::move(target), "gather at rank 0"));
  phases.push_back(std::make_unique<HalvingPhase>(Lines::row_major(sources.ranks()), "the line"));
  return std::make_unique<PhasedAllgather>("gather-broadcast", std::move(sources),
                                           std::move(phases));
}

}  // namespace shunt
