// What the subcommands for traces print about a trace.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "lab/traffic/trace_file.hpp"

namespace shunt {

/// In all runs of calls.
[[nodiscard]] std::int64_t calls_of(const Trace& head);

/// Two lines: where it is and of which communicator; how many ranks, matrices and calls.
[[nodiscard]] std::string headline(const std::string& path, const TraceFile& file);

/// Returns what is printed about a trace as an object.
[[nodiscard]] nlohmann::json head_json(const std::string& path, const TraceFile& file);

}  // namespace shunt
