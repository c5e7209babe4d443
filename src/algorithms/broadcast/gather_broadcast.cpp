#include "algorithms/broadcast/broadcasts.hpp"
#include "algorithms/broadcast/halving_phase.hpp"
#include "algorithms/broadcast/move_phase.hpp"
#include "algorithms/broadcast/phased.hpp"

namespace shunt {

std::unique_ptr<Broadcast> make_gather_broadcast(Sources sources) {
  std::vector<Rank> target(sources.lengths().size(), kNoRank);
  for (const Rank source : sources.list()) target[static_cast<std::size_t>(source)] = 0;
  Phases phases;
  phases.push_back(std::make_unique<MovePhase>(std::move(target), "gather at rank 0"));
  phases.push_back(std::make_unique<HalvingPhase>(Lines::row_major(sources.ranks()), "the line"));
  return std::make_unique<PhasedBroadcast>("gather-broadcast", std::move(sources),
                                           std::move(phases));
}

}  // namespace shunt
