// Colours that the colour-blind can tell apart too, and that keep their order in grey.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shunt {

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  [[nodiscard]] std::string hex() const;  ///< "#1f9e89"

  /// The ink that is read best on it: kInk, or white.
  [[nodiscard]] std::string_view ink() const;

  friend bool operator==(const Colour&, const Colour&) = default;
};

inline constexpr std::string_view kInk = "#222222";    ///< text
inline constexpr std::string_view kFaint = "#d0d0d0";  ///< lines that guide the eye
inline constexpr std::string_view kEmpty = "#f4f4f4";  ///< where nothing is
inline constexpr std::string_view kPaper = "#ffffff";

/// From light (0) to dark (1): viridis (S. van der Walt, N. Smith), the other way round.
[[nodiscard]] Colour shade(double position);

/// One of `count` kinds of things: up to seven have colours of Okabe and Ito; more have shades.
[[nodiscard]] Colour kind_colour(int kind, int count);

}  // namespace shunt
