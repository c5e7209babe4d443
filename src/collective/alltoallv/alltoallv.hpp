// Irregular personalised all-to-all: a block from every rank to every rank.
#pragma once

#include <vector>

#include "collective/collective.hpp"

namespace shunt {

[[nodiscard]] const Collective& alltoallv();

/// Returns the schedule of an exchange of which nobody knows what the others have: for "auto" the
/// one that goes straight. See YardState::schedule.
[[nodiscard]] const Schedule& one_shot_schedule(YardState& yard, const Options& options);

/// Returns the schedule that the options name; null for "auto" and "native". See
/// YardState::schedule.
[[nodiscard]] const Schedule* named_schedule(YardState& yard, const Options& options);

/// Throws Error(argument) where the restriction of the schedule's algorithm forbids one of this
/// rank's blocks, given in bytes by rank.
void expect_carried(YardState& yard, const Schedule& schedule, const std::vector<Bytes>& sent,
                    const std::vector<Bytes>& received);

}  // namespace shunt
