// How long an exchange is expected to take, from a traffic whose blocks are followed.
#pragma once

#include <vector>

#include "cost/expected_time.hpp"
#include "lab/traffic/traffic.hpp"

namespace shunt {

/// Returns what the ranks could agree on about the traffic, in elements of `element` bytes.
[[nodiscard]] TrafficSummary summary_of(const Traffic& traffic, Bytes element);

/// Returns the work of every stage for a traffic whose blocks are followed from stage to stage.
/// Costs O(blocks) for each stage. Throws Error(argument) where these are too many, or the
/// algorithm does not carry one of them.
[[nodiscard]] std::vector<StageWork> work_of(const Algorithm& algorithm, const Machine& machine,
                                             int processors, const Traffic& traffic, Bytes element,
                                             CallForm form);

/// Returns the seconds of the slowest rank, as `expected_seconds` of a summary. Throws as
/// `work_of`.
[[nodiscard]] double expected_seconds(const Profile& profile, const Algorithm& algorithm,
                                      const Machine& machine, const Traffic& traffic, Bytes element,
                                      CallForm form);

}  // namespace shunt
