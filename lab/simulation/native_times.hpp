// How long MPI's own collectives are expected to take, from what was measured.
#pragma once

#include "cost/expected_time.hpp"
#include "model/machine.hpp"
#include "model/profile.hpp"
#include "model/sources.hpp"

namespace shunt {

/// Returns the seconds of MPI_Alltoallv: those of blocks of one length that keep the busiest rank,
/// or node, as busy.
[[nodiscard]] double expected_native_seconds(const Profile& profile, const Machine& machine,
                                             const TrafficSummary& traffic);

/// Returns the seconds of MPI_Allgatherv.
[[nodiscard]] double expected_native_seconds(const Profile& profile, const Machine& machine,
                                             const Sources& sources);

}  // namespace shunt
