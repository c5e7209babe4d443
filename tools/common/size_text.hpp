// Numbers of bytes in words.
#pragma once

#include <cstdint>
#include <string>

namespace shunt {

/// Returns `bytes` in the largest unit of which there is at least one: "64 KiB", "1.5 GiB".
[[nodiscard]] std::string size_text(std::uint64_t bytes);

}  // namespace shunt
