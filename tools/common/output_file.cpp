#include "tools/common/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace shunt {

namespace {

int lost_by = EIO;  ///< what is known of why something did not arrive

}  // namespace

void print_json(const DocumentFormat& format, const nlohmann::ordered_json& document) {
  if (!document.is_object() || document.contains("format") || document.contains("version")) {
    throw Error(ErrorKind::internal,
                fmt::format("{} is no object without format and version", format.name));
  }
  nlohmann::ordered_json whole{{"format", format.name}, {"version", format.version}};
  whole.update(document);
  fmt::print("{}\n", whole.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

Error output_lost(int reason) {
  return {ErrorKind::file,
          fmt::format("standard output cannot be written: {}", std::strerror(reason))};
}

void write_output(const std::string& path, std::string_view content) {
  if (path.empty()) {
    fmt::print("{}", content);
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) {
    throw Error(ErrorKind::file, fmt::format("{}: the file cannot be written", path));
  }
}

void show_output() noexcept {
  if (std::fflush(stdout) != 0) lost_by = errno;
}

void flush_output() {
  show_output();
  if (std::ferror(stdout) != 0) throw output_lost(lost_by);
}

void close_output() {
  flush_output();
  // Some file systems say only at a close that they are full. What ends the process may still flush
  // the stream, so it is another name that is closed.
  const int copy = dup(STDOUT_FILENO);
  if (copy >= 0 && close(copy) != 0) throw output_lost(errno);
}

}  // namespace shunt
