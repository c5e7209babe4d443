// What the command writes: files, and its standard output.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "shunt/error.hpp"

namespace shunt {

/// Writes `content` to the file `path`, or to standard output where that is empty. Throws
/// Error(file) where the file cannot be written.
void write_output(const std::string& path, std::string_view content);

/// By what a program knows a document.
struct DocumentFormat {
  std::string_view name;     ///< "shunt-", the subcommand, and which of its documents it is
  std::int64_t version = 1;  ///< grows where a key goes, or means something else
};

/// Prints the document, an object, with two spaces of indentation, behind the members "format" and
/// "version". Throws Error(internal) where it is no object, or has one of them already. What in a
/// name is no UTF-8 is there as U+FFFD.
void print_json(const DocumentFormat& format, const nlohmann::ordered_json& document);

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
