#include "tools/common/size_text.hpp"

#include <fmt/format.h>

namespace shunt {

std::string size_text(std::uint64_t bytes) {
  const char* unit = "B";
  auto size = static_cast<double>(bytes);
  for (const char* larger : {"KiB", "MiB", "GiB", "TiB"}) {
    if (size < 1024) break;
    size /= 1024;
    unit = larger;
  }
  return fmt::format("{:.{}f} {}", size, size < 10 && size != static_cast<int>(size) ? 1 : 0, unit);
}

}  // namespace shunt
