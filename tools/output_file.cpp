#include "output_file.hpp"

#include <fstream>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

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

}  // namespace shunt
