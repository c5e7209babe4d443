// The wisdom of this process: read when it is first needed, saved when MPI ends.
#pragma once

#include <optional>
#include <string>

#include "context/context.hpp"
#include "model/traffic_signature.hpp"
#include "model/wisdom.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// An exchange for which a configuration is to be chosen. Equal on all ranks.
struct Question {
  std::string kind;  ///< as "alltoallv plan"
  const Options& options;
  TrafficSignature traffic;
};

/// Whether anything may be learned. False with SHUNT_LEARN=0: the models decide, nothing is
/// measured, recalled or remembered, and each run of a program makes equal choices.
[[nodiscard]] bool may_learn();

/// Returns the key of what is to be chosen on this communicator. Collective when the ranks' nodes
/// are not known yet.
[[nodiscard]] WisdomKey wisdom_key(Context& context, const Question& question);

/// Returns what is known for the key from at least the effort `least`, by this process or by
/// earlier ones (the file of `wisdom_file`). Local: one rank asks and broadcasts the answer. A file
/// that cannot be used counts as empty, and SHUNT_VERBOSE=1 says so.
[[nodiscard]] std::optional<WisdomEntry> recall(const WisdomKey& key, Effort least);

/// Remembers the entry, whose `found` is set here, and writes it to the file when MPI_Finalize
/// begins, or earlier where there are many. Local, and called on one rank, for which others may
/// wait: throws nothing. With SHUNT_VERBOSE=1 stderr says where it cannot be done.
void remember(const WisdomKey& key, WisdomEntry entry) noexcept;

}  // namespace shunt
