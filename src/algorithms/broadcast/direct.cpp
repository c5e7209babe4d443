#include "algorithms/broadcast/broadcasts.hpp"
#include "algorithms/broadcast/direct_phase.hpp"
#include "algorithms/broadcast/phased.hpp"

namespace shunt {

std::unique_ptr<Broadcast> make_direct(Sources sources) {
  Phases phases;
  phases.push_back(
      std::make_unique<DirectPhase>(Lines::row_major(sources.ranks()), "to each rank"));
  return std::make_unique<PhasedBroadcast>("direct", std::move(sources), std::move(phases));
}

}  // namespace shunt
