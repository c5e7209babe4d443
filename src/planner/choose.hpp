// Chooses algorithms by what is expected of them: exchanges by the model of the machine, broadcasts
// by their own, both with what the machine was measured to cost.
#pragma once

#include <string>
#include <vector>

#include "algorithms/surroundings.hpp"
#include "model/machine.hpp"
#include "model/profile.hpp"
#include "model/sources.hpp"
#include "shunt/options.hpp"
#include "shunt/types.hpp"
#include "simulation/expected_time.hpp"

namespace shunt {

/// The algorithm that sends every block straight to its rank.
inline constexpr const char* kStraight = "a1";

/// The same (`way_text`) with single copies inside a node.
inline constexpr const char* kStraightOnce = "a1 shared=once";

/// The broadcast in which every source sends to every rank.
inline constexpr const char* kDirectBroadcast = "pers-all-to-all";

/// The algorithms of which the model expects no more than twice the least time, the best first, at
/// most four. A1 is always one of them: it needs no buffers. A2 and A4 are added
/// where a rank on one of many nodes may send most to one other, as the model knows of no links,
/// unless it expects them to take more than four times as long as A1.
[[nodiscard]] std::vector<std::string> likely_algorithms(const Profile& profile,
                                                         const Machine& machine,
                                                         const TrafficSummary& traffic,
                                                         CallForm form);

/// The algorithms that may pay where ranks share their node's way out, whatever the model expects
/// of them: none where there is one node, or every rank is one. Combining what two nodes have for
/// each other is left out where a node has more than `most` bytes to send.
[[nodiscard]] std::vector<std::string> likely_node_algorithms(const Machine& machine,
                                                              const TrafficBound& traffic,
                                                              Bytes most);

/// A1 with single copies, where ranks share a node, `asked` lets them share its memory, no slow
/// network hides the difference, and a block is so long that it may pay.
[[nodiscard]] std::vector<std::string> likely_single_copies(const Profile& profile,
                                                            const Machine& machine,
                                                            const TrafficBound& traffic,
                                                            const Options& asked);

/// What an exchange is made with where nothing is known of it, or nothing else is clearly faster:
/// A1, with `single_copies` (`likely_single_copies`), if there are any, where the busiest rank has
/// more to move than stays in its cache.
[[nodiscard]] std::string usual_way(const TrafficBound& traffic,
                                    const std::vector<std::string>& single_copies);

/// Algorithms for the torus that the ranks are said to be, whatever the model expects of them: that
/// knows of no links. None where nobody says so, nor for a ring or where ranks share memory; nor
/// those by which a rank would have more than `most` bytes on their way.
[[nodiscard]] std::vector<std::string> likely_torus_algorithms(const Surroundings& surroundings,
                                                               const TrafficBound& traffic,
                                                               Bytes most);

/// The broadcasts whose own models, with the profile's costs of a message and a byte, expect no
/// more than twice the least time for these sources, the best first, at most four; and before them
/// what the models do not know of, nodes of several ranks. With `boards` such a rank shows its
/// block to all of its node at once, long ones then go to other nodes by all of its ranks, and
/// short ones of a single node straight to few others. Without, the first of several nodes talk to
/// each other, or all of them where there is much to pass on, or only neighbours where that keeps
/// all links busy; in a single node the broadcast without stages comes first where few ranks or
/// long blocks are sent, and elsewhere the one in which a single rank gathers all is the last;
/// between nodes it is so where few ranks send. Costs O(ranks * log ranks) for each that is
/// weighed.
[[nodiscard]] std::vector<std::string> likely_broadcasts(const Profile& profile,
                                                         const Sources& sources,
                                                         const Surroundings& surroundings,
                                                         CallForm form, bool boards);

}  // namespace shunt
