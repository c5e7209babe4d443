#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/direct_phase.hpp"
#include "algorithms/allgather/phased.hpp"

namespace shunt {

std::unique_ptr<Allgather> make_direct(Sources sources) {
  Phases phases;
  phases.push_back(
      std::make_unique<DirectPhase>(Lines::row_major(sources.ranks()), "to each rank"));
  return std::make_unique<PhasedAllgather>("direct", std::move(sources), std::move(phases));
}

}  // namespace shunt
