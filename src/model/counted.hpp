// Numbers of things in sentences.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace shunt {

/// "1 rank", "8 ranks".
[[nodiscard]] std::string counted(std::integral auto number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace shunt
