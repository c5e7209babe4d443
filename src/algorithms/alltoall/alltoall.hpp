// The family of all-to-all algorithms: one maker per algorithm, each in a file of its name.
#pragma once

#include <memory>
#include <vector>

#include "algorithms/algorithm.hpp"

namespace shunt {

/// A1 (Liu 2002, Section 3.1.1): one stage, one message per pair, in cyclic shifts.
[[nodiscard]] std::unique_ptr<Algorithm> make_a1(Rank ranks, Bytes grain);

/// A2 (Section 3.1.2, after Ranka and Bader): all blocks dealt out evenly over all ranks, then
/// collected: two all-to-alls of even messages.
[[nodiscard]] std::unique_ptr<Algorithm> make_a2(Rank ranks, Bytes grain);

/// A3 (Section 3.1.3) for any number of ranks: along the row to the destination's column, then
/// along the column. Where the incomplete row has no node, A4's contact takes its place.
[[nodiscard]] std::unique_ptr<Algorithm> make_a3(Rank ranks, Bytes grain);

/// A3 as published: throws Error(argument) unless `ranks` is a perfect square.
[[nodiscard]] std::unique_ptr<Algorithm> make_a3_square(Rank ranks, Bytes grain);

/// A4 (Section 3.2): spread in rows and in columns, collected in rows and in columns, for any
/// number of ranks.
[[nodiscard]] std::unique_ptr<Algorithm> make_a4(Rank ranks, Bytes grain);

/// A4 with `levels` levels in place of two (Section 5): 2 * levels stages.
[[nodiscard]] std::unique_ptr<Algorithm> make_stages(Rank ranks, int levels, Bytes grain);

/// The same with given numbers of columns on the levels.
[[nodiscard]] std::unique_ptr<Algorithm> make_stages(Rank ranks, const std::vector<Rank>& columns,
                                                     Bytes grain);

/// A3 with `levels` levels in place of two: `levels` stages that only collect.
[[nodiscard]] std::unique_ptr<Algorithm> make_collect(Rank ranks, int levels, Bytes grain);
[[nodiscard]] std::unique_ptr<Algorithm> make_collect(Rank ranks, const std::vector<Rank>& columns,
                                                      Bytes grain);

/// Distinct groups of senders and receivers (Section 5): spread over the senders' array as in A4,
/// handed across to the destination's column of the receivers' array, collected in the column.
/// Only blocks from a sender to a receiver may be non-empty; ranks in neither group stay idle. The
/// groups may overlap. Throws Error(argument) for an empty group, Error(rank) for a rank that is
/// outside or stands twice in one group.
[[nodiscard]] std::unique_ptr<Algorithm> make_groups(Rank ranks, std::vector<Rank> senders,
                                                     std::vector<Rank> receivers, Bytes grain);

}  // namespace shunt
