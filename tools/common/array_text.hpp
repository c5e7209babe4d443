// An algorithm's array in words.
#pragma once

#include <string>

#include <fmt/format.h>

#include "model/counted.hpp"
#include "schedule/node_array.hpp"

namespace shunt {

[[nodiscard]] inline std::string array_text(const NodeArray& array) {
  std::string text = counted(array.columns(), "column") + " and " + counted(array.rows(), "row");
  if (array.remainder() > 0) text += fmt::format(", the last row of {}", array.remainder());
  return text;
}

}  // namespace shunt
