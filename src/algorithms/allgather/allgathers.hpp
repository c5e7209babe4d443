// The family of allgathers: one maker per algorithm. Section numbers are those of Hambrusch,
// Khokhar, Liu 1998.
#pragma once

#include <memory>

#include "algorithms/allgather.hpp"
#include "model/machine.hpp"

namespace shunt {

/// How blocks spread over an array of ranks.
enum class ArrayPattern {
  line,       ///< along one line through all of it, snake-like
  by_source,  ///< dimension after dimension; first those with the fewest sources on one line
  by_shape    ///< dimension after dimension, the shortest first
};

/// All blocks are gathered at rank 0 and sent from there to all, by recursive halving (2-Step,
/// Section 2).
[[nodiscard]] std::unique_ptr<Allgather> make_gather_broadcast(Sources sources);

/// Each source sends its block to each rank, in one stage (PersAlltoAll, Section 2).
[[nodiscard]] std::unique_ptr<Allgather> make_direct(Sources sources);

/// Recursive halving of the line, or of the lines along each dimension (Br_Lin, Br_xy_source,
/// Br_xy_dim, Section 2). An array of one dimension is a line, of any number of ranks.
[[nodiscard]] std::unique_ptr<Allgather> make_halving(ArrayPattern pattern, const Extents& array,
                                                      Sources sources);

/// make_halving after a permutation that brings the blocks to an ideal set of ranks (Repos_Lin,
/// Repos_xy_source, Repos_xy_dim, Section 3).
[[nodiscard]] std::unique_ptr<Allgather> make_reposition(ArrayPattern pattern, const Extents& array,
                                                         Sources sources);

/// The one of make_halving and make_reposition that takes less time by `predict` (the check that
/// Section 3 leaves out).
[[nodiscard]] std::unique_ptr<Allgather> make_reposition_if_it_pays(ArrayPattern pattern,
                                                                    const Extents& array,
                                                                    const Sources& sources,
                                                                    const LinkCost& cost);

/// Blocks go to ideal sets of both halves of the array, in proportion to their sizes, spread in
/// both halves at the same time, and are exchanged between them (Part_Lin, Part_xy_source,
/// Part_xy_dim, Section 3).
[[nodiscard]] std::unique_ptr<Allgather> make_partition(ArrayPattern pattern, const Extents& array,
                                                        Sources sources);

/// Dissemination (Bruck et al. 1997, concatenation): ceil(log2 p) stages of one message each way.
[[nodiscard]] std::unique_ptr<Allgather> make_dissemination(Sources sources);

/// The ring: blocks go round all ranks, one at a time, in p - 1 stages between neighbours.
[[nodiscard]] std::unique_ptr<Allgather> make_ring(Sources sources);

/// Neighbour exchange (Chen et al. 2005): p / 2 stages between neighbours, two blocks at a time.
/// Throws Error(argument) for an odd number of ranks.
[[nodiscard]] std::unique_ptr<Allgather> make_neighbour_exchange(Sources sources);

/// All-gather by nodes: blocks are gathered at the first rank of each node, spread by recursive
/// halving between these, and likewise in each node. No node takes part in two exchanges with other
/// nodes in one step.
[[nodiscard]] std::unique_ptr<Allgather> make_node_halving(Sources sources,
                                                           std::shared_ptr<const Machine> machine);

/// All-gather by nodes without gathering: each block goes to all ranks of its node, by recursive
/// halving between the first ranks of the nodes, and from these to all ranks of their nodes. No
/// node takes part in two exchanges with others in one step.
[[nodiscard]] std::unique_ptr<Allgather> make_node_halving_direct(
    Sources sources, std::shared_ptr<const Machine> machine);

/// All-gather by a star of nodes: each block goes to all ranks of its node, from the first rank of
/// the node to that of each other node, and from these to all ranks of their nodes. Where the
/// sources are on one node, only its own messages go between nodes, and no node waits for another
/// one.
[[nodiscard]] std::unique_ptr<Allgather> make_node_star(
    Sources sources, const std::shared_ptr<const Machine>& machine);

/// All-gather by lanes: each block goes to all ranks of its node. What a node has then is cut into
/// as many equal parts as the smallest node has ranks, which go by recursive halving between the
/// ranks at the same place of each node, and from these to all ranks of their nodes. All processors
/// copy long blocks, where the other all-gathers by nodes leave that to one per node.
[[nodiscard]] std::unique_ptr<Allgather> make_node_lanes(Sources sources,
                                                         std::shared_ptr<const Machine> machine);

/// All-gather by a ring of nodes: each block goes to all ranks of its node. What a node has then is
/// cut into pieces, which go round the ring of nodes through up to two ranks of each; these tell
/// all ranks of their nodes what came while more pieces come. So a link carries all of the time
/// what it has to in any schedule. Each node hands on at least 32 KiB at a time, or else, where
/// `steps` is not 0, what `sources` have in all in `steps` steps per node, and tells its ranks
/// after as many. Throws Error(argument) for more than 1024 steps.
[[nodiscard]] std::unique_ptr<Allgather> make_node_ring(Sources sources,
                                                        std::shared_ptr<const Machine> machine,
                                                        Rank steps = 0);

/// Dissemination, where a block that is longer than all others together is scattered over all ranks
/// first, and its parts are spread with the other blocks (after van de Geijn's broadcast of long
/// messages).
[[nodiscard]] std::unique_ptr<Allgather> make_scatter_allgather(Sources sources);

}  // namespace shunt
