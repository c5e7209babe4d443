// What Shunt tells whoever runs a program, beside the program's own output.
#pragma once

#include <cstdio>
#include <string>

namespace shunt {

inline void say(const std::string& sentence) {
  std::fprintf(stderr, "shunt: %s\n", sentence.c_str());
  std::fflush(stderr);
}

}  // namespace shunt
