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
[[nodiscard]] bool carries_all(const std::string& algorithm, Rank ranks, Bytes grain,
                               const Surroundings& surroundings);

/// All algorithms that run here, with parameters that may matter, and keep within `most` bytes of
/// buffers on every rank for such a traffic.
[[nodiscard]] std::vector<std::string> patient_algorithms(const Surroundings& surroundings,
                                                          Rank ranks, const TrafficBound& traffic,
                                                          Bytes grain, Bytes most);

/// All broadcasts that run here.
[[nodiscard]] std::vector<std::string> patient_broadcasts(const Surroundings& surroundings,
                                                          Rank ranks);

/// Appends those of `more` that `names` does not have.
void append_new(const std::vector<std::string>& more, std::vector<std::string>& names);

/// Returns configurations of `algorithm`, the fastest so far: first with the options `asked`, then
/// with one send buffer, a coarser grain, fewer messages under way, and packets between nodes.
/// `traffic` has the longest block that may be cut.
[[nodiscard]] std::vector<std::string> variants_of(const std::string& algorithm,
                                                   const Options& asked, const Machine& machine,
                                                   const TrafficBound& traffic);

/// Removes configurations that are beyond a limit. Returns false where there is no room to race the
/// others.
using WaysLimit = std::function<bool(std::vector<std::string>& ways)>;

/// Collective: races the candidates (`race_plans`), and then the winner with other options, within
/// the `limit` if there is one.
[[nodiscard]] PlanChoice race_with_variants(Context& context,
                                            const std::vector<std::string>& candidates,
                                            const std::string& preferred, const Options& asked,
                                            const TrafficBound& traffic, const TrialGround& ground,
                                            const WaysLimit& limit = nullptr);

}  // namespace shunt
