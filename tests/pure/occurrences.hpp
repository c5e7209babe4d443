// How often a text occurs in another, for tests of pictures.
#pragma once

#include <string_view>

namespace shunt::test {

inline int occurrences(std::string_view text, std::string_view part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace shunt::test
