// At the end of a program: from the ranks' recordings to files.
#pragma once

#include <memory>
#include <vector>

#include "trace/communicator_trace.hpp"

namespace shunt {

/// Writes a file for each communicator, by its rank 0. Collective among the ranks of each of them;
/// `traces` are those of which this rank is one. What cannot be written is said on stderr.
void write_traces(std::vector<std::shared_ptr<CommunicatorTrace>> traces);

}  // namespace shunt
