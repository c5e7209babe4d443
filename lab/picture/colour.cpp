#include "lab/picture/colour.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace shunt {

namespace {

constexpr std::array<Colour, 10> kShades{{{253, 231, 37},
                                          {181, 222, 43},
                                          {110, 206, 88},
                                          {53, 183, 121},
                                          {31, 158, 137},
                                          {38, 130, 142},
                                          {49, 104, 142},
                                          {62, 73, 137},
                                          {72, 40, 120},
                                          {68, 1, 84}}};

constexpr std::array<Colour, 7> kKinds{{{0, 114, 178},
                                        {230, 159, 0},
                                        {0, 158, 115},
                                        {213, 94, 0},
                                        {86, 180, 233},
                                        {204, 121, 167},
                                        {240, 228, 66}}};

std::uint8_t between(std::uint8_t from, std::uint8_t to, double part) {
  return static_cast<std::uint8_t>(std::lround(from + (to - from) * part));
}

}  // namespace

std::string Colour::hex() const { return fmt::format("#{:02x}{:02x}{:02x}", red, green, blue); }

std::string_view Colour::ink() const {
  const double light = 0.299 * red + 0.587 * green + 0.114 * blue;
  return light > 127 ? kInk : kPaper;
}

Colour shade(double position) {
  const double place = std::clamp(position, 0.0, 1.0) * static_cast<double>(kShades.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kShades.size() - 2);
  const double part = place - static_cast<double>(below);
  const Colour& from = kShades[below];
  const Colour& to = kShades[below + 1];
  return {between(from.red, to.red, part), between(from.green, to.green, part),
          between(from.blue, to.blue, part)};
}

Colour kind_colour(int kind, int count) {
  if (count <= static_cast<int>(kKinds.size())) return kKinds[static_cast<std::size_t>(kind)];
  return shade(static_cast<double>(kind) / (count - 1));
}

}  // namespace shunt
