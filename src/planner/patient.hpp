// What patient planning tries beyond the likely algorithms.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/surroundings.hpp"
#include "model/loads.hpp"
#include "planner/trials.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// Whether the algorithm allows all pairs of ranks to have data. Throws Error(argument) where there
/// is no such algorithm for `ranks` ranks.
[[nodiscard]] bool supports_all_pairs(const std::string& algorithm, Rank ranks, Bytes grain,
                                      const Surroundings& surroundings);

/// All algorithms that run here, with parameters that may matter, and keep within `most` bytes of
/// buffers on every rank for such a traffic.
[[nodiscard]] std::vector<std::string> patient_algorithms(const Surroundings& surroundings,
                                                          Rank ranks, const TrafficBound& traffic,
                                                          Bytes grain, Bytes most);

/// All all-gathers that run here.
[[nodiscard]] std::vector<std::string> patient_allgathers(const Surroundings& surroundings,
                                                          Rank ranks);

/// Returns `fastest`, the fastest configuration so far, and variants of it: with one send buffer, a
/// coarser grain, fewer messages under way, and packets between nodes. `traffic` has the longest
/// block that may be cut.
[[nodiscard]] std::vector<Configuration> variants_of(const Configuration& fastest,
                                                     const Machine& machine,
                                                     const TrafficBound& traffic);

/// Removes configurations that are beyond a limit. Returns false where there is no room to race the
/// others.
using CandidatesLimit = std::function<bool(std::vector<Configuration>& candidates)>;

/// Collective: races the candidates (`race_plans`), and then the winner with other options, within
/// the `limit` if there is one.
[[nodiscard]] PlanChoice race_with_variants(Context& context,
                                            const std::vector<Configuration>& candidates,
                                            const Configuration& preferred,
                                            const TrafficBound& traffic, const TrialGround& ground,
                                            const CandidatesLimit& limit = nullptr);

}  // namespace shunt
