// What Shunt tells whoever runs a program, beside the program's own output.
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

/// Whether whoever runs it asked what is chosen, and what goes wrong and fails nothing.
inline bool is_verbose() {
  const char* const value = std::getenv("SHUNT_VERBOSE");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace shunt
