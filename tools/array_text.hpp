// An algorithm's array in words.
#pragma once

#include <string>

#include <fmt/format.h>

#include "schedule/node_array.hpp"

namespace shunt {

[[nodiscard]] inline std::string array_text(const NodeArray& array) {
  std::string text = fmt::format("{} columns and {} rows", array.columns(), array.rows());
  if (array.remainder() > 0) text += fmt::format(", the last row of {}", array.remainder());
  return text;
}

}  // namespace shunt
