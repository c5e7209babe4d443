// Chooses algorithms by the times that are expected: of exchanges by the model of the machine, of
// broadcasts by their own models, both with measured costs of the machine.
#pragma once

#include <string>
#include <vector>

#include "algorithms/surroundings.hpp"
#include "model/configuration.hpp"
#include "model/machine.hpp"
#include "model/profile.hpp"
#include "model/sources.hpp"
#include "shunt/options.hpp"
#include "shunt/types.hpp"
#include "simulation/expected_time.hpp"

namespace shunt {

/// The algorithm that sends every block straight to its rank.
inline constexpr const char* kStraight = "a1";

/// Returns that algorithm with single copies inside a node.
[[nodiscard]] Configuration straight_once(const Options& asked);

/// The broadcast in which every source sends to every rank.
inline constexpr const char* kDirectBroadcast = "pers-all-to-all";

/// Returns the algorithms of which the model expects no more than twice the least time, the best
/// first, at most four. A1 is always one of them: it needs no buffers. A2 and A4 are added where a
/// rank on one of many nodes may send most to one other, as the model knows of no links, unless it
/// expects them to take more than four times as long as A1.
[[nodiscard]] std::vector<std::string> likely_algorithms(const Profile& profile,
                                                         const Machine& machine,
                                                         const TrafficSummary& traffic,
                                                         CallForm form);

/// Returns the algorithms that may pay where ranks share their node's link, whatever the model
/// expects of them: none where there is one node, or every rank is one. Combining what two nodes
/// have for each other is left out where a node has more than `most` bytes to send.
[[nodiscard]] std::vector<std::string> likely_node_algorithms(const Machine& machine,
                                                              const TrafficBound& traffic,
                                                              Bytes most);

/// Returns A1 with single copies, where ranks share a node, `asked` lets them share its memory, no
/// slow network hides the difference, and a block is so long that it may pay.
[[nodiscard]] std::vector<Configuration> likely_single_copies(const Profile& profile,
                                                              const Machine& machine,
                                                              const TrafficBound& traffic,
                                                              const Options& asked);

/// Returns the default configuration of an exchange, for when nothing is known of it or nothing
/// else is clearly faster: A1, or the first of `single_copies` (`likely_single_copies`), if there
/// are any, where the busiest rank has more to move than stays in its cache.
[[nodiscard]] Configuration usual_configuration(const TrafficBound& traffic, const Options& asked,
                                                const std::vector<Configuration>& single_copies);

/// Returns the algorithms for the torus that the ranks are said to be, whatever the model expects
/// of them, since it does not know links. None where no torus is given, for a ring, or where ranks
/// share memory. Leaves out those with buffers of more than `most` bytes on some rank.
[[nodiscard]] std::vector<std::string> likely_torus_algorithms(const Surroundings& surroundings,
                                                               const TrafficBound& traffic,
                                                               Bytes most);

/// Returns the broadcasts whose own models, with the profile's costs of a message and a byte,
/// expect no more than twice the least time for these sources, the best first, at most four. Before
/// them come broadcasts for nodes of several ranks, which the models do not cover. With `boards`
/// these are broadcasts in which a rank shows its block to all of its node; between nodes long
/// blocks then go by all ranks of a node, and short ones of a single node straight to few others.
/// Without boards they are broadcasts between the first ranks of nodes, or between all ranks where
/// much is passed on, or between neighbours where that keeps all links busy. In a single node the
/// broadcast without stages comes first where few ranks or long blocks are sent; elsewhere the
/// broadcast in which one rank gathers all comes last, and between nodes it does where few ranks
/// send. Costs O(ranks * log ranks) for each broadcast that is weighed.
[[nodiscard]] std::vector<std::string> likely_broadcasts(const Profile& profile,
                                                         const Sources& sources,
                                                         const Surroundings& surroundings,
                                                         CallForm form, bool boards);

}  // namespace shunt
