// What the subcommands for traces say of one.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "model/trace.hpp"

namespace shunt {

/// In all runs of calls.
[[nodiscard]] std::int64_t calls_of(const Trace& head);

/// Two lines: where it is and of which communicator; how many ranks, matrices and calls.
[[nodiscard]] std::string headline(const std::string& path, const TraceFile& file);

/// The same as an object.
[[nodiscard]] nlohmann::json head_json(const std::string& path, const TraceFile& file);

}  // namespace shunt
