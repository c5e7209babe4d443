// Proves a schedule: enumerates every rank's view and compares them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/machine.hpp"
#include "schedule/step.hpp"

namespace shunt {

/// Returns what is wrong with the schedule of one stage, sentence by sentence; empty if nothing is.
/// Proved: every step lies within 1..step_count and the last one is used; steps ascend; no rank
/// sends or receives twice in a step; each send meets a receive and each receive a send in the same
/// step; no pair of ranks has two messages.
[[nodiscard]] std::vector<std::string> check_schedule(
    Rank ranks, int step_count, const std::function<std::vector<Step>(Rank)>& steps_of);

/// Returns where the schedule of one stage has a node take part in two exchanges with other nodes
/// in one step (Sanders and Traff 2002, Section 1), sentence by sentence. Two messages between the
/// same two ranks in opposite directions are one exchange.
[[nodiscard]] std::vector<std::string> check_node_ports(
    const Machine& machine, const std::function<std::vector<Step>(Rank)>& steps_of);

}  // namespace shunt
