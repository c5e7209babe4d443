// From values to places on an axis or in a range of shades, and round values to label there.
#pragma once

#include <string>
#include <vector>

namespace shunt {

enum class Spacing { linear, logarithmic };

/// What the values of an axis are: round numbers of bytes, and of what is counted like these, are
/// powers of two.
enum class Unit { none, count, bytes, seconds };

/// A round value, and how it is written.
struct Tick {
  double value;
  std::string label;
};

class Scale {
 public:
  /// From `least` to `most`; a logarithmic scale needs positive values, and begins at `most` / 2 if
  /// these are the same. A linear one begins at 0.
  Scale(Spacing spacing, double least, double most, Unit unit);

  /// The place of a value: from 0 to 1 for those on the scale.
  [[nodiscard]] double position(double value) const;

  /// Round values on the scale, ascending: about `wanted` of them, at least one.
  [[nodiscard]] std::vector<Tick> ticks(int wanted) const;

  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double most() const { return most_; }

 private:
  Spacing spacing_;
  double least_;
  double most_;
  Unit unit_;
};

/// "0", "48", "1.5 KiB".
[[nodiscard]] std::string bytes_text(double bytes);

/// "0 s", "250 us", "1.5 ms".
[[nodiscard]] std::string seconds_text(double seconds);

}  // namespace shunt
