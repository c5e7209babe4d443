#include "lab/traffic/number_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "model/parse.hpp"

namespace shunt {
namespace {

constexpr std::string_view kDigits = "0123456789";

/// Takes one of `characters` off the front of `text`, if it begins with one.
bool take_any(std::string_view characters, std::string_view& text) {
  if (text.empty() || characters.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// How many digits `text` began with, which are taken off.
std::size_t take_digits(std::string_view& text) {
  const std::size_t digits = std::min(text.find_first_not_of(kDigits), text.size());
  text.remove_prefix(digits);
  return digits;
}

bool is_no_finite_number(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNames{"inf", "infinity", "nan"};
  const auto is_same = [text](std::string_view name) {
    return std::ranges::equal(name, text, {}, {}, to_lower);
  };
  return std::ranges::any_of(kNames, is_same);
}

}  // namespace

bool is_whole_number(std::string_view text) {
  take_any("+-", text);
  return take_digits(text) > 0 && text.empty();
}

bool is_real_number(std::string_view text) {
  take_any("+-", text);
  if (is_no_finite_number(text)) return true;
  std::size_t digits = take_digits(text);
  if (take_any(".", text)) digits += take_digits(text);
  if (digits == 0) return false;
  if (text.empty()) return true;
  // Fortran leaves the letter out where the exponent has three digits.
  const bool has_letter = take_any("eEdD", text);
  const bool has_sign = take_any("+-", text);
  return (has_letter || has_sign) && take_digits(text) > 0 && text.empty();
}

}  // namespace shunt
