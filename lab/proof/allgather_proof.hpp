// Proves an all-gather: its schedules, and that every rank gets every byte once.
#pragma once

#include "algorithms/allgather.hpp"
#include "lab/proof/proof.hpp"

namespace shunt {

/// Checks the schedule of every stage over all ranks (`check_schedule`), and the ports of the nodes
/// where the all-gather spares these (`check_node_ports`). Follows every byte: no message is empty,
/// its shares are in order; a rank sends only what it held at the beginning of the stage; no byte
/// comes to a rank twice, nor to its own source; and after the last stage every rank has every
/// block. On the `machine` that it was made for, null where every rank is a node, also that stages
/// that say so spread what a rank sends in its node (`spreads_in_nodes`). Costs O(ranks * (sources
/// + steps)).
[[nodiscard]] Proof prove(const Allgather& allgather, const Machine* machine = nullptr);

}  // namespace shunt
