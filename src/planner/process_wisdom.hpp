// The wisdom of this process: read when it is first needed, saved when MPI ends.
#pragma once

#include <optional>

#include "exchange/yard_state.hpp"
#include "model/traffic_signature.hpp"
#include "model/wisdom.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// False with SHUNT_LEARN=0: the models decide, nothing is measured, recalled or remembered, and so
/// each run of a program chooses alike.
[[nodiscard]] bool may_learn();

/// The key of what is to be chosen on this communicator: `kind` says what, as "alltoallv plan".
/// Collective when the ranks' nodes are not known yet.
[[nodiscard]] WisdomKey wisdom_key(YardState& yard, const std::string& kind, const Options& options,
                                   const TrafficSignature& traffic);

/// What is known for the key from at least this effort, by this process or by earlier ones (the
/// file of `wisdom_file`). Local, so that one rank asks and tells the others. A file that cannot be
/// used counts as empty, and SHUNT_VERBOSE=1 says so.
[[nodiscard]] std::optional<WisdomEntry> recall(const WisdomKey& key, Effort least);

/// Remembers the entry, of which `found` is set here: in the file when MPI_Finalize begins, or
/// earlier where there are many. Local, and on one rank alone, for which others may wait: nothing
/// is thrown. Where that cannot be done SHUNT_VERBOSE=1 says so.
void remember(const WisdomKey& key, WisdomEntry entry) noexcept;

}  // namespace shunt
