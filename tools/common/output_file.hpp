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

/// Hands on all that was printed so far. What does not arrive is said later: other ranks may wait
/// for this one.
void show_output() noexcept;

/// The same. Throws Error(file) where some of it did not arrive, as on
/// a full disk.
void flush_output();

/// The same at the end of all.
void close_output();

}  // namespace shunt
