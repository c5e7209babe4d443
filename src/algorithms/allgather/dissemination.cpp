#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/dissemination_phase.hpp"
#include "algorithms/allgather/phased.hpp"

namespace shunt {

int DisseminationPhase::stages() const {
  return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(ranks_ - 1)));
}

std::string DisseminationPhase::stage_name(int stage) const {
  return fmt::format("pass on over {}", Bytes{1} << stage);
}

std::vector<Step> DisseminationPhase::steps(int stage, Rank rank) const {
  const Bytes distance = Bytes{1} << stage;
  return {{1, static_cast<Rank>((rank - distance + ranks_) % ranks_),
           static_cast<Rank>((rank + distance) % ranks_)}};
}

Rank DisseminationPhase::window(int stage) const {
  if (stage == stages()) return ranks_;
  const Rank distance = Rank{1} << stage;
  return std::min(distance, ranks_ - distance);
}

void DisseminationPhase::origins(int stage, Rank rank, std::vector<Rank>& origins) const {
  for (Rank k = 0; k < window(stage); ++k) {
    origins.push_back(rank < ranks_ - k ? rank + k : rank - (ranks_ - k));
  }
}

Volumes DisseminationPhase::volumes(int stage, const Volumes& held,
                                    const Volumes& /*before*/) const {
  // A window that slides: what enters at its end, and what leaves at its beginning.
  const auto size = static_cast<std::size_t>(window(stage));
  Volumes volumes(held.size(), 0);
  for (std::size_t k = 0; k < size; ++k) volumes[0] += held[k];
  for (std::size_t rank = 1; rank < held.size(); ++rank) {
    volumes[rank] = volumes[rank - 1] - held[rank - 1] + held[(rank - 1 + size) % held.size()];
  }
  return volumes;
}

std::unique_ptr<Allgather> make_dissemination(Sources sources) {
  Phases phases;
  phases.push_back(std::make_unique<DisseminationPhase>(sources.ranks()));
  return std::make_unique<PhasedAllgather>("dissemination", std::move(sources), std::move(phases));
}

}  // namespace shunt
