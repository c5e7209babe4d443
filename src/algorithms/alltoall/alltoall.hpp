// The family of all-to-all algorithms: one maker per algorithm, each in a file of its name.
#pragma once

#include <memory>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "model/machine.hpp"
#include "schedule/node_pairing.hpp"

namespace shunt {

/// One stage, one message per pair, in cyclic shifts (A1, Liu 2002, Section 3.1.1).
[[nodiscard]] std::unique_ptr<Algorithm> make_linear(Rank ranks, Bytes grain);

/// All blocks are spread evenly over all ranks, then collected: two all-to-alls of even messages
/// (A2, Section 3.1.2, after Ranka and Bader).
[[nodiscard]] std::unique_ptr<Algorithm> make_two_stage(Rank ranks, Bytes grain);

/// Along the row to the destination's column, then along the column (A3, Section 3.1.3), for any
/// number of ranks. Where the incomplete row has no node, the node that make_four_stage takes as
/// contact stands in.
[[nodiscard]] std::unique_ptr<Algorithm> make_row_column(Rank ranks, Bytes grain);

/// make_row_column as published: throws Error(argument) unless `ranks` is a perfect square.
[[nodiscard]] std::unique_ptr<Algorithm> make_row_column_square(Rank ranks, Bytes grain);

/// Spread in rows and in columns, collected in rows and in columns (A4, Section 3.2), for any
/// number of ranks.
[[nodiscard]] std::unique_ptr<Algorithm> make_four_stage(Rank ranks, Bytes grain);

/// make_four_stage with `levels` levels instead of two (Section 5): 2 * levels stages.
[[nodiscard]] std::unique_ptr<Algorithm> make_stages(Rank ranks, int levels, Bytes grain);

/// make_stages with a level for each of `columns`, which are the numbers of columns on the levels.
[[nodiscard]] std::unique_ptr<Algorithm> make_stages(Rank ranks, const std::vector<Rank>& columns,
                                                     Bytes grain);

/// make_row_column with `levels` levels instead of two: `levels` stages that only collect.
[[nodiscard]] std::unique_ptr<Algorithm> make_grid(Rank ranks, int levels, Bytes grain);
[[nodiscard]] std::unique_ptr<Algorithm> make_grid(Rank ranks, const std::vector<Rank>& columns,
                                                   Bytes grain);

/// Distinct groups of senders and receivers (Section 5): spread over the senders' array as by
/// make_four_stage, handed across to the destination's column of the receivers' array, collected in
/// the column. Only blocks from a sender to a receiver may be non-empty; ranks in neither group
/// stay idle. The groups may overlap. Throws Error(argument) for an empty group, Error(rank) for a
/// rank that is outside or stands twice in one group.
[[nodiscard]] std::unique_ptr<Algorithm> make_groups(Rank ranks, std::vector<Rank> senders,
                                                     std::vector<Rank> receivers, Bytes grain);

/// One stage, in each step of which every rank exchanges blocks with one other rank, the same both
/// ways (the factor algorithm, Sanders and Traff 2002, Section 2). For an even number of ranks all
/// copies to oneself are in the last step.
[[nodiscard]] std::unique_ptr<Algorithm> make_pairwise(Rank ranks);

/// One stage, in which no node takes part in two exchanges with other nodes in one step (the
/// hierarchical factor algorithm, Section 3); as printed, or improved by the hint in Section 4.
/// Throws Error(argument) where its steps exceed an int.
[[nodiscard]] std::unique_ptr<Algorithm> make_node_pairwise(std::shared_ptr<const Machine> machine,
                                                            NodePairing::Form form);

/// All blocks between two nodes in one message each way: gathered in the node by the leader in
/// charge of the other node, exchanged between leaders in the order of the factors of the nodes
/// (Section 2), scattered in the node. The first `leaders` ranks of each node lead, all of them in
/// a smaller node; each is in charge of about as many nodes. Blocks inside a node go straight, in
/// the last stage. No node takes part in two exchanges with other nodes in one step.
[[nodiscard]] std::unique_ptr<Algorithm> make_leaders(std::shared_ptr<const Machine> machine,
                                                      Rank leaders);

/// Bruck's algorithm (Bruck et al. 1997, cited by Sanders and Traff 2002) for any number of ranks
/// and any radix, with exact lengths: ceil(log_radix P) stages, in which what is for the rank at a
/// distance d ahead moves by the digits of d, the lowest first. Throws Error(argument) for a radix
/// below 2.
[[nodiscard]] std::unique_ptr<Algorithm> make_bruck(Rank ranks, Rank radix);

/// Bruck's algorithm among the ranks of each node, towards the destination's place in its node,
/// and then one message for each other node or, where that node is larger, for several ranks in it.
/// Throws Error(argument) for a radix below 2, and where its steps exceed an int.
[[nodiscard]] std::unique_ptr<Algorithm> make_bruck_in_nodes(std::shared_ptr<const Machine> machine,
                                                             Rank radix);

/// The reverse: Bruck's algorithm among the nodes, each rank with those of its place in other
/// nodes, and then straight to the destination inside the node. Throws as make_bruck_in_nodes does.
[[nodiscard]] std::unique_ptr<Algorithm> make_bruck_among_nodes(
    std::shared_ptr<const Machine> machine, Rank radix);

/// All-to-all on a ring of ranks, in their order (AR, Liu 2005, Section 3). Throws Error(argument)
/// unless `ranks` is even and at least 4.
[[nodiscard]] std::unique_ptr<Algorithm> make_torus_ring(Rank ranks, Bytes grain);

/// The two-way pipeline on a ring of any number of ranks, in their order: everything goes the
/// shorter way, one rank per step, and what goes half way round goes in two halves. Its busiest
/// links carry no more than any algorithm's must.
[[nodiscard]] std::unique_ptr<Algorithm> make_torus_ring_pipeline(Rank ranks, Bytes grain);

/// All-to-all on a torus of two dimensions (AT2, Section 4). Throws Error(argument) unless both
/// extents are multiples of 4.
[[nodiscard]] std::unique_ptr<Algorithm> make_torus(const Extents& extents, Bytes grain);

/// AT2 with the two-way pipeline instead of AR, for any even extents. Its busiest links carry no
/// more than any algorithm's must. Throws Error(argument) for other extents.
[[nodiscard]] std::unique_ptr<Algorithm> make_torus_pipeline(const Extents& extents, Bytes grain);

/// Complete exchange on a torus of any extents in any number k of dimensions, whose busiest links
/// carry no more than any algorithm's must: blocks go in k parts, each along one dimension after
/// the other, beginning with a different one. Throws Error(argument) for too many ranks.
[[nodiscard]] std::unique_ptr<Algorithm> make_torus_split(const Extents& extents, Bytes grain);

}  // namespace shunt
