// What Shunt tells the user on standard error, apart from the program's own output.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace shunt {

inline void say(const std::string& sentence) {
  std::fprintf(stderr, "shunt: %s\n", sentence.c_str());
  std::fflush(stderr);
}

/// Whether the user asked, by SHUNT_VERBOSE=1, to be told what is chosen, and what goes wrong
/// without being an error.
inline bool is_verbose() {
  const char* const value = std::getenv("SHUNT_VERBOSE");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace shunt
