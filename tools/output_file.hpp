// A file that the command writes.
#pragma once

#include <string>
#include <string_view>

namespace shunt {

/// Writes `content` to the file `path`, or to standard output where that is empty. Throws
/// Error(file) where the file cannot be written.
void write_output(const std::string& path, std::string_view content);

}  // namespace shunt
