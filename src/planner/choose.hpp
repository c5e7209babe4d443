// Which configurations are likely to be the fastest: the tables of candidates, walked for one case.
#pragma once

#include <vector>

#include "model/configuration.hpp"
#include "planner/candidates.hpp"

namespace shunt {

/// Returns the configurations that the model of the machine expects to be fast, the best first: at
/// most four, of at most twice the least time, and kStraight, which needs no buffers.
[[nodiscard]] std::vector<Configuration> expected_exchanges(const AlltoallvCase& exchange);

/// Returns all candidates for the exchange but MPI's own collective, whether they fit into a limit
/// of memory or not; with more to move than kLargestTrial, those that have no buffers.
[[nodiscard]] std::vector<Configuration> likely_exchanges(const AlltoallvCase& exchange);

/// Returns the default configuration of an exchange, for when nothing is known of it or nothing
/// else is clearly faster: kStraight, or the same with single copies where these may pay, and the
/// busiest rank has more to move than stays in its cache.
[[nodiscard]] Configuration usual_configuration(const AlltoallvCase& exchange);

/// Returns all candidates but MPI's own collective, the likeliest first. The all-gathers' own
/// models weigh them, with the profile's costs of a message and a byte. `gather.machine` is that of
/// the surroundings. Costs O(ranks * log ranks) for each all-gather that is weighed.
[[nodiscard]] std::vector<Configuration> likely_allgathers(const AllgathervCase& gather,
                                                           const Profile& profile,
                                                           const Surroundings& surroundings,
                                                           CallForm form, const Options& asked);

}  // namespace shunt
