#include "algorithms/broadcast/broadcasts.hpp"
#include "algorithms/broadcast/halving_phase.hpp"
#include "algorithms/broadcast/phased.hpp"

namespace shunt {

std::unique_ptr<Broadcast> make_br_lin(Sources sources) {
  Phases phases;
  phases.push_back(std::make_unique<HalvingPhase>(Lines::row_major(sources.ranks()), "the line"));
  return std::make_unique<PhasedBroadcast>("br-lin", std::move(sources), std::move(phases));
}

}  // namespace shunt
