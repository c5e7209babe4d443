// What the command writes: files, and its standard output.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "shunt/error.hpp"

namespace shunt {

/// Writes `content` to the file `path`, or to standard output where that is empty. Throws
/// Error(file) where the file cannot be written.
void write_output(const std::string& path, std::string_view content);

/// The document with two spaces of indentation, and a line's end. What in a name is no UTF-8 is
/// there as U+FFFD.
[[nodiscard]] std::string json_text(const nlohmann::json& document);
void print_json(const nlohmann::json& document);

/// What to throw where that could not be written, by the number of the system's error.
[[nodiscard]] Error output_lost(int reason);

/// Flushes all that was printed so far. A failure is reported by a later call, since other ranks
/// may wait for this one.
void show_output() noexcept;

/// Flushes all that was printed so far. Throws Error(file) where some of it could not be written,
/// as on a full disk.
void flush_output();

/// Flushes all that was printed and closes standard output, at the end of the program. Throws as
/// `flush_output` does.
void close_output();

}  // namespace shunt
